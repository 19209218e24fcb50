// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "headway/config/limits.h"
#include "headway/programs/compiled_program.h"
#include "headway/programs/precedence.h"
#include "headway/programs/switch_tree.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headway {
namespace {

constexpr std::size_t kMostReported = 10;

// A message of a pair of ranks is identified by sender, receiver and tag, and its place in their order. In
// words, because millions of them are sorted.
struct End {
  std::uint64_t ranks;   // sender, receiver
  std::uint64_t number;  // tag, operation

  End(std::uint32_t sender, std::uint32_t receiver, std::uint32_t tag, std::uint32_t op)
      : ranks((std::uint64_t{sender} << 32U) | receiver), number((std::uint64_t{tag} << 32U) | op) {}

  std::uint32_t sender() const { return static_cast<std::uint32_t>(ranks >> 32U); }
  std::uint32_t receiver() const { return static_cast<std::uint32_t>(ranks); }
  std::uint32_t tag() const { return static_cast<std::uint32_t>(number >> 32U); }
  std::uint32_t op() const { return static_cast<std::uint32_t>(number); }
  auto key() const { return std::pair(ranks, tag()); }
  auto operator<=>(const End&) const = default;
};

// The C library keeps lists that were freed for itself. Choice: for a million operations or more, because it
// looks through all that is free.
void give_back_memory([[maybe_unused]] const Program& program) {
#ifdef __GLIBC__
  constexpr std::uint32_t kMany = 1 << 20;
  if (program.size() >= kMany) malloc_trim(0);
#endif
}

// The receives of a program before its messages are matched, when `partner` is the sender.
class ReceivesBySender {
 public:
  explicit ReceivesBySender(const Program& program) : ranks_(program.ranks()), first_(ranks_ + 2) {
    for (std::uint32_t op = 0; op < program.size(); ++op)
      if (const ProgramOp it = program.ops[op]; it.kind == ProgramOpKind::receive) ++first_[sender_of(it)];
    std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
    ops_.resize(first_.back());
    for (std::uint32_t op = program.size(); op-- > 0;)
      if (const ProgramOp it = program.ops[op]; it.kind == ProgramOpKind::receive)
        ops_[--first_[sender_of(it)]] = op;
  }

  // Ascending. For the sender behind the last rank: those from senders that do not exist.
  std::span<const std::uint32_t> of(std::uint32_t sender) const {
    return std::span(ops_).subspan(first_[sender], first_[sender + 1] - first_[sender]);
  }

 private:
  std::uint32_t sender_of(const ProgramOp& receive) const { return std::min(receive.partner, ranks_); }

  std::uint32_t ranks_;
  std::vector<std::uint32_t> first_;  // [sender], and the number of all
  std::vector<std::uint32_t> ops_;
};

}  // namespace

ProgramBuilder::ProgramBuilder(std::uint32_t ranks, std::uint64_t memory, Form form)
    : most_(std::min(limits::kStoredOps, memory / kBytesPerOp)),
      most_requirements_(std::min<std::uint64_t>(4 * most_, UINT32_MAX)),
      form_(form),
      ranks_(ranks),
      counts_(form == Form::alike ? 1 : ranks),
      part_counts_(counts_.size()) {}

void ProgramBuilder::refuse_size() const {
  throw SpecError("program", "has too many operations, or too many requirements between them",
                  fmt::format("at most {} operations{}", most_,
                              most_ < limits::kStoredOps ? " in the memory of this machine" : ""));
}

SwitchTree ProgramBuilder::tree_of(std::span<const std::uint32_t> ranks) const {
  return trees_ == nullptr ? star(static_cast<std::uint32_t>(ranks.size())) : trees_->tree_of(ranks);
}

std::uint32_t ProgramBuilder::aggregator_of(SwitchId sw) {
  const auto found = std::ranges::find(aggregators_, sw);
  const auto rank = ranks_ + static_cast<std::uint32_t>(found - aggregators_.begin());
  if (found != aggregators_.end()) return rank;
  aggregators_.push_back(sw);
  counts_.push_back(0);
  part_counts_.push_back(0);
  return rank;
}

std::uint32_t ProgramBuilder::add(std::uint32_t rank, ProgramOp op, std::uint32_t tag) {
  const std::uint32_t list = op.first_dependent = list_of(rank);
  if (ops_.size() >= most_) refuse_size();
  ops_.push_back(op);
  tags_.push_back(tag);
  return counts_[list]++ - part_counts_[list];
}

