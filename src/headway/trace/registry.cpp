// SPDX-License-Identifier: Apache-2.0
// All trace formats, in the order in which they are listed: ours, then the foreign ones of traces/.
#include "headway/trace/format.h"

namespace headway {

Entry<TraceFormat> csv(), npy(), synthetic();
#define HEADWAY_ENTRY(format) Entry<TraceFormat> format();
#include "foreign_traces.inc"
#undef HEADWAY_ENTRY

Registry<TraceFormat> trace_formats() {
  static const Entry<TraceFormat> entries[] = {
      csv(),
      npy(),
      synthetic(),
#define HEADWAY_ENTRY(format) format(),
#include "foreign_traces.inc"
#undef HEADWAY_ENTRY
  };
  return entries;
}

}  // namespace headway
