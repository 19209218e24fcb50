// SPDX-License-Identifier: Apache-2.0
// Compares the three forms of a crossbar with sets of pairs.
#include "headway/engine/crossbar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // input, output

template <PortCount kPorts>
struct Words {
  explicit Words(std::uint32_t radix) : words((radix + 63) / 64), sets(4 * words), requests(radix * words) {}
  Crossbar<kPorts> crossbar() {
    if constexpr (kPorts == PortCount::few)
      return Crossbar<kPorts>(sets.data());
    else
      return {sets.data(), requests.data(), words, words};
  }
  std::uint32_t words;
  std::vector<std::uint64_t> sets, requests;
};

// The expected state.
struct PlainCrossbar {
  std::set<std::uint32_t> free_inputs, free_outputs;
  std::set<Pair> requests;

  bool is_requested(std::uint32_t output) const {
    return std::ranges::any_of(requests, [&](const Pair& pair) { return pair.second == output; });
  }
  std::vector<std::uint32_t> wanted() const {
    std::vector<std::uint32_t> outputs;
    for (const std::uint32_t output : free_outputs)
      if (is_requested(output)) outputs.push_back(output);
    return outputs;
  }
  bool can_grant(std::uint32_t input, std::uint32_t output) const {
    return free_inputs.contains(input) && free_outputs.contains(output) && requests.contains({input, output});
  }
};

// Every output with candidates must be visited once, in ascending order of output XOR draw. Each visit grants
// the first candidate from input 1 on, which takes both ports.
template <PortCount kPorts>
void visits_what_can_be_granted(Crossbar<kPorts> crossbar, PlainCrossbar& model, std::uint32_t radix,
                                std::uint64_t drawn) {
  const std::vector<std::uint32_t> wanted = model.wanted();
  std::vector<std::uint32_t> outputs(radix);
  std::iota(outputs.begin(), outputs.end(), 0U);
  if (wanted.size() > 1)
    std::sort(outputs.begin(), outputs.end(), [&](auto a, auto b) { return (a ^ drawn) < (b ^ drawn); });
  std::vector<Pair> expected, granted;
  PlainCrossbar after = model;
  for (const std::uint32_t output : outputs) {
    for (std::uint32_t i = 0; i < radix; ++i) {
      const std::uint32_t input = (1 + i) % radix;
      if (!after.can_grant(input, output)) continue;
      expected.emplace_back(input, output);
      after.free_inputs.erase(input);
      after.free_outputs.erase(output);
      break;
    }
  }
  crossbar.visit(
      [&] {
        EXPECT_GT(wanted.size(), 1U);
        return drawn;
      },
      [&](std::uint32_t output, const auto& candidates) {
        candidates.visit_from(1 % radix, [&](std::uint32_t input) {
          granted.emplace_back(input, output);
          crossbar.take_input(input);
          crossbar.take_output(output);
          return true;
        });
      });
  ASSERT_EQ(granted, expected);
  model = after;
}

// Guesses always name existing ports, because memory is prefetched by them.
template <PortCount kPorts>
void guesses_what_can_be_granted(const Crossbar<kPorts>& crossbar, const PlainCrossbar& model,
                                 std::uint32_t radix) {
  for (const std::uint32_t output : {crossbar.lowest_wanted(), crossbar.highest_wanted()}) {
    ASSERT_LT(output, radix);
    bool grantable = false;
    for (std::uint32_t input = 0; input < radix; ++input) grantable |= model.can_grant(input, output);
    for (std::uint32_t first = 0; first <= radix; ++first) {
      const std::uint32_t guess = crossbar.candidate(output, first);
      if (!grantable) {
        ASSERT_LT(guess, radix);
        continue;
      }
      std::uint32_t expected = first % radix;
      while (!model.can_grant(expected, output)) expected = (expected + 1) % radix;
      ASSERT_EQ(guess, expected);
    }
  }
}

template <PortCount kPorts>
void agrees_with_sets_of_pairs(std::uint32_t radix) {
  Words<kPorts> words(radix);
  auto crossbar = words.crossbar();
  PlainCrossbar model;
  Rng rng(radix, 0);
  for (int step = 0; step < 4000; ++step) {
    const std::uint32_t input = rng.below(radix), output = rng.below(radix);
    switch (rng.below(6)) {
      case 0:
        crossbar.free_input(input);
        model.free_inputs.insert(input);
        break;
      case 1:
        crossbar.free_output(output);
        model.free_outputs.insert(output);
        break;
      case 2:
        crossbar.take_input(input);
        model.free_inputs.erase(input);
        break;
      case 3:
      case 4:
        crossbar.request(input, output);
        model.requests.insert({input, output});
        break;
      default:
        crossbar.withdraw(input, output);
        model.requests.erase({input, output});
    }
    ASSERT_EQ(crossbar.is_free_input(input), model.free_inputs.contains(input));
    ASSERT_EQ(crossbar.is_free_output(output), model.free_outputs.contains(output));
    ASSERT_EQ(crossbar.requests(input, output), model.requests.contains({input, output}));
    ASSERT_EQ(crossbar.is_requested(output), model.is_requested(output));
    bool grantable = false, grantable_here = false;
    for (const Pair& pair : model.requests)
      if (model.can_grant(pair.first, pair.second)) {
        grantable = true;
        grantable_here |= pair.second == output;
      }
    // with more than 8 ports it can return true although nothing can be granted: an exact test costs more
    if (kPorts == PortCount::few) {
      ASSERT_EQ(crossbar.has_work(), grantable);
      ASSERT_EQ(crossbar.has_work_at(output), grantable_here);
    } else {
      ASSERT_EQ(crossbar.has_work(), !model.wanted().empty());
      ASSERT_EQ(crossbar.has_work_at(output),
                model.free_outputs.contains(output) && model.is_requested(output));
    }
    if constexpr (kPorts != PortCount::many) guesses_what_can_be_granted(crossbar, model, radix);
    if (rng.below(4) == 0) visits_what_can_be_granted<kPorts>(crossbar, model, radix, rng.next() >> 32);
  }
}

TEST(Crossbar, FewPortsAgreeWithSetsOfPairs) {
  for (const std::uint32_t radix : {1U, 2U, 5U, 7U, 8U}) agrees_with_sets_of_pairs<PortCount::few>(radix);
}

TEST(Crossbar, SomePortsAgreeWithSetsOfPairs) {
  for (const std::uint32_t radix : {1U, 8U, 9U, 32U, 64U}) agrees_with_sets_of_pairs<PortCount::some>(radix);
}

TEST(Crossbar, ManyPortsAgreeWithSetsOfPairs) {
  for (const std::uint32_t radix : {8U, 65U, 130U}) agrees_with_sets_of_pairs<PortCount::many>(radix);
}

TEST(Crossbar, InputsWithUnboundHeadsAreAllOrTheFreeOnes) {
  Words<PortCount::few> words(8);
  auto crossbar = words.crossbar();
  for (const std::uint32_t input : {2U, 3U, 6U}) crossbar.unbound().insert(input);
  for (const std::uint32_t input : {1U, 3U, 6U}) crossbar.free_input(input);
  const auto seen = [&](bool free_only) {
    std::vector<std::uint32_t> inputs;
    crossbar.unbound_inputs(free_only).visit_from(4, [&](std::uint32_t input) {
      inputs.push_back(input);
      return false;
    });
    return inputs;
  };
  EXPECT_EQ(seen(false), (std::vector<std::uint32_t>{6, 2, 3}));
  EXPECT_EQ(seen(true), (std::vector<std::uint32_t>{6, 3}));
}

}  // namespace
}  // namespace headway
