// SPDX-License-Identifier: Apache-2.0
// The key of a run: the hash of everything that determines its result. This is the resolved spec of its point
// with its seed, in which the content of each file replaces its name; the version of the model; the names of
// all metrics; and the search, if the result is not that of a single run. The place of a run in a sweep is
// not included, so experiments that share a run share its result. Names of files and observe.keep are not
// included because they change no result.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/spec/saturation_search.h"

namespace headway {

// The part of the key that does not depend on the seed. `content` is that of the point (StoredPoint).
std::uint64_t key_of_point(std::uint64_t content, const std::optional<SaturationSearch>& search);

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed);

}  // namespace headway
