// SPDX-License-Identifier: Apache-2.0
// The key of a run: the hash of everything that determines its result. This is the resolved spec of its point
// with its seed, in which the content of each file replaces its name; the version of the model; the names of
// all metrics; and the search, if the result is not that of a single run. The place of a run in a sweep is
// not included, so experiments that share a run share its result. Names of files and observe.keep are not
// included because they change no result.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/base/input_file.h"
#include "headway/spec/saturation_search.h"
#include "headway/spec/spec.h"

namespace headway {

// The part of the key that does not depend on the seed. `progress` is called while large files are read.
std::uint64_t key_of_point(Spec spec, const std::optional<SaturationSearch>& search,
                           const InputFile::Progress& progress = {});

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed);

}  // namespace headway
