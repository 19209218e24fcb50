// SPDX-License-Identifier: Apache-2.0
// What other tools, standards and textbooks call the things that Headway has a name for: the only list. "Did
// you mean" and `headway explain` use it. The list names things of all folders, so it is above them, in
// catalogue/other_names.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace headway {

struct OtherNames {
  // A key with its path ("switch.lanes"), a member of a family, a metric, a named value, a command ("headway
  // run"), an option of one ("headway run --out"), or a page of the documentation ("docs/cluster.md").
  std::string_view ours;
  std::string_view others;  // with blanks between them; in small letters, without - and _
};

// A name can mean several things; the first one is the most likely.
std::span<const OtherNames> other_names();

// What the word is called here, the most likely first; "VC", "v-c" and "vc" are the same. Empty if the list
// has no such name.
std::vector<std::string_view> called_here(std::string_view word);

}  // namespace headway
