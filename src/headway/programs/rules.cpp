// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/rules.h"

#include <algorithm>
#include <utility>

namespace headway {
namespace {

// What a member does in a step: a send and a receive at the same time, and then perhaps a computation.
struct Exchange {
  std::uint32_t to = 0, from = 0;        // members
  std::uint64_t sent = 0, received = 0;  // bytes
  std::uint64_t computed = 0;            // picoseconds
};

// Steps of exchanges. Each step begins when the one before it is complete.
class Exchanges : public ProgramRule {
 public:
  Exchanges(std::uint32_t members, std::uint32_t steps, bool computes)
      : members_(members), steps_(steps), of_step_(computes ? 3 : 2) {}

  std::uint32_t members() const final { return members_; }
  std::uint32_t operations() const final { return steps_ * of_step_; }
  NumberRanges heads() const final { return {NumberRange{0, 2}, NumberRange{}}; }
  std::uint32_t tails() const final { return 2; }
  std::uint32_t sends() const final { return steps_; }
  std::uint32_t most_open() const final { return 2; }
  std::uint32_t most_open_sends() const final { return 1; }

  void make(std::uint32_t member, std::uint32_t first, const RuleMembers& members, const RankOp& rest,
            std::span<RankOp> operations) const final {
    std::uint32_t step = first / of_step_, part = first % of_step_;
    Exchange now = exchange(member, step);
    std::uint32_t begin = members[member].first + step * of_step_;  // of the step
    for (RankOp& made : operations) {
      made = rest;
      if (step > 0) made.requirements = 2;
      if (step + 1 < steps_) {
        made.first_dependent = begin + of_step_;
        made.dependents = 2;
        made.consecutive = true;
      }
      if (part == kSend) {
        made.kind = ProgramOpKind::send;
        made.amount = now.sent;
        made.peer = members[now.to].rank;
        made.partner = members[now.to].first + step * of_step_ + kReceive;
      } else if (part == kReceive) {
        made.kind = ProgramOpKind::receive;
        made.amount = now.received;
        made.peer = members[now.from].rank;
        made.partner = members[now.from].first + step * of_step_ + kSend;
        if (of_step_ > 2) {
          made.first_dependent = begin + kReceive + 1;
          made.dependents = 1;
          made.consecutive = true;
        }
      } else {
        made.amount = now.computed;
        made.requirements = 1;
      }
      if (++part < of_step_) continue;
      part = 0;
      begin += of_step_;
      if (++step < steps_) now = exchange(member, step);
    }
  }

 protected:
  virtual Exchange exchange(std::uint32_t member, std::uint32_t step) const = 0;
  // A member whose number is less than twice that of all.
  std::uint32_t wrapped(std::uint32_t member) const { return member < members_ ? member : member - members_; }

  std::uint32_t members_, steps_, of_step_;

 private:
  static constexpr std::uint32_t kSend = 0, kReceive = 1;
};

class Ring final : public Exchanges {
 public:
  Ring(std::shared_ptr<const Blocks> blocks, std::uint32_t first, std::uint32_t steps,
       const Reduction& reduction)
      : Exchanges(blocks->count(), steps, reduction.picoseconds(blocks->size(0)) > 0),
        blocks_(std::move(blocks)),
        first_(first % members_),
        reduction_(reduction) {}

  void for_each_size(const VisitSize& visit) const override {
    // in every step, each block is sent by one member
    for (std::uint32_t block = 0; block < members_;) {
      const std::uint64_t bytes = blocks_->size(block);
      const std::uint32_t begin = block;
      while (block < members_ && blocks_->size(block) == bytes) ++block;
      visit(bytes, std::uint64_t{block - begin} * steps_);
    }
  }
  RankTotals totals(std::uint32_t member) const override {
    RankTotals sum{.sent = sum_of(wrapped(member + first_)),
                   .received = sum_of(wrapped(wrapped(member + first_) + members_ - 1))};
    if (of_step_ > 2)
      for (std::uint32_t step = 0; step < steps_; ++step)
        sum.computed += static_cast<double>(exchange(member, step).computed);
    return sum;
  }
  std::uint64_t bytes_between(std::uint32_t member, std::uint32_t peer) const override {
    return peer == wrapped(member + 1) ? totals(member).sent : 0;
  }
  std::uint32_t peers() const override { return 1; }
  double time_ns(const MessageTime& message) const override {
    std::uint64_t most = 0;
    for (std::uint32_t block = 0; block < members_; ++block) most = std::max(most, blocks_->size(block));
    const double computed = of_step_ > 2 ? static_cast<double>(reduction_.picoseconds(most)) / 1000 : 0;
    return steps_ * (message.of(most) + computed);
  }
  std::uint64_t bytes() const override { return sizeof(*this) + blocks_->count() * sizeof(std::uint64_t); }
  bool is_like(const ProgramRule& other) const override {
    const auto* const ring = dynamic_cast<const Ring*>(&other);
    return ring != nullptr && first_ == ring->first_ && steps_ == ring->steps_ &&
           of_step_ == ring->of_step_ && reduction_ == ring->reduction_ && *blocks_ == *ring->blocks_;
  }

 protected:
  Exchange exchange(std::uint32_t member, std::uint32_t step) const override {
    const std::uint32_t sent = wrapped(wrapped(member + first_) + members_ - step % members_),
                        received = wrapped(sent + members_ - 1);
    const std::uint64_t bytes = blocks_->size(received);
    return {.to = wrapped(member + 1),
            .from = wrapped(member + members_ - 1),
            .sent = blocks_->size(sent),
            .received = bytes,
            .computed = of_step_ > 2 ? reduction_.picoseconds(bytes) : 0};
  }

