// SPDX-License-Identifier: Apache-2.0
// Keys of the version before this one. Specs, --set and sweeps may still have them: what they say is put into
// the key that took their place before anything else reads it. The next version removes this file.
//
// Now there is one such key: measure.tables took the place of seven switches of [measure], such as
// `fairness = true`.
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
  // Each replaces the earlier keys of what it gets. The sweep comes last: its values add to `document`.
  void replace(Document& document, Mistakes& mistakes);
  void replace(SweepAxes& axes, const Document& document, Mistakes& mistakes);
  // The key that an override sets now.
  static std::string key_now(const std::string& key);

  // Which earlier keys there were, and what to write instead; empty if there were none.
  std::string note() const;

 private:
  void found(std::string key, const std::string& where);

  struct Found {
    std::string key;
    std::string where;
  };
  std::vector<Found> found_;
  std::string now_;  // what says the same
};

}  // namespace headway