std::uint32_t ProgramBuilder::compute(std::uint32_t rank, std::uint64_t picoseconds, std::uint8_t cpu,
                                      std::uint32_t place) {
  return add(rank, {.amount = picoseconds, .place = place, .kind = ProgramOpKind::compute, .cpu = cpu});
}

std::uint32_t ProgramBuilder::send(std::uint32_t rank, std::uint32_t to, std::uint64_t bytes,
                                   std::uint32_t tag, std::uint8_t cpu, std::uint32_t place) {
  if (form_ == Form::alike) throw NeedsEveryRank();
  return add(rank, {.amount = bytes, .partner = to, .place = place, .kind = ProgramOpKind::send, .cpu = cpu},
             tag);
}

std::uint32_t ProgramBuilder::receive(std::uint32_t rank, std::uint32_t from, std::uint64_t bytes,
                                      std::uint32_t tag, std::uint8_t cpu, std::uint32_t place) {
  if (form_ == Form::alike) throw NeedsEveryRank();
  return add(rank,
             {.amount = bytes, .partner = from, .place = place, .kind = ProgramOpKind::receive, .cpu = cpu},
             tag);
}

std::uint32_t ProgramBuilder::add_rule(std::shared_ptr<const ProgramRule> rule,
                                       const std::optional<RankPartition>& partition) {
  // Choice: of the last ones, because the layers of a step follow each other.
  constexpr std::size_t kRemembered = 8;
  for (std::size_t back = 1; partition && back <= std::min(kRemembered, rules_.size()); ++back)
    if (const std::size_t number = rules_.size() - back;
        partitions_[number] == partition && rules_[number]->is_like(*rule))
      return static_cast<std::uint32_t>(number);
  rules_.push_back(std::move(rule));
  partitions_.push_back(partition);
  return static_cast<std::uint32_t>(rules_.size() - 1);
}

std::uint32_t ProgramBuilder::member(std::uint32_t rank, std::uint32_t rule, std::uint32_t member,
                                     std::uint8_t cpu) {
  members_.resize(counts_.size());
  const std::uint32_t list = list_of(rank);
  members_[list].emplace_back(counts_[list], rule);
  return add(rank, {.amount = member, .partner = rule, .kind = ProgramOpKind::rule, .cpu = cpu});
}

// None: it is a single operation.
const ProgramRule* ProgramBuilder::rule_of(std::uint32_t rank, std::uint32_t op) const {
  if (members_.empty()) return nullptr;
  const auto found = std::ranges::lower_bound(members_[rank], std::pair(op, std::uint32_t{0}));
  return found == members_[rank].end() || found->first != op ? nullptr : rules_[found->second].get();
}

std::uint32_t ProgramBuilder::compute_after(std::uint32_t rank, std::uint32_t op, std::uint64_t picoseconds,
                                            std::uint8_t cpu) {
  if (picoseconds == 0) return op;
  const std::uint32_t after = compute(rank, picoseconds, cpu);
  require(rank, after, op);
  return after;
}

void ProgramBuilder::require(std::uint32_t rank, std::uint32_t op, std::uint32_t needed, bool on_start) {
  const std::uint32_t list = list_of(rank), before = part_counts_[list];
  add_requirement(list, {before + op, (before + needed) | (on_start ? Dependent::kOnStart : 0)});
}

void ProgramBuilder::add_requirement(std::uint32_t list, const Requirement& requirement) {
  if (requirements_.size() >= most_requirements_) refuse_size();
  if (requirement_runs_.size() == part_runs_ || requirement_runs_.back().rank != list)
    requirement_runs_.push_back({list, static_cast<std::uint32_t>(requirements_.size())});
  requirements_.push_back(requirement);
}

void ProgramBuilder::span(std::uint32_t rank, std::uint32_t first, std::uint32_t last) {
  const std::uint32_t list = list_of(rank);
  spans_.push_back({list, part_counts_[list] + first, part_counts_[list] + last});
}

void ProgramBuilder::end_part() {
  part_ends_.resize(counts_.size());
  std::vector<std::size_t> first(counts_.size() + 1);  // [rank] of its flags
  for (std::size_t rank = 0; rank < counts_.size(); ++rank)
    first[rank + 1] = first[rank] + counts_[rank] - part_counts_[rank];
  std::vector<bool> waits(first.back()), is_awaited(first.back());
  for_each_requirement(part_runs_, [&](std::uint32_t rank, const Requirement& it) {
    const Dependent needed{it.needed};
    waits[first[rank] + it.op - part_counts_[rank]] = true;
    if (!needed.on_start()) is_awaited[first[rank] + needed.op() - part_counts_[rank]] = true;
  });
  for (std::uint32_t rank = 0; rank < counts_.size(); ++rank) {
    const std::uint32_t begin = part_counts_[rank], end = counts_[rank];
    if (begin == end) continue;
    std::vector<std::uint32_t> begins, ends;
    for (std::uint32_t op = begin; op < end; ++op) {
      if (!waits[first[rank] + op - begin]) begins.push_back(op);
      if (!is_awaited[first[rank] + op - begin]) ends.push_back(op);
    }
    connect(rank, part_ends_[rank], begins);
    part_ends_[rank] = std::move(ends);
  }
  part_counts_ = counts_;
  part_runs_ = requirement_runs_.size();
}

