// SPDX-License-Identifier: Apache-2.0
// All trace formats, in the order in which they are listed. One line per file.
#include "headway/trace/format.h"

namespace headway {

Entry<TraceFormat> csv(), npy(), disksim(), srt(), spc(), msr(), synthetic();

Registry<TraceFormat> trace_formats() {
  static const Entry<TraceFormat> entries[] = {csv(), npy(), disksim(), srt(), spc(), msr(), synthetic()};
  return entries;
}

}  // namespace headway
