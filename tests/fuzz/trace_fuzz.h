// SPDX-License-Identifier: Apache-2.0
// Reads bytes to their end as a trace of every format, twice: once stopping at the first bad record, once
// skipping bad records. Any outcome other than records or a TraceError escapes as a crash.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/trace_bytes.h"

namespace headway {

inline void read_trace_bytes(std::string_view bytes) {
  for (const std::string_view format : file_formats()) {
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