// Choice: a computation of no time between several operations and several others, which takes no time,
// because its rank does nothing else then. Otherwise the requirements would be as many as the pairs.
void ProgramBuilder::connect(std::uint32_t rank, const std::vector<std::uint32_t>& before,
                             const std::vector<std::uint32_t>& after) {
  std::size_t ends = 0, begins = 0;
  for (const std::uint32_t op : before) {
    const ProgramRule* const rule = rule_of(rank, op);
    ends += rule == nullptr ? 1 : rule->tails();
  }
  for (const std::uint32_t op : after) {
    const ProgramRule* const rule = rule_of(rank, op);
    if (rule == nullptr) {
      ++begins;
      continue;
    }
    for (const NumberRange heads : rule->heads()) begins += heads.count;
  }
  if (ends > 1 && begins > 1) {
    const std::uint32_t between = part_counts_[rank] + compute(form_ == Form::alike ? kEveryRank : rank, 0);
    connect(rank, before, {between});
    return connect(rank, {between}, after);
  }
  for (const std::uint32_t op : after)
    for (const std::uint32_t needed : before) add_requirement(rank, {op, needed});
}

std::optional<Program> ProgramBuilder::take(Mistakes& mistakes, std::vector<std::uint32_t>* tags_of) {
  Program program;
  put_in_order(program);
  std::vector<std::uint32_t> tags = std::exchange(tags_, {});
  const std::size_t before = mistakes.list().size();
  match(program, tags, mistakes);
  if (tags_of != nullptr) *tags_of = std::move(tags);
  tags = {};
  give_back_memory(program);
  list_dependents(program);
  give_back_memory(program);

  for (const Span& span : spans_) {
    const std::uint32_t first = program.first_of_rank[span.rank];
    program.spans.push_back({first + span.first, first + span.last});
    program.ops.set_ends_span(first + span.last);
  }
  std::ranges::sort(program.spans, {},
                    [](const ProgramSpan& span) { return std::pair(span.last, span.first); });
  spans_ = {};
  counts_.assign(counts_.size(), 0);
  part_counts_ = counts_;
  part_runs_ = 0;
  part_ends_ = {};
  if (mistakes.list().size() != before) return std::nullopt;
  return program;
}

// Rank by rank. In place: what is swapped gets to where it belongs.
void ProgramBuilder::put_in_order(Program& program) {
  program.first_of_rank.resize(counts_.size() + 1);
  std::inclusive_scan(counts_.begin(), counts_.end(), program.first_of_rank.begin() + 1);
  std::vector<std::uint32_t> next(program.first_of_rank.begin(), program.first_of_rank.end() - 1);
  program.ops = std::exchange(ops_, {});
  ProgramOps& ops = program.ops;
  for (std::uint32_t op = 0; op < ops.size(); ++op)
    ops.set_first_dependent(op, next[ops[op].first_dependent]++);
  for (std::uint32_t op = 0; op < ops.size(); ++op)
    for (std::uint32_t to = ops[op].first_dependent; to != op; to = ops[op].first_dependent) {
      ops.swap(op, to);
      std::swap(tags_[op], tags_[to]);
    }
  ops.push_back({});
}

