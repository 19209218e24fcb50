// SPDX-License-Identifier: Apache-2.0
// A program as jobs run it: it makes the operations of a rank when their turn comes, from stored operations
// and from rules. It is compiled once and shared by the jobs that run it. Constant.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "headway/programs/program.h"
#include "headway/programs/rule.h"

namespace headway {

// A rule and where its members are. With a partition, each group of it has the rule, and there is no list.
struct PlacedRule {
  std::shared_ptr<const ProgramRule> rule;
  std::optional<RankPartition> partition;
  std::vector<RuleMember> members = {};
  std::uint32_t uses = 1;  // so often its members go through it; only with a partition more than once
};

class CompiledProgram {
 public:
  explicit CompiledProgram(Program stored) : CompiledProgram(std::move(stored), {}, std::nullopt) {}
  // `stored` has an element of kind `rule` where the operations of a member of a rule are; dependents of
  // elements are elements. It has the elements of every rank or, if all ranks are alike, of one.
  CompiledProgram(Program stored, std::vector<PlacedRule> rules, std::optional<std::uint32_t> ranks);
  static CompiledProgram without_operations(std::uint32_t ranks);

  double bus_bytes = 0;           // ProgramKind::bus_bytes
  std::uint32_t aggregators = 0;  // of switches; they are the last ranks

  std::uint32_t ranks() const { return ranks_; }  // with aggregators
  bool is_aggregator(std::uint32_t rank) const { return rank >= ranks_ - aggregators; }
  std::uint64_t operations() const { return operations_; }
  std::uint32_t operations(std::uint32_t rank) const { return of_list_[list_of(rank)].operations; }
  std::uint32_t cpus(std::uint32_t rank) const { return of_list_[list_of(rank)].cpus; }
  // Makes operations of a rank, from `first` on.
  void make(std::uint32_t rank, std::uint32_t first, std::span<RankOp> operations) const;
  RankOp operation(OpOfRank at) const {
    RankOp made;
    make(at.rank, at.number, {&made, 1});
    return made;
  }
  // An entry of the list of dependents, for those that are not consecutive; they ascend.
  Dependent dependent(std::uint32_t i) const { return stored_.dependents[i]; }
  // Calls visit(number) for the operations of a rank that are ready at once, ascending.
  template <class Visit>
  void for_each_first(std::uint32_t rank, Visit&& visit) const {
    for (std::uint32_t at = begin_of(rank); at < end_of(rank); ++at) {
      const ProgramOp it = stored_.ops[at];
      if (it.requirements > 0) continue;
      const std::uint32_t number = number_of(rank, at);
      if (it.kind != ProgramOpKind::rule) {
        visit(number);
        continue;
      }
      for (const NumberRange heads : rule_of(it).heads())
        for (std::uint32_t i = 0; i < heads.count; ++i) visit(number + heads.first + i);
    }
  }
  // Calls visit(number, operation) for the operations of a rank until it returns true. Returns whether it
  // did.
  template <class Visit>
  bool any_of(std::uint32_t rank, Visit&& visit) const {
    std::array<RankOp, 64> made;
    const std::uint32_t all = operations(rank);
    for (std::uint32_t first = 0; first < all; first += 64) {
      const std::uint32_t count = std::min<std::uint32_t>(64, all - first);
      make(rank, first, std::span(made).first(count));
      for (std::uint32_t i = 0; i < count; ++i)
        if (visit(first + i, made[i])) return true;
    }
    return false;
  }

  // Spans, as numbers within the rank. Calls visit(first) for those that end with an operation.
  bool has_spans() const { return !stored_.spans.empty(); }
  template <class Visit>
  void for_each_span(OpOfRank last, Visit&& visit) const {
    const std::uint32_t element = element_of(last.rank, last.number);
    for (auto span = std::ranges::lower_bound(stored_.spans, element, {}, &ProgramSpan::last);
         span != stored_.spans.end() && span->last == element; ++span)
      visit(number_of(last.rank, span->first));
  }

