// SPDX-License-Identifier: Apache-2.0
// Every arbiter against its definition in docs/modelling.md, with random requests.
#include "headway/arbitration/arbiters.h"

#include <gtest/gtest.h>

#include <vector>

namespace headway {
namespace {

constexpr std::uint32_t kInputs = 7;

// Inputs that are candidates, each with an eligible request or none.
struct Candidates {
  std::vector<Request> request_of = std::vector<Request>(kInputs);
  std::vector<bool> is_candidate = std::vector<bool>(kInputs);

  explicit Candidates(Rng& rng) {
    for (std::uint32_t input = 0; input < kInputs; ++input) {
      is_candidate[input] = rng.below(2) == 0;
      if (rng.below(3) > 0) request_of[input] = {input, rng.below(4), rng.below(3)};
    }
  }
  template <class Visit>
  void visit_from(std::uint32_t first, Visit&& visit) const {
    for (std::uint32_t i = 0; i < kInputs; ++i)
      if (const std::uint32_t input = (first + i) % kInputs; is_candidate[input] && visit(input)) return;
  }
  auto ask() const {
    return [this](std::uint32_t input) { return request_of[input]; };
  }
  std::vector<Request> eligible_from(std::uint32_t first) const {
    std::vector<Request> result;
    visit_from(first, [&](std::uint32_t input) {
      if (request_of[input]) result.push_back(request_of[input]);
      return false;
    });
    return result;
  }
};

TEST(Arbiters, RoundRobinTakesTheFirstFromThePointer) {
  Rng rng(1, 0);
  for (int i = 0; i < 1000; ++i) {
    const Candidates candidates(rng);
    const std::uint32_t pointer = rng.below(kInputs);
    const auto eligible = candidates.eligible_from(pointer);
    const Request won = RoundRobin::pick(candidates, pointer, candidates.ask());
    ASSERT_EQ(static_cast<bool>(won), !eligible.empty());
    if (won) EXPECT_EQ(won.input, eligible.front().input);
  }
}

TEST(Arbiters, OldestFirstTakesTheOldestAndBreaksTiesFromThePointer) {
  Rng rng(2, 0);
  for (int i = 0; i < 1000; ++i) {
    const Candidates candidates(rng);
    const std::uint32_t pointer = rng.below(kInputs);
    Request oldest;
    for (const Request& request : candidates.eligible_from(pointer))
      if (!oldest || request.since < oldest.since) oldest = request;
    const Request won = OldestFirst::pick(candidates, pointer, candidates.ask());
    ASSERT_EQ(static_cast<bool>(won), static_cast<bool>(oldest));
    if (won) EXPECT_EQ(won.input, oldest.input);
  }
}

TEST(Arbiters, RandomDrawsOnceIfThereIsAChoiceAndNotOtherwise) {
  Rng rng(3, 0);
  for (int i = 0; i < 1000; ++i) {
    const Candidates candidates(rng);
    const auto eligible = candidates.eligible_from(0);
    Rng drawn(4, static_cast<std::uint64_t>(i)), expected = drawn;
    const Request won = RandomArbiter::pick(candidates, candidates.ask(), drawn);
    ASSERT_EQ(static_cast<bool>(won), !eligible.empty());
    if (won) {
      const auto choices = static_cast<std::uint32_t>(eligible.size());
      EXPECT_EQ(won.input, eligible[choices == 1 ? 0 : expected.below(choices)].input);
    }
    EXPECT_EQ(drawn.next(), expected.next()) << "drew more or less often than it should";
  }
}

}  // namespace
}  // namespace headway
