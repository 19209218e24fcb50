// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/program_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "headway/programs/builder.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

// Text on its way to the sink, in larger pieces.
class Written {
 public:
  explicit Written(ByteSink& sink) : sink_(sink) {}
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    constexpr std::size_t kEnough = 1 << 16;
    if (text_.size() >= kEnough) flush();
  }
  void close() {
    flush();
    sink_.close();
  }

 private:
  void flush() {
    sink_.write(text_);
    text_.clear();
  }
  ByteSink& sink_;
  std::string text_;
};

// The requirements of one rank: `op` requires `needed`; numbers within the rank.
struct Needed {
  std::uint32_t op, needed;
  bool on_start;
};

std::vector<Needed> needed_in(const Program& program, std::uint32_t rank) {
  const std::uint32_t first = program.first_of_rank[rank];
  std::vector<Needed> all;
  for (std::uint32_t op = first; op < program.first_of_rank[rank + 1]; ++op)
    for (const Dependent dependent : program.dependents_of(op))
      all.push_back({dependent.op(), op - first, dependent.on_start()});
  return all;
}

class GoalRank {
 public:
  GoalRank(const Program& program, std::uint32_t rank) : first_(program.first_of_rank[rank]) {
    needed_ = needed_in(program, rank);
    labelled_.resize(program.first_of_rank[rank + 1] - first_);
    for (const Needed& n : needed_) labelled_[n.op] = labelled_[n.needed] = true;
    // A dependency stands below both of its operations.
    std::ranges::stable_sort(needed_, {}, [](const Needed& n) { return std::max(n.op, n.needed); });
  }
  std::string label(std::uint32_t op) const {
    return labelled_[op - first_] ? fmt::format("l{}: ", op - first_) : std::string();
  }
  // The dependencies that can follow the operation.
  void dependencies(std::uint32_t op, Written& out) {
    for (; next_ < needed_.size(); ++next_) {
      const Needed& n = needed_[next_];
      if (std::max(n.op, n.needed) != op - first_) return;
      out.put("  l{} {} l{}\n", n.op, n.on_start ? "irequires" : "requires", n.needed);
    }
  }

 private:
  std::uint32_t first_;
  std::vector<Needed> needed_;
  std::vector<bool> labelled_;
  std::size_t next_ = 0;
};

}  // namespace

std::string write_goal(const Program& program, const std::vector<std::uint32_t>& tags, ByteSink& sink) {
  constexpr std::uint64_t kNs = 1000;
  bool whole = true;
  for (std::uint32_t i = 0; i < program.size(); ++i)
    if (const ProgramOp op = program.ops[i]; op.kind == ProgramOpKind::compute) whole &= op.amount % kNs == 0;
  Written out(sink);
  if (!whole) out.put("// calc_unit = \"1 ps\"\n");
  out.put("num_ranks {}\n", program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    out.put("rank {} {{\n", rank);
    GoalRank labels(program, rank);
    for (std::uint32_t i = program.first_of_rank[rank]; i < program.first_of_rank[rank + 1]; ++i) {
      const ProgramOp op = program.ops[i];
      if (op.kind == ProgramOpKind::compute)
        out.put("  {}calc {}", labels.label(i), whole ? op.amount / kNs : op.amount);
      else
        out.put("  {}{} {}b {} {}", labels.label(i), op.kind == ProgramOpKind::send ? "send" : "recv",
                op.amount, op.kind == ProgramOpKind::send ? "to" : "from", program.rank_of(op.partner));
      if (op.kind != ProgramOpKind::compute && tags[i] != 0) out.put(" tag {}", tags[i]);
      if (op.cpu != 0) out.put(" cpu {}", op.cpu);
      out.put("\n");
      labels.dependencies(i, out);
    }
    out.put("}}\n");
  }
  out.close();
  return whole ? "1 ns" : "1 ps";
}

std::optional<std::string> not_in_csv(const Program& program) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (std::uint32_t op = program.first_of_rank[rank]; op < program.first_of_rank[rank + 1]; ++op)
      for (const Dependent dependent : program.dependents_of(op))
        if (const std::uint32_t later = program.first_of_rank[rank] + dependent.op(); later <= op)
          return fmt::format("{} requires {}, which is not an earlier one", text_of_op(program, later),
                             text_of_op(program, op));
  return std::nullopt;
}

void write_operations_csv(const Program& program, const std::vector<std::uint32_t>& tags, ByteSink& sink) {
  Written out(sink);
  out.put("rank,kind,peer,bytes,time_ns,tag,cpu,after\n");
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    std::vector<Needed> needed = needed_in(program, rank);
    std::ranges::stable_sort(needed, {}, &Needed::op);
    auto next = needed.begin();
    const std::uint32_t first = program.first_of_rank[rank];
    for (std::uint32_t i = first; i < program.first_of_rank[rank + 1]; ++i) {
      const ProgramOp op = program.ops[i];
      if (op.kind == ProgramOpKind::compute)
        out.put("{},compute,,,{},,{},", rank, decimal_ns(static_cast<TraceTime>(op.amount)), op.cpu);
      else
        out.put("{},{},{},{},,{},{},", rank, op.kind == ProgramOpKind::send ? "send" : "receive",
                program.rank_of(op.partner), op.amount, tags[i], op.cpu);
      for (std::string_view blank; next != needed.end() && next->op == i - first; ++next, blank = " ")
        out.put("{}{}{}", blank, next->on_start ? "~" : "", next->needed);
      out.put("\n");
    }
  }
  out.close();
}

}  // namespace headway