 private:
  // Of the blocks from this one on, downwards, one in each step.
  std::uint64_t sum_of(std::uint32_t block) const {
    const std::uint32_t rest = steps_ % members_;
    const std::uint64_t whole = steps_ / members_ * blocks_->total();
    return rest == 0 ? whole : whole + blocks_->cyclic(wrapped(block + members_ + 1 - rest), rest);
  }

  std::shared_ptr<const Blocks> blocks_;
  std::uint32_t first_;
  Reduction reduction_;
};

class Pairwise final : public Exchanges {
 public:
  Pairwise(std::uint32_t members, std::uint64_t bytes)
      : Exchanges(members, members - 1, /*computes=*/false), bytes_(bytes) {}

  void for_each_size(const VisitSize& visit) const override {
    visit(bytes_, std::uint64_t{members_} * steps_);
  }
  RankTotals totals(std::uint32_t) const override { return {steps_ * bytes_, steps_ * bytes_}; }
  std::uint64_t bytes_between(std::uint32_t member, std::uint32_t peer) const override {
    return member == peer ? 0 : bytes_;
  }
  std::uint32_t peers() const override { return steps_; }
  double time_ns(const MessageTime& message) const override { return steps_ * message.of(bytes_); }
  std::uint64_t bytes() const override { return sizeof(*this); }
  bool is_like(const ProgramRule& other) const override {
    const auto* const pairwise = dynamic_cast<const Pairwise*>(&other);
    return pairwise != nullptr && members_ == pairwise->members_ && bytes_ == pairwise->bytes_;
  }

 protected:
  Exchange exchange(std::uint32_t member, std::uint32_t step) const override {
    return {.to = wrapped(member + step + 1),
            .from = wrapped(member + members_ - step - 1),
            .sent = bytes_,
            .received = bytes_};
  }

 private:
  std::uint64_t bytes_;
};

// Operations 0, 1, ... are the sends, and those after them the receives, in the order of the distance.
class Linear final : public ProgramRule {
 public:
  Linear(std::uint32_t members, std::uint64_t bytes, std::uint32_t chains)
      : members_(members), messages_(members - 1), bytes_(bytes), chains_(chains) {}

  std::uint32_t members() const override { return members_; }
  std::uint32_t operations() const override { return 2 * messages_; }
  NumberRanges heads() const override { return {NumberRange{0, chains_}, NumberRange{messages_, chains_}}; }
  std::uint32_t tails() const override { return 2 * chains_; }
  std::uint32_t sends() const override { return messages_; }
  std::uint32_t most_open() const override { return 2 * chains_; }
  std::uint32_t most_open_sends() const override { return chains_; }
  std::uint32_t peers() const override { return messages_; }
  // The link of a member carries one message after the other, and a chain of receives has a latency for each.
  double time_ns(const MessageTime& message) const override {
    const double chain = static_cast<double>((messages_ + chains_ - 1) / chains_) * message.of(bytes_);
    return std::max(chain, message.of(messages_ * bytes_));
  }
  std::uint64_t bytes() const override { return sizeof(*this); }
  bool is_like(const ProgramRule& other) const override {
    const auto* const linear = dynamic_cast<const Linear*>(&other);
    return linear != nullptr && members_ == linear->members_ && bytes_ == linear->bytes_ &&
           chains_ == linear->chains_;
  }

  void make(std::uint32_t member, std::uint32_t first, const RuleMembers& members, const RankOp& rest,
            std::span<RankOp> operations) const override {
    std::uint32_t number = first;
    for (RankOp& made : operations) {
      const bool sends = number < messages_;
      const std::uint32_t place = sends ? number : number - messages_, distance = place + 1;
      const std::uint32_t to = sends ? member + distance : member + members_ - distance;
      const RuleMember peer = members[to < members_ ? to : to - members_];
      made = rest;
      made.kind = sends ? ProgramOpKind::send : ProgramOpKind::receive;
      made.amount = bytes_;
      made.peer = peer.rank;
      made.partner = peer.first + (sends ? messages_ + place : place);
      if (place >= chains_) made.requirements = 1;
      if (place + chains_ < messages_) {
        made.first_dependent = members[member].first + number + chains_;
        made.dependents = 1;
        made.consecutive = true;
      }
      ++number;
    }
  }
  void for_each_size(const VisitSize& visit) const override {
    visit(bytes_, std::uint64_t{members_} * messages_);
  }
  RankTotals totals(std::uint32_t) const override { return {messages_ * bytes_, messages_ * bytes_}; }
  std::uint64_t bytes_between(std::uint32_t member, std::uint32_t peer) const override {
    return member == peer ? 0 : bytes_;
  }

 private:
  std::uint32_t members_, messages_;
  std::uint64_t bytes_;
  std::uint32_t chains_;
};

}  // namespace

std::shared_ptr<const ProgramRule> ring_rule(std::shared_ptr<const Blocks> blocks, std::uint32_t first,
                                             std::uint32_t steps, const Reduction& reduction) {
  return std::make_shared<const Ring>(std::move(blocks), first, steps, reduction);
}
std::shared_ptr<const ProgramRule> pairwise_rule(std::uint32_t members, std::uint64_t bytes) {
  return std::make_shared<const Pairwise>(members, bytes);
}
std::shared_ptr<const ProgramRule> linear_rule(std::uint32_t members, std::uint64_t bytes,
                                               std::uint32_t chains) {
  return std::make_shared<const Linear>(members, bytes, chains);
}

}  // namespace headway
