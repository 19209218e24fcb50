// SPDX-License-Identifier: Apache-2.0
// The summary of a trace as a page of plain text.
#pragma once

#include <string>
#include <string_view>

#include "headway/base/units.h"
#include "headway/traces/summary.h"

namespace headway {

// A time with its unit and at most six digits: "2.5 ms".
std::string trace_time_text(TraceTime time);

// What the trace contains, and the load that it puts on links of this rate at the compression factors of the
// papers. The summary has messages. `format` is the name of the trace's format.
std::string summary_page(const TraceSummary& summary, const Rate& link, std::string_view format);

}  // namespace headway