// By counting: `first_dependent` is at first the end of each list.
void ProgramBuilder::list_dependents(Program& program) {
  ProgramOps& ops = program.ops;
  for (std::uint32_t op = 0; op < ops.size(); ++op) ops.set_first_dependent(op, 0);
  for_each_requirement(0, [&](std::uint32_t rank, const Requirement& it) {
    const std::uint32_t op = program.first_of_rank[rank] + it.op,
                        needed = program.first_of_rank[rank] + Dependent{it.needed}.op();
    ops.set_requirements(op, ops[op].requirements + 1);
    ops.set_first_dependent(needed, ops[needed].first_dependent + 1);
  });
  std::uint32_t end = 0;
  for (std::uint32_t op = 0; op < ops.size(); ++op)
    ops.set_first_dependent(op, end += ops[op].first_dependent);
  program.dependents.resize(end);
  for (; !requirement_runs_.empty(); requirement_runs_.pop_back()) {
    const auto [rank, first] = requirement_runs_.back();
    for (; requirements_.size() > first; requirements_.pop_back()) {
      const Requirement it = requirements_.back();
      const std::uint32_t needed = program.first_of_rank[rank] + Dependent{it.needed}.op();
      const std::uint32_t place = ops[needed].first_dependent - 1;
      ops.set_first_dependent(needed, place);
      program.dependents[place] = {it.op | (it.needed & Dependent::kOnStart)};
    }
  }
  for (std::uint32_t op = 0; op < program.size(); ++op) {
    const auto begin = program.dependents.begin() + ops[op].first_dependent;
    std::sort(begin, program.dependents.begin() + ops[op + 1].first_dependent,
              [](Dependent a, Dependent b) { return std::pair(a.op(), a.word) < std::pair(b.op(), b.word); });
  }
}

std::optional<CompiledProgram> ProgramBuilder::take_compiled(Mistakes& mistakes) {
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < members_.size(); ++rank) {
    std::uint64_t of_rank = counts_[rank];
    for (const auto& [op, rule] : members_[rank]) of_rank += rules_[rule]->operations();
    operations += of_rank * alike_ranks();
    if (of_rank > limits::kStoredOps || operations > limits::kProgramOps)
      throw SpecError(
          "program", "has too many operations",
          fmt::format("at most {} of a rank, and {} of a job", limits::kStoredOps, limits::kProgramOps));
  }
  members_ = {};
  std::optional<Program> program = take(mistakes);
  if (!program) return std::nullopt;
  std::vector<PlacedRule> rules;
  for (std::size_t rule = 0; rule < rules_.size(); ++rule)
    rules.push_back({std::move(rules_[rule]), partitions_[rule]});
  rules_ = {};
  partitions_ = {};
  return CompiledProgram(*std::move(program), std::move(rules),
                         ranks_ + static_cast<std::uint32_t>(aggregators_.size()));
}

// Sender by sender. `partner` is at first the other rank.
void ProgramBuilder::match(Program& program, const std::vector<std::uint32_t>& tags, Mistakes& mistakes) {
  const ReceivesBySender receives_by_sender(program);
  std::size_t faults = 0;
  const auto report = [&](std::uint32_t op, const std::string& what) {
    if (++faults > kMostReported) return;
    const std::uint32_t place = program.ops[op].place;
    mistakes.add("program",
                 fmt::format("operation {} of rank {}{}: {}", program.number_in_rank(op), program.rank_of(op),
                             place == 0 ? "" : fmt::format(" (line {})", place), what));
  };
  const auto alone = [&](const End& end, std::string_view kind, std::string_view other) {
    report(end.op(),
           fmt::format("this {} {} rank {} with tag {} has no {}", kind, kind == "send" ? "to" : "from",
                       kind == "send" ? end.receiver() : end.sender(), end.tag(), other));
  };
  std::vector<End> sends, receives;
  for (std::uint32_t sender = 0; sender <= program.ranks(); ++sender) {
    sends.clear();
    receives.clear();
    for (std::uint32_t op = program.first_of_rank[sender];
         sender < program.ranks() && op < program.first_of_rank[sender + 1]; ++op)
      if (const ProgramOp it = program.ops[op]; it.kind == ProgramOpKind::send)
        sends.emplace_back(sender, it.partner, tags[op], op);
    for (const std::uint32_t op : receives_by_sender.of(sender))
      receives.emplace_back(program.ops[op].partner, program.rank_of(op), tags[op], op);
    std::ranges::sort(sends);
    std::ranges::sort(receives);
    auto send = sends.begin();
    auto receive = receives.begin();
    while (send != sends.end() || receive != receives.end()) {
      if (receive == receives.end() || (send != sends.end() && send->key() < receive->key())) {
        alone(*send++, "send", "receive");
      } else if (send == sends.end() || receive->key() < send->key()) {
        alone(*receive++, "receive", "send");
      } else {
        program.ops.set_partner(send->op(), receive->op());
        program.ops.set_partner(receive->op(), send->op());
        if (const std::uint64_t room = program.ops[receive->op()].amount,
            bytes = program.ops[send->op()].amount;
            room < bytes)
          report(receive->op(), fmt::format("a receive of {} B for a message of {} B", room, bytes));
        ++send, ++receive;
      }
    }
  }
  if (faults > kMostReported)
    mistakes.add("program", fmt::format("{} more operations have such mistakes", faults - kMostReported));
}

