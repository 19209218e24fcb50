// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/compiled_program.h"

#include <fmt/format.h>

#include <utility>

namespace headway {

CompiledProgram::CompiledProgram(Program stored, std::vector<PlacedRule> rules,
                                 std::optional<std::uint32_t> ranks)
    : ranks_(ranks.value_or(stored.ranks())),
      alike_(ranks_ != stored.ranks()),
      stored_(std::move(stored)),
      rules_(std::move(rules)) {
  for (std::uint32_t list = 0; list < stored_.ranks(); ++list) of_list_.push_back(summary_of(list));
  if (!rules_.empty()) {
    place_rules();
    number_dependents();
  }
  if (alike_)
    operations_ = std::uint64_t{ranks_} * operations(0);
  else
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) operations_ += operations(rank);
}

CompiledProgram CompiledProgram::without_operations(std::uint32_t ranks) {
  Program program;
  program.ops.push_back({});
  program.first_of_rank.resize(2);
  return {std::move(program), {}, ranks};
}

void CompiledProgram::place_rules() {
  for (PlacedRule& placed : rules_)
    if (placed.partition)
      placed.uses = 0;
    else
      placed.members.resize(placed.rule->members());
  first_run_.push_back(0);
  first_number_.resize(stored_.size());
  for (std::uint32_t list = 0; list < stored_.ranks(); ++list) {
    std::uint32_t number = 0;
    const std::uint32_t begin = stored_.first_of_rank[list], end = stored_.first_of_rank[list + 1];
    for (std::uint32_t at = begin; at < end; ++at, ++number) {
      const ProgramOp it = stored_.ops[at];
      first_number_[at] = number;
      if (it.kind != ProgramOpKind::rule) continue;
      PlacedRule& placed = rules_[it.partner];
      if (placed.partition)
        ++placed.uses;
      else
        placed.members[static_cast<std::uint32_t>(it.amount)] = {list, number};
      const std::uint32_t operations = placed.rule->operations();
      runs_.push_back({at - begin, number, number + operations});
      number += operations - 1;
    }
    of_list_[list].operations = number;
    first_run_.push_back(static_cast<std::uint32_t>(runs_.size()));
  }
}

// Dependents that are elements become operations: of a rule, its heads. An element that needs the operations
// of a rule needs its tails.
void CompiledProgram::number_dependents() {
  std::vector<Dependent> numbers;
  std::vector<std::uint32_t> requirements(stored_.ops.size());
  for (std::uint32_t list = 0; list < stored_.ranks(); ++list) {
    const std::uint32_t begin = stored_.first_of_rank[list], end = stored_.first_of_rank[list + 1];
    for (std::uint32_t at = begin; at < end; ++at) {
      const ProgramOp it = stored_.ops[at];
      const std::span<const Dependent> elements = stored_.dependents_of(at);
      const std::uint32_t waited_for = it.kind == ProgramOpKind::rule ? rule_of(it).tails() : 1;
      stored_.ops.set_first_dependent(at, static_cast<std::uint32_t>(numbers.size()));
      for (const Dependent element : elements) {
        const ProgramOp dependent = stored_.ops[begin + element.op()];
        const std::uint32_t number = number_of(list, begin + element.op());
        const std::uint32_t on_start = element.word & Dependent::kOnStart;
        requirements[begin + element.op()] += waited_for;
        if (dependent.kind != ProgramOpKind::rule) {
          numbers.push_back({number | on_start});
          continue;
        }
        for (const NumberRange heads : rule_of(dependent).heads())
          for (std::uint32_t i = 0; i < heads.count; ++i)
            numbers.push_back({(number + heads.first + i) | on_start});
      }
    }
  }
  stored_.ops.set_first_dependent(stored_.size(), static_cast<std::uint32_t>(numbers.size()));
  stored_.dependents = std::move(numbers);
  stored_.dependents.shrink_to_fit();
  for (std::uint32_t at = 0; at < requirements.size(); ++at)
    stored_.ops.set_requirements(at, requirements[at]);
}

