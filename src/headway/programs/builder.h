// SPDX-License-Identifier: Apache-2.0
// Builds a program: adds operations and their requirements, matches sends with receives, and finds operations
// that can never run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/base/block_vector.h"
#include "headway/base/error.h"
#include "headway/programs/program.h"

namespace headway {

class CompiledProgram;
class ProgramRule;
class SwitchTrees;
struct SwitchTree;

// A program that was begun as if all ranks were alike has named one of them.
struct NeedsEveryRank {};

class ProgramBuilder {
 public:
  enum class Form {
    stored,    // every operation
    compiled,  // rules stay rules
    alike      // and all ranks do the same, with other members of rules: the operations of one stand for all
  };
  static constexpr std::uint32_t kEveryRank =
      kNone;  // in the form `alike`, the only rank that has operations

  // `memory`: most bytes that making the program may take, roughly.
  explicit ProgramBuilder(std::uint32_t ranks, std::uint64_t memory = UINT64_MAX, Form form = Form::stored);

  std::uint32_t ranks() const { return ranks_; }
  // Operations of all ranks; a member of a rule is one.
  std::uint64_t size() const { return std::uint64_t{ops_.size()} * alike_ranks(); }
  bool takes_rules() const { return form_ != Form::stored; }
  bool takes_ranks_for_alike() const { return form_ == Form::alike; }
  // For readers of files, which learn the number of ranks from the file.
  void have_at_least(std::uint32_t ranks) {
    if (ranks <= ranks_) return;
    ranks_ = ranks;
    if (form_ == Form::alike) return;
    counts_.resize(ranks);
    part_counts_.resize(ranks);
  }

  // Where the ranks are, which must outlive the builder. Without it, all of them are at one switch.
  void use_switches(SwitchTrees* trees) { trees_ = trees; }
  // The switches that reduce and multicast for these ranks.
  SwitchTree tree_of(std::span<const std::uint32_t> ranks) const;
  // The aggregator of a switch, as a rank after the others. All groups of a program share it.
  std::uint32_t aggregator_of(SwitchId sw);
  // [aggregator] its switch.
  const std::vector<SwitchId>& aggregators() const { return aggregators_; }

  // Throws SpecError if this many operations are too many. For what needs much less text than operations.
  void expect(std::uint64_t operations) const {
    if (operations / alike_ranks() > most_) refuse_size();
  }

  // Each adds an operation after the others of its rank, and returns its number within the rank and the
  // part. Ranks can be in any order. `place`: line of a file, for messages. Throws SpecError if there are too
  // many and, in the form `alike`, NeedsEveryRank for sends, receives and a certain rank.
  std::uint32_t compute(std::uint32_t rank, std::uint64_t picoseconds, std::uint8_t cpu = 0,
                        std::uint32_t place = 0);
  std::uint32_t send(std::uint32_t rank, std::uint32_t to, std::uint64_t bytes, std::uint32_t tag = 0,
                     std::uint8_t cpu = 0, std::uint32_t place = 0);
  std::uint32_t receive(std::uint32_t rank, std::uint32_t from, std::uint64_t bytes, std::uint32_t tag = 0,
                        std::uint8_t cpu = 0, std::uint32_t place = 0);
  // Adds a rule, whose members are then added as operations; with a partition, it is one for each group, and
  // its only member stands for all. Then it can be a rule that was added before, if that is alike. Not in the
  // form `stored`.
  std::uint32_t add_rule(std::shared_ptr<const ProgramRule> rule,
                         const std::optional<RankPartition>& partition = {});
  std::uint32_t member(std::uint32_t rank, std::uint32_t rule, std::uint32_t member, std::uint8_t cpu = 0);
  // A compute of the rank after its operation `op`. Returns `op` itself, and adds nothing, if the time is 0.
  std::uint32_t compute_after(std::uint32_t rank, std::uint32_t op, std::uint64_t picoseconds,
                              std::uint8_t cpu = 0);
  // Operation `op` of a rank becomes ready when `needed`, of the same rank, is complete or, with `on_start`,
  // has started.
  void require(std::uint32_t rank, std::uint32_t op, std::uint32_t needed, bool on_start = false);

  // The time from the start of operation `first` of a rank to the completion of its operation `last` is one
  // of those whose distribution is a result.
  void span(std::uint32_t rank, std::uint32_t first, std::uint32_t last);
  // What has been added since the last call is a part of the program: at every rank, it begins when all that
  // the rank has in the parts before it is complete. The numbers of the operations of the next part begin
  // with 0, so a program need not know that it is a part.
  void end_part();

  // The program. The k-th send from a to b with a tag belongs to the k-th such receive, in the order in which
  // each rank's operations were added. Reports sends and receives without a partner, and receives that are
  // smaller than their send; there is no program then. The builder is empty afterwards. `tags` gets the tag
  // of every operation, for writers of files; a program does not need it.
  std::optional<Program> take(Mistakes& mistakes, std::vector<std::uint32_t>* tags = nullptr);
  // The same as jobs run it.
  std::optional<CompiledProgram> take_compiled(Mistakes& mistakes);

 private:
  struct Requirement {
    std::uint32_t op, needed;  // numbers within the rank; `needed` with Dependent::kOnStart
  };
  // Requirements of one rank that were added one after the other, up to the first one of the next run.
  struct RequirementRun {
    std::uint32_t rank, first;
  };

