// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/program_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "headway/base/plural.h"
#include "headway/base/units.h"
#include "headway/programs/precedence.h"
#include "headway/trace/record.h"

namespace headway {
namespace {

// Operations of the longest chain in which each waits for the one before.
std::uint64_t depth_of(const Program& program) {
  std::vector<std::uint32_t> depth(std::size_t{program.size()} * 2);  // [vertex] operations before it
  Precedence(program).visit_in_order([&](std::uint64_t vertex, std::uint64_t next) {
    std::uint32_t more = 0;
    if (Precedence::is_start(vertex)) {
      const bool is_other = Precedence::op_of(next) != Precedence::op_of(vertex);
      more = is_other && !Precedence::is_start(next) ? 2 : 1;  // a send, and the receive that then completes
    }
    depth[next] = std::max(depth[next], depth[vertex] + more);
  });
  return depth.empty() ? 0 : std::ranges::max(depth);
}

std::string digits_of(Wide number) {
  constexpr std::uint64_t kPart = 1'000'000'000'000'000'000;
  const auto low = static_cast<std::uint64_t>(number % kPart);
  return number < kPart ? fmt::format("{}", low) : fmt::format("{}{:018}", digits_of(number / kPart), low);
}

std::string bytes_text(Wide bytes) {
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return bytes <= kMost ? to_string(Bytes{static_cast<std::int64_t>(bytes)}) : digits_of(bytes) + " B";
}

}  // namespace

ProgramSummary summary_of(const Program& program) {
  ProgramSummary summary;
  summary.ranks = program.ranks();
  summary.requirements = program.dependents.size();
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const std::uint32_t first = program.first_of_rank[rank], end = program.first_of_rank[rank + 1];
    if (end - first > summary.operations_of_largest) {
      summary.largest_rank = rank;
      summary.operations_of_largest = end - first;
    }
    for (std::uint32_t i = first; i < end; ++i) {
      const ProgramOp op = program.ops[i];
      summary.cpus = std::max<std::uint32_t>(summary.cpus, op.cpu + 1U);
      if (op.kind == ProgramOpKind::compute) {
        ++summary.computes;
        summary.compute_ps += static_cast<double>(op.amount);
      } else if (op.kind == ProgramOpKind::receive) {
        ++summary.receives;
      } else {
        ++summary.sends;
        summary.bytes += op.amount;
        summary.own_messages += program.is_of(rank, op.partner) ? 1 : 0;
        ProgramSummary::SizeClass& size = summary.sizes[std::bit_floor(op.amount)];
        ++size.messages;
        size.bytes += op.amount;
      }
    }
  }
  summary.depth = depth_of(program);
  return summary;
}

std::string summary_page(const ProgramSummary& summary, std::string_view kind) {
  std::string page;
  const auto line = [&](std::string_view name, const std::string& value) {
    page += fmt::format("{:<14}{}\n", name, value);
  };
  line("program", std::string(kind));
  line("ranks", fmt::format("{}", summary.ranks));
  line("operations", fmt::format("{}: {}, {}, {}", summary.sends + summary.receives + summary.computes,
                                 plural(summary.sends, "send"), plural(summary.receives, "receive"),
                                 plural(summary.computes, "compute")));
  line("requirements", fmt::format("{}", summary.requirements));
  line("bytes", bytes_text(summary.bytes));
  if (summary.own_messages > 0) line("to itself", plural(summary.own_messages, "message"));
  line("compute time",
       fmt::format("{:.9g} us in total", summary.compute_ps / static_cast<double>(kMicrosecond)));
  line("CPUs", fmt::format("{} per rank at most", summary.cpus));
  line("largest rank",
       fmt::format("{}, with {}", summary.largest_rank, plural(summary.operations_of_largest, "operation")));
  line("longest chain", plural(summary.depth, "operation"));
  std::size_t width = 16;
  for (const auto& [from, size] : summary.sizes) width = std::max(width, digits_of(size.bytes).size() + 2);
  if (!summary.sizes.empty())
    page += fmt::format("\n{:>12}{:>14}{:>{}}\n", "message size", "messages", "bytes", width);
  for (const auto& [from, size] : summary.sizes)
    page += fmt::format("{:>12}{:>14}{:>{}}\n", from <= 1 ? bytes_text(from) : "from " + bytes_text(from),
                        size.messages, digits_of(size.bytes), width);
  return page;
}

}  // namespace headway
