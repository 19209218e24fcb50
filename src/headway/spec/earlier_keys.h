// SPDX-License-Identifier: Apache-2.0
// Keys of the previous version, which specs, --set and sweeps can still use. Their values are moved to the
// key that replaced them before anything else reads the document. The next version removes this file.
//
// There is one such key: measure.tables replaced seven switches of [measure], such as `fairness = true`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/document.h"
#include "headway/spec/overrides.h"
#include "headway/spec/sweep_axes.h"

namespace headway {

class EarlierKeys {
 public:
  // Each function replaces the earlier keys in its argument. The sweep must be last, because its values add
  // to `document`.
  void replace(Document& document, Mistakes& mistakes);
  void replace(SweepAxes& axes, const Document& document, Mistakes& mistakes);
  // The current name of the key that an override sets.
  static std::string key_now(const std::string& key);

  // Lists the earlier keys that were found and their replacement; empty if there were none.
  std::string note() const;

 private:
  void found(std::string key, const std::string& where);

  struct Found {
    std::string key;
    std::string where;
  };
  std::vector<Found> found_;
  std::string now_;  // the same settings, written with the current key
};

}  // namespace headway
