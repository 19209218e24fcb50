// SPDX-License-Identifier: Apache-2.0
// The common part of many documents, such as the resolved specs of all points of a sweep. Documents are added
// one after the other and not kept.
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
  // The common part. Other values are those of `base`, because the defaults of a family member that only some
  // documents choose must not apply to the others. `base` can be null.
  Document result(const Document* base) const;

 private:
  // How the documents differ.
  enum class Kind { same, tables, lists, otherwise };  // lists: all of the same length

  void part();
  void look_into(const Document& document);

  std::size_t documents_ = 0;
  Document first_;
  Kind kind_ = Kind::same;
  std::vector<std::pair<std::string, Agreement>> parts_;  // members of the tables, elements of the lists
};

}  // namespace headway
