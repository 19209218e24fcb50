// SPDX-License-Identifier: Apache-2.0
// Parts of the sentences of a conclusion (conclusion_text.h).
#pragma once

#include <string>
#include <vector>

#include "headway/run/conclusion.h"

namespace headway {

// "node 11", "node 3 and node 5" or "16 nodes"
std::string nodes_text(const std::vector<double>& nodes, const NetworkNames& names);

// What the roots of the limit are: "link", or "place" if some of them are not links.
std::string place_word(const Conclusion& conclusion);
// "this link", "these places"
std::string these_places(const Conclusion& conclusion);

// A sentence.
std::string remedy_text(const Remedy& remedy, const Conclusion& conclusion);

}  // namespace headway