// Elements each of which waits for the end of the one before it are a chain. Of a chain, one element is open
// at a time, so the chains bound what is open. Choice: the chains follow the first dependent that is in none.
// Dependents are still elements.
CompiledProgram::Summary CompiledProgram::summary_of(std::uint32_t list) const {
  const std::uint32_t begin = stored_.first_of_rank[list], end = stored_.first_of_rank[list + 1];
  Summary sum{.operations = end - begin};
  std::vector<bool> in_chain(end - begin);
  const auto next_of = [&](std::uint32_t at) {
    for (const Dependent dependent : stored_.dependents_of(at))
      if (!dependent.on_start() && !in_chain[dependent.op()]) return begin + dependent.op();
    return kNone;
  };
  for (std::uint32_t first = begin; first < end; ++first) {
    std::uint64_t open = 0, sends = 0;
    for (std::uint32_t at = in_chain[first - begin] ? kNone : first; at != kNone; at = next_of(at)) {
      const ProgramOp it = stored_.ops[at];
      in_chain[at - begin] = true;
      sum.cpus = std::max(sum.cpus, it.cpu + 1U);
      if (it.kind == ProgramOpKind::send || it.kind == ProgramOpKind::receive) {
        // messages come early, so that each can be open beside all others
        ++sum.most_open;
        sum.most_open_sends += it.kind == ProgramOpKind::send;
        continue;
      }
      const ProgramRule* const rule = it.kind == ProgramOpKind::rule ? &rule_of(it) : nullptr;
      open = std::max<std::uint64_t>(open, rule == nullptr ? 1 : rule->most_open());
      sends = std::max<std::uint64_t>(sends, rule == nullptr ? 0 : rule->most_open_sends());
    }
    sum.most_open += open;
    sum.most_open_sends += sends;
  }
  return sum;
}

std::uint32_t CompiledProgram::number_of(std::uint32_t rank, std::uint32_t element) const {
  return first_number_.empty() ? element - begin_of(rank) : first_number_[element];
}

std::uint32_t CompiledProgram::element_of(std::uint32_t rank, std::uint32_t number) const {
  const std::uint32_t begin = begin_of(rank);
  const std::span<const Run> runs = runs_of(rank);
  const auto after = std::ranges::upper_bound(runs, number, {}, &Run::first);
  if (after == runs.begin()) return begin + number;
  const Run& run = *std::prev(after);
  return begin + run.element + (number < run.end ? 0 : 1 + number - run.end);
}

void CompiledProgram::make(std::uint32_t rank, std::uint32_t first, std::span<RankOp> operations) const {
  const std::uint32_t begin = begin_of(rank);
  const std::span<const Run> runs = runs_of(rank);
  if (runs.empty()) return make_stored(begin + first, operations);
  auto run = std::ranges::upper_bound(runs, first, {}, &Run::end);  // the first one that ends after `first`
  while (!operations.empty()) {
    const bool is_stored = run == runs.end() || first < run->first;
    const std::uint64_t end = run == runs.end() ? UINT64_MAX : is_stored ? run->first : run->end;
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(operations.size(), end - first));
    if (is_stored)
      make_stored(element_of(rank, first), operations.first(count));
    else
      make_by_rule(rank, *run, first, operations.first(count));
    if (!is_stored && first + count == run->end) ++run;
    first += count;
    operations = operations.subspan(count);
  }
}

void CompiledProgram::make_stored(std::uint32_t element, std::span<RankOp> operations) const {
  for (RankOp& made : operations) {
    const ProgramOp it = stored_.ops[element];
    made = {.amount = it.amount,
            .first_dependent = it.first_dependent,
            .dependents = stored_.ops[element + 1].first_dependent - it.first_dependent,
            .requirements = it.requirements,
            .kind = it.kind,
            .cpu = it.cpu,
            .ends_span = it.ends_span};
    if (it.kind != ProgramOpKind::compute) {
      made.peer = stored_.rank_of(it.partner);
      made.partner = number_of(made.peer, it.partner);
    }
    ++element;
  }
}

void CompiledProgram::make_by_rule(std::uint32_t rank, const Run& run, std::uint32_t first,
                                   std::span<RankOp> operations) const {
  const std::uint32_t element = begin_of(rank) + run.element;
  const ProgramOp it = stored_.ops[element];
  const PlacedRule& placed = rules_[it.partner];
  const RankOp rest{.first_dependent = it.first_dependent,
                    .dependents = stored_.ops[element + 1].first_dependent - it.first_dependent,
                    .requirements = it.requirements,
                    .cpu = it.cpu};
  const RuleMembers members =
      placed.partition ? RuleMembers({placed.partition->first(rank), run.first}, placed.partition->stride)
                       : RuleMembers(placed.members);
  placed.rule->make(member_of(it, rank), first - run.first, members, rest, operations);
}