  // What all operations are, without making those of rules. Calls visit(bytes, messages), which can be
  // several times for a size.
  template <class Visit>
  void for_each_size(Visit&& visit) const {
    for (std::uint32_t at = 0; at < stored_.size(); ++at)
      if (const ProgramOp it = stored_.ops[at]; it.kind == ProgramOpKind::send)
        visit(it.amount, std::uint64_t{1});
    for (const PlacedRule& placed : rules_)
      placed.rule->for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
        visit(bytes, messages * groups(placed) * placed.uses);
      });
  }
  std::uint64_t messages() const;
  // Pairs of ranks that exchange messages, at most.
  std::uint64_t pairs() const;
  RankTotals totals(std::uint32_t rank) const;
  bool sends_to_itself(std::uint32_t rank) const;  // rules never let it
  // What a rank sends to another one.
  std::uint64_t bytes_between(std::uint32_t rank, std::uint32_t peer) const;
  // Most operations of a rank, and sends of all ranks, that are open at the same time, or have got messages.
  std::uint64_t most_open(std::uint32_t rank) const { return of_list_[list_of(rank)].most_open; }
  std::uint64_t most_open_sends() const;

  // The time of its longest chain of operations, if messages never wait for each other.
  double time_ns(const MessageTime& message) const;
  // Operations and members of rules in memory.
  std::uint64_t elements() const { return stored_.size(); }

  std::uint32_t place(OpOfRank at) const;  // ProgramOp::place
  std::uint64_t bytes() const;             // of memory

 private:
  friend class ExpectedTime;
  struct Summary {
    std::uint32_t operations = 0, cpus = 0;
    std::uint64_t most_open = 0, most_open_sends = 0;
  };
  // Where the operations of a rule are in a rank.
  struct Run {
    std::uint32_t element, first, end;  // element: within the rank; first, end: numbers
  };

  // The elements of a rank are those of a list; ranks that are alike share it.
  std::uint32_t list_of(std::uint32_t rank) const { return alike_ ? 0 : rank; }
  std::uint32_t begin_of(std::uint32_t rank) const { return stored_.first_of_rank[list_of(rank)]; }
  std::uint32_t end_of(std::uint32_t rank) const { return stored_.first_of_rank[list_of(rank) + 1]; }
  std::span<const Run> runs_of(std::uint32_t rank) const {
    if (first_run_.empty()) return {};
    const std::uint32_t list = list_of(rank);
    return std::span(runs_).subspan(first_run_[list], first_run_[list + 1] - first_run_[list]);
  }
  // Groups of ranks that a rule is for.
  std::uint64_t groups(const PlacedRule& placed) const {
    return placed.partition ? ranks_ / placed.partition->size : 1;
  }
  // The number of a rank among the members of the rule of one of its elements.
  std::uint32_t member_of(const ProgramOp& it, std::uint32_t rank) const {
    const auto& partition = rules_[it.partner].partition;
    return partition ? partition->member(rank) : static_cast<std::uint32_t>(it.amount);
  }
  const ProgramRule& rule_of(const ProgramOp& it) const { return *rules_[it.partner].rule; }
  // The number within the rank of the (first) operation of an element.
  std::uint32_t number_of(std::uint32_t rank, std::uint32_t element) const;
  std::uint32_t element_of(std::uint32_t rank, std::uint32_t number) const;
  void place_rules();
  void number_dependents();
  Summary summary_of(std::uint32_t list) const;
  void make_stored(std::uint32_t element, std::span<RankOp> operations) const;
  void make_by_rule(std::uint32_t rank, const Run& run, std::uint32_t first,
                    std::span<RankOp> operations) const;

  std::uint32_t ranks_;
  bool alike_;
  Program stored_;  // of every list; dependents are numbers within the rank
  std::vector<PlacedRule> rules_;
  std::vector<Run> runs_;                    // list by list, ascending
  std::vector<std::uint32_t> first_run_;     // [list], and the number of all; empty: there are no rules
  std::vector<std::uint32_t> first_number_;  // [element]; empty: there are no rules
  std::vector<Summary> of_list_;
  std::uint64_t operations_ = 0;
};

// "operation 3 of rank 5 (line 17: send of 4096 B to rank 2)". Numbers are those within the rank, from 0.
std::string text_of_op(const CompiledProgram& program, OpOfRank at);

}  // namespace headway