  struct Span {
    std::uint32_t rank, first, last;
  };

  // `partner` of the operation is the other rank.
  std::uint32_t add(std::uint32_t rank, ProgramOp op, std::uint32_t tag = 0);
  std::uint32_t alike_ranks() const { return form_ == Form::alike ? std::max(ranks_, 1U) : 1; }
  // Where the operations of a rank are listed.
  std::uint32_t list_of(std::uint32_t rank) const {
    if (form_ != Form::alike) return rank;
    if (rank != kEveryRank) throw NeedsEveryRank();
    return 0;
  }
  void add_requirement(std::uint32_t list, const Requirement& requirement);
  // Calls visit(list, requirement) for those from a run on.
  template <class Visit>
  void for_each_requirement(std::size_t first_run, Visit&& visit) const {
    for (std::size_t run = first_run; run < requirement_runs_.size(); ++run) {
      const std::size_t end =
          run + 1 < requirement_runs_.size() ? requirement_runs_[run + 1].first : requirements_.size();
      for (std::size_t i = requirement_runs_[run].first; i < end; ++i)
        visit(requirement_runs_[run].rank, requirements_[i]);
    }
  }
  void connect(std::uint32_t rank, const std::vector<std::uint32_t>& before,
               const std::vector<std::uint32_t>& after);
  const ProgramRule* rule_of(std::uint32_t rank, std::uint32_t op) const;
  // Each part of `take` frees what it has used, because the operations may fill the memory.
  void put_in_order(Program& program);
  static void match(Program& program, const std::vector<std::uint32_t>& tags, Mistakes& mistakes);
  void list_dependents(Program& program);

  SwitchTrees* trees_ = nullptr;
  std::vector<SwitchId> aggregators_;

  // With two requirements that are runs of their own: 74 while the messages of a rank that sends all are
  // matched.
  static constexpr std::uint64_t kBytesPerOp = 80;
  [[noreturn]] void refuse_size() const;

  std::uint64_t most_, most_requirements_;
  Form form_;
  std::uint32_t ranks_;
  std::vector<std::shared_ptr<const ProgramRule>> rules_;
  std::vector<std::optional<RankPartition>> partitions_;  // [rule]
  // [rank] the operations that are members of rules, ascending, and their rules.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> members_;
  // In the order in which they were added: `first_dependent` is the rank, and `partner` the other rank.
  ProgramOps ops_;
  std::vector<std::uint32_t> tags_;  // [operation]
  BlockVector<Requirement> requirements_;
  std::vector<RequirementRun> requirement_runs_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> counts_;  // [rank] operations
  // What the parts that have ended contain.
  std::vector<std::uint32_t> part_counts_;             // [rank] operations
  std::size_t part_runs_ = 0;                          // runs of requirements
  std::vector<std::vector<std::uint32_t>> part_ends_;  // [rank] what the next part waits for
};

// "operation 3 of rank 5 (line 17: send of 4096 B to rank 2)". Numbers are those within the rank, from 0.
std::string text_of_op(const Program& program, std::uint32_t op);

// Reports a cycle of operations that wait for each other: such a program never ends, whatever the network
// does. Messages above `rendezvous` bytes are announced (docs/programs.md, "Announced messages").
void report_cycle(const Program& program, std::uint64_t rendezvous, Mistakes& mistakes);

// Operations of one rank as steps: a step begins when all operations of the previous step are complete.
class Steps {
 public:
  Steps(ProgramBuilder& builder, std::uint32_t rank, std::uint8_t cpu = 0)
      : builder_(&builder), rank_(rank), cpu_(cpu) {}

  std::uint32_t rank() const { return rank_; }
  void expect(std::uint64_t operations) const { builder_->expect(operations); }  // of all ranks
  // Throws SpecError if the operations since there were `before`, repeated, are too many. Each repetition has
  // as many messages, but may have fewer computations: at most one for each send and receive.
  void expect_repeated(std::uint64_t before, std::uint64_t times) const {
    builder_->expect((operations() - before) / 3 * 2 * times);
  }
  std::uint64_t operations() const { return builder_->size(); }  // of all ranks so far
  // Begins the next step. A step without operations is none.
  void next();
  void compute(std::uint64_t picoseconds);  // none if it is 0
  void send(std::uint32_t to, std::uint64_t bytes, std::uint32_t tag = 0);
  void receive(std::uint32_t from, std::uint64_t bytes, std::uint32_t tag = 0);
  // What a member of a rule does, as a step.
  void member(std::uint32_t rule, std::uint32_t number);
  ProgramBuilder& builder() const { return *builder_; }
  // A computation in the same step, which begins when the step's last operation is complete.
  void then_compute(std::uint64_t picoseconds);  // none if it is 0
  // Begins the next step, which waits for the last steps of `others`, of the same rank, and for nothing else.
  void join(std::span<const Steps> others);
  void join(const Steps& other);  // for these steps and other ones
  // Begins the next step, which waits for this operation and for nothing else.
  void follow(std::uint32_t op);
  // The operations of the last step.
  std::span<const std::uint32_t> last() const { return current_.empty() ? previous_ : current_; }

 private:
  void add(std::uint32_t op);
  void wait_for(std::vector<std::uint32_t> last);

  ProgramBuilder* builder_;
  std::uint32_t rank_;
  std::uint8_t cpu_;
  std::vector<std::uint32_t> previous_, current_;
};

}  // namespace headway