std::uint64_t CompiledProgram::messages() const {
  std::uint64_t sum = 0;
  for_each_size([&](std::uint64_t, std::uint64_t messages) { sum += messages; });
  return sum;
}

std::uint64_t CompiledProgram::pairs() const {
  std::uint64_t sum = 0;
  for (std::uint32_t at = 0; at < stored_.size(); ++at) sum += stored_.ops[at].kind == ProgramOpKind::send;
  for (const PlacedRule& placed : rules_)
    sum += groups(placed) * placed.rule->members() * placed.rule->peers();
  return sum;
}

RankTotals CompiledProgram::totals(std::uint32_t rank) const {
  RankTotals sum;
  for (std::uint32_t at = begin_of(rank); at < end_of(rank); ++at) {
    const ProgramOp it = stored_.ops[at];
    if (it.kind == ProgramOpKind::send) sum.sent += it.amount;
    if (it.kind == ProgramOpKind::receive) sum.received += stored_.ops[it.partner].amount;
    if (it.kind == ProgramOpKind::compute) sum.computed += static_cast<double>(it.amount);
    if (it.kind != ProgramOpKind::rule) continue;
    const RankTotals by_rule = rule_of(it).totals(member_of(it, rank));
    sum.sent += by_rule.sent;
    sum.received += by_rule.received;
    sum.computed += by_rule.computed;
  }
  return sum;
}

bool CompiledProgram::sends_to_itself(std::uint32_t rank) const {
  for (std::uint32_t at = begin_of(rank); at < end_of(rank); ++at)
    if (const ProgramOp it = stored_.ops[at];
        it.kind == ProgramOpKind::send && stored_.is_of(list_of(rank), it.partner))
      return true;
  return false;
}

std::uint64_t CompiledProgram::bytes_between(std::uint32_t rank, std::uint32_t peer) const {
  std::uint64_t sum = 0;
  for (std::uint32_t at = begin_of(rank); at < end_of(rank); ++at) {
    const ProgramOp it = stored_.ops[at];
    if (it.kind == ProgramOpKind::send && stored_.is_of(list_of(peer), it.partner)) sum += it.amount;
    if (it.kind != ProgramOpKind::rule) continue;
    const PlacedRule& placed = rules_[it.partner];
    if (placed.partition) {
      if (placed.partition->first(rank) == placed.partition->first(peer))
        sum += placed.rule->bytes_between(member_of(it, rank), placed.partition->member(peer));
      continue;
    }
    const auto found = std::ranges::find(placed.members, peer, &RuleMember::rank);
    if (found != placed.members.end())
      sum += placed.rule->bytes_between(member_of(it, rank),
                                        static_cast<std::uint32_t>(found - placed.members.begin()));
  }
  return sum;
}

std::uint64_t CompiledProgram::most_open_sends() const {
  std::uint64_t sum = 0;
  for (const Summary& list : of_list_) sum += list.most_open_sends;
  return alike_ ? sum * ranks_ : sum;
}

std::uint32_t CompiledProgram::place(OpOfRank at) const {
  return stored_.ops[element_of(at.rank, at.number)].place;
}

std::uint64_t CompiledProgram::bytes() const {
  std::uint64_t sum = stored_.ops.bytes() + stored_.dependents.size() * sizeof(Dependent) +
                      stored_.spans.size() * sizeof(ProgramSpan) + runs_.size() * sizeof(Run) +
                      (stored_.first_of_rank.size() + first_run_.size()) * sizeof(std::uint32_t) +
                      first_number_.size() * sizeof(std::uint32_t) + of_list_.size() * sizeof(Summary);
  for (const PlacedRule& placed : rules_)
    sum += placed.rule->bytes() + placed.members.size() * sizeof(RuleMember);
  return sum;
}

std::string text_of_op(const CompiledProgram& program, OpOfRank at) {
  const RankOp it = program.operation(at);
  const std::string what =
      it.kind == ProgramOpKind::compute
          ? fmt::format("compute {} ps", it.amount)
          : fmt::format("{} {} B {} rank {}", it.kind == ProgramOpKind::send ? "send" : "receive", it.amount,
                        it.kind == ProgramOpKind::send ? "to" : "from", it.peer);
  const std::uint32_t place = program.place(at);
  return fmt::format("operation {} of rank {} ({}{})", at.number, at.rank,
                     place == 0 ? "" : fmt::format("line {}: ", place), what);
}

}  // namespace headway
