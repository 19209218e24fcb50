// SPDX-License-Identifier: Apache-2.0
// The time of a program by formula: its longest chain of operations, if messages take a latency and the time
// of their bytes, and never wait for each other.
#include <algorithm>
#include <vector>

#include "headway/programs/compiled_program.h"

namespace headway {

class ExpectedTime {
 public:
  ExpectedTime(const CompiledProgram& program, const MessageTime& message)
      : program_(program),
        all_(program.stored_),
        message_(message),
        open_(all_.ops.size()),
        start_(all_.ops.size()),
        arrival_(all_.ops.size(), -1),
        rules_(program.rules_.size()) {}

  double ns() {
    for (std::uint32_t at = 0; at < all_.size(); ++at) {
      open_[at] = all_.ops[at].requirements;
      if (open_[at] == 0) ready_.push_back(at);
    }
    while (!ready_.empty()) {
      const std::uint32_t at = ready_.back();
      ready_.pop_back();
      begin(at);
    }
    return latest_;
  }

 private:
  struct OfRule {
    std::uint32_t members = 0;  // that have begun
    double begin = 0;           // of the last one
    std::vector<std::uint32_t> elements;
  };

  void begin(std::uint32_t at) {
    const ProgramOp it = all_.ops[at];
    const double now = start_[at];
    release(at, now, /*on_start=*/true);
    switch (it.kind) {
      case ProgramOpKind::compute:
        return end(at, now + static_cast<double>(it.amount) / 1000);
      case ProgramOpKind::send: {
        const double left = now + static_cast<double>(it.amount) * message_.ns_per_byte;
        arrival_[it.partner] = left + message_.latency_ns;
        if (open_[it.partner] == kBegun) end(it.partner, std::max(start_[it.partner], arrival_[it.partner]));
        return end(at, left);
      }
      case ProgramOpKind::receive:
        open_[at] = kBegun;
        if (arrival_[at] >= 0) end(at, std::max(now, arrival_[at]));
        return;
      case ProgramOpKind::rule: {
        const ProgramRule& rule = program_.rule_of(it);
        if (program_.alike_) return end(at, now + rule.time_ns(message_));  // all members begin together
        // Choice: all members of a rule begin with the last one.
        OfRule& of = rules_[it.partner];
        of.begin = std::max(of.begin, now);
        of.elements.push_back(at);
        if (++of.members < rule.members()) return;
        const double ends = of.begin + rule.time_ns(message_);
        for (const std::uint32_t element : of.elements) end(element, ends);
        return;
      }
    }
  }

  void end(std::uint32_t at, double now) {
    latest_ = std::max(latest_, now);
    release(at, now, /*on_start=*/false);
  }

  void release(std::uint32_t at, double now, bool on_start) {
    const ProgramOp it = all_.ops[at];
    const std::uint32_t waited_for = it.kind == ProgramOpKind::rule ? program_.rule_of(it).tails() : 1;
    const std::uint32_t rank = all_.rank_of(at);
    for (const Dependent dependent : all_.dependents_of(at)) {
      if (dependent.on_start() != on_start) continue;
      const std::uint32_t next = program_.element_of(rank, dependent.op());
      // the heads of a rule have the same requirements; the first one counts
      if (program_.number_of(rank, next) != dependent.op()) continue;
      start_[next] = std::max(start_[next], now);
      open_[next] -= waited_for;
      if (open_[next] == 0) ready_.push_back(next);
    }
  }

  static constexpr std::uint32_t kBegun = UINT32_MAX;

  const CompiledProgram& program_;
  const Program& all_;
  MessageTime message_;
  std::vector<std::uint32_t> open_;  // [element] requirements
  std::vector<double> start_, arrival_;
  std::vector<OfRule> rules_;
  std::vector<std::uint32_t> ready_;
  double latest_ = 0;
};

double CompiledProgram::time_ns(const MessageTime& message) const {
  return ExpectedTime(*this, message).ns();
}

}  // namespace headway
