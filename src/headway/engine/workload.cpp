// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/workload.h"

#include <algorithm>

namespace headway {

FlowNumbers::FlowNumbers(const Workload& workload, std::span<const std::uint32_t> flow_of_spec) {
  for (const std::uint32_t flow : flow_of_spec) flows = std::max(flows, flow + 1);
  for (const Source& source : workload.sources) of_generator.push_back(flow_of_spec[source.flow]);
  for (std::size_t trace = 0; trace < workload.traces.size(); ++trace) of_generator.push_back(flows++);
}

}  // namespace headway