std::string text_of_op(const Program& program, std::uint32_t op) {
  const ProgramOp it = program.ops[op];
  const std::string what =
      it.kind == ProgramOpKind::compute
          ? fmt::format("compute {} ps", it.amount)
          : fmt::format("{} {} B {} rank {}", it.kind == ProgramOpKind::send ? "send" : "receive", it.amount,
                        it.kind == ProgramOpKind::send ? "to" : "from", program.rank_of(it.partner));
  return fmt::format("operation {} of rank {} ({}{})", program.number_in_rank(op), program.rank_of(op),
                     it.place == 0 ? "" : fmt::format("line {}: ", it.place), what);
}

void report_cycle(const Program& program, std::uint64_t rendezvous, Mistakes& mistakes) {
  const Precedence precedence(program, rendezvous);
  const std::vector<std::uint32_t> open = precedence.visit_in_order([](std::uint64_t, std::uint64_t) {});
  const auto left = std::ranges::find_if(open, [](std::uint32_t o) { return o != 0; });
  if (left == open.end()) return;

  // Every vertex that is left has a predecessor that is left: walk backwards until a vertex comes again.
  std::vector<std::uint64_t> before(open.size(), UINT64_MAX);
  for (std::uint64_t vertex = 0; vertex < open.size(); ++vertex)
    if (open[vertex] != 0)
      precedence.for_each_after(vertex, [&](std::uint64_t next) {
        if (open[next] != 0) before[next] = vertex;
      });
  auto at = static_cast<std::uint64_t>(left - open.begin());
  std::vector<bool> seen(open.size());
  while (!seen[at]) {
    seen[at] = true;
    at = before[at];
  }
  std::vector<std::uint32_t> cycle;
  for (std::uint64_t vertex = at;;) {
    const std::uint32_t op = Precedence::op_of(vertex);
    if (cycle.empty() || cycle.back() != op) cycle.push_back(op);
    vertex = before[vertex];
    if (vertex == at) break;
  }
  if (cycle.size() > 1 && cycle.front() == cycle.back()) cycle.pop_back();
  std::string text;
  for (std::size_t i = 0; i < cycle.size() && i < kMostReported; ++i)
    text += (i == 0 ? "" : ", which waits for ") + text_of_op(program, cycle[i]);
  if (cycle.size() > kMostReported) text += fmt::format(", and so on through {} operations", cycle.size());
  mistakes.add(
      "program",
      fmt::format("operations wait for each other in a cycle: {}, which waits for the first one", text));
}

void Steps::next() {
  if (current_.empty()) return;
  previous_.swap(current_);
  current_.clear();
}

void Steps::add(std::uint32_t op) {
  for (const std::uint32_t needed : previous_) builder_->require(rank_, op, needed);
  current_.push_back(op);
}

void Steps::compute(std::uint64_t picoseconds) {
  if (picoseconds > 0) add(builder_->compute(rank_, picoseconds, cpu_));
}
void Steps::send(std::uint32_t to, std::uint64_t bytes, std::uint32_t tag) {
  add(builder_->send(rank_, to, bytes, tag, cpu_));
}
void Steps::receive(std::uint32_t from, std::uint64_t bytes, std::uint32_t tag) {
  add(builder_->receive(rank_, from, bytes, tag, cpu_));
}

void Steps::member(std::uint32_t rule, std::uint32_t number) {
  add(builder_->member(rank_, rule, number, cpu_));
  next();
}

// The next step waits for the computation instead of the operation before it, which is complete by then.
void Steps::then_compute(std::uint64_t picoseconds) {
  if (picoseconds > 0) current_.back() = builder_->compute_after(rank_, current_.back(), picoseconds, cpu_);
}

void Steps::join(std::span<const Steps> others) {
  std::vector<std::uint32_t> last;
  for (const Steps& other : others) last.insert(last.end(), other.last().begin(), other.last().end());
  wait_for(std::move(last));
}
void Steps::join(const Steps& other) {
  std::vector<std::uint32_t> last(this->last().begin(), this->last().end());
  last.insert(last.end(), other.last().begin(), other.last().end());
  wait_for(std::move(last));
}

void Steps::wait_for(std::vector<std::uint32_t> last) {
  std::ranges::sort(last);
  last.erase(std::unique(last.begin(), last.end()), last.end());
  previous_ = std::move(last);
  current_.clear();
}

void Steps::follow(std::uint32_t op) {
  previous_ = {op};
  current_.clear();
}

}  // namespace headway
