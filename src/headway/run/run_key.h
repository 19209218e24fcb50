// SPDX-License-Identifier: Apache-2.0
// What a run is, as a number: the hash of everything that determines its result. These are the resolved spec
// of its point with its seed, the content of the files that the spec names, the version of the model, the
// names of all metrics, and the method, if the result is not that of a single run. Where the run stands in a
// sweep is not part of it, so experiments that share a run share its result. observe.keep is no part of it
// either: it changes no result.
#pragma once

#include <cstdint>
#include <string_view>

#include "headway/base/input_file.h"
#include "headway/spec/spec.h"

namespace headway {

// Of all runs of a point, whatever their seeds. `progress` is called while large files are read.
std::uint64_t key_of_point(Spec spec, std::string_view method = {}, const InputFile::Progress& progress = {});

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed);

}  // namespace headway
