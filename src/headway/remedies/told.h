// SPDX-License-Identifier: Apache-2.0
// What runs with changes have shown, as text.
#pragma once

#include <string>
#include <vector>

#include "headway/remedies/follow.h"
#include "headway/remedies/search.h"
#include "headway/why/sentence.h"

namespace headway {

// "Followed by 3 runs: without storage 4.53 times faster; then also routing spray 5.96."
std::vector<Sentence> sentences_of(const Followed& followed, const Goal& goal);

// The table "remedies" of a result in the order of what its changes say: causes, bounds, remedies, what is
// worse, what was skipped; empty if there is none. With `all`, each change has a line of its own, with the
// options that repeat its run.
std::string page_of_remedies(const Result& result, std::size_t columns, bool all);

}  // namespace headway
