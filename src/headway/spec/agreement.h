// SPDX-License-Identifier: Apache-2.0
// What many documents agree on, such as the resolved specs of all points of a sweep: looked at one after the
// other, without keeping them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/document.h"

namespace headway {

class Agreement {
 public:
  void add(const Document& document);
  // What all of them agree on, and what `base` says about the rest: defaults of a member that only some
  // documents choose must not reach the others. `base` may be null.
  Document result(const Document* base) const;

 private:
  // How the documents differ.
  enum class Kind { same, tables, lists, otherwise };  // lists: of one length

  void part();
  void look_into(const Document& document);

  std::size_t documents_ = 0;
  Document first_;
  Kind kind_ = Kind::same;
  std::vector<std::pair<std::string, Agreement>> parts_;  // members of the tables, elements of the lists
};

}  // namespace headway
