// SPDX-License-Identifier: Apache-2.0
// Converts a Spec to a Document with all defaults written: a complete record of a run, and a spec file that
// repeats it.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/config/document.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/spec.h"

namespace headway {

Document resolved(const Spec& spec);

// The value of the key `seeds`.
Document written_seeds(std::int64_t seeds, std::optional<SeedsUntil> until);

}  // namespace headway
