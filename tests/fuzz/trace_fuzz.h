// SPDX-License-Identifier: Apache-2.0
// What fuzzing does with bytes: read them as a trace of every format to its end, twice: stopping at the first
// bad record, and passing over bad ones. Anything but records or a TraceError escapes as a crash.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/trace_bytes.h"

namespace headway {

inline void read_trace_bytes(std::string_view bytes) {
  for (const std::string_view format : test::file_formats()) {
    test::file_format(format)->recognises(bytes);
    for (const bool skip_bad : {false, true}) try {
        const auto reader = test::reader_of(format, std::string(bytes), skip_bad);
        while (reader->next()) {
        }
      } catch (const TraceError&) {
      }
  }
}

}  // namespace headway
