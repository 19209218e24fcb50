// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/workload.h"

#include <algorithm>

#include "headway/base/wide.h"
#include "headway/config/limits.h"

namespace headway {

FlowNumbers::FlowNumbers(const Workload& workload, std::span<const std::uint32_t> flow_of_spec) {
  for (const std::uint32_t flow : flow_of_spec) flows = std::max(flows, flow + 1);
  for (const Source& source : workload.sources) of_generator.push_back(flow_of_spec[source.flow]);
  for (std::size_t trace = 0; trace < workload.traces.size(); ++trace) of_generator.push_back(flows++);
  const std::uint32_t notifications = flows;
  if (workload.notifies) ++flows;
  for (std::size_t job = 0; job < workload.jobs.size(); ++job) of_generator.push_back(flows++);
  if (workload.notifies) of_generator.push_back(notifications);
}

// Longer turns end after the end of every run. A rank adds the turns of its CPUs, and 256 of these fit.
constexpr SignedWide kLongestTurn = limits::kTickAfterRuns;

Tick Job::turn(std::uint32_t rank, ProgramOpKind kind, std::uint64_t amount) const {
  if (kind == ProgramOpKind::compute)
    return static_cast<Tick>(
        std::min(kLongestTurn, SignedWide{amount} * picosecond.numerator / picosecond.denominator));
  if (program->is_aggregator(rank)) return 0;
  const SignedWide each = SignedWide{amount} * overhead_per_byte.numerator * overhead.denominator;
  return static_cast<Tick>(
      std::min(kLongestTurn, (SignedWide{overhead.numerator} * overhead_per_byte.denominator + each) /
                                 (SignedWide{overhead.denominator} * overhead_per_byte.denominator)));
}

}  // namespace headway
