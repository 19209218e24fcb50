// SPDX-License-Identifier: Apache-2.0
// What fuzzing does with bytes: read them as a spec file as far as that goes. Anything but a document or a
// SpecError escapes as a crash.
#pragma once

#include <string_view>

#include "headway/base/error.h"
#include "headway/base/toml.h"
#include "headway/experiment/read_spec.h"
#include "headway/experiment/write_spec.h"

namespace headway {

// Whether the bytes are a valid spec of a small network.
inline bool read_bytes(std::string_view bytes) {
  constexpr std::int64_t kLargest = 256;  // nodes that are worth a check while fuzzing
  try {
    const Document document = parse_toml(bytes, "fuzz");
    Mistakes mistakes;
    const Spec spec = read_spec(document, {}, mistakes).spec;
    write_toml(document);
    write_toml(resolved(spec));
    if (!mistakes.empty() || spec.network.topology->nodes() > kLargest) return false;
    check(spec, mistakes);
    return mistakes.empty();
  } catch (const SpecError&) {
    return false;
  }
}

}  // namespace headway
