// SPDX-License-Identifier: Apache-2.0
// The trace formats that exist, in the order they are shown. One line per file here.
#include "headway/trace/format.h"

namespace headway {

Entry<TraceFormat> csv(), disksim(), srt(), spc(), msr(), synthetic();

Registry<TraceFormat> trace_formats() {
  static const Entry<TraceFormat> entries[] = {csv(), disksim(), srt(), spc(), msr(), synthetic()};
  return entries;
}

}  // namespace headway
