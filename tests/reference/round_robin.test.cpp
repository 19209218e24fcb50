// SPDX-License-Identifier: Apache-2.0
// Round robin never starves: at every arbiter of a network, every eligible request is served within the
// number of grants that docs/modelling.md, "Promises", states. The reference simulator tells what each
// arbiter has chosen from; agreement.test.cpp shows that the engine grants the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "headway/config/assign.h"
#include "tests/reference/agreement.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"
#include "tests/support/mistakes.h"
#include "tests/support/random_case.h"
#include "tests/support/random_spec.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

using reference::Reference;
using Request = Reference::Request;

// The largest numbers of grants that have passed an eligible request, as parts of what is promised.
struct Passed {
  double input = 0;  // grants into a group, by an input with an eligible request for it
  double queue = 0;  // grants of an output to an input, by a queue of this input: pooled memory, adapters
  double head = 0;   // grants of an output or class, by a head
  void take(const Passed& other) {
    input = std::max(input, other.input);
    queue = std::max(queue, other.queue);
    head = std::max(head, other.head);
  }
};

// Counts, for every arbiter, the grants in a row that passed a request which was eligible at each of them.
class WatchOfGrants {
 public:
  WatchOfGrants(Reference& simulator, const reference::Setup& setup)
      : simulator_(simulator),
        pooled_(setup.rules.is_pooled()),
        // With cells or in rings, a packet can need more room than another one.
        alike_(setup.rules.cell_bytes == 0 && !setup.graph.has_rings() && setup.rules.weights.empty()),
        weight_(setup.rules.weights.empty() ? 1 : std::ranges::max(setup.rules.weights)) {
    simulator_.watch([this](const Reference::Chosen& chosen) { look(chosen); });
  }

  const Passed& passed() const { return passed_; }
  std::uint64_t choices() const { return choices_; }  // among several inputs

 private:
  using Counts = std::map<std::uint64_t, std::uint64_t>;  // [request or input] grants in a row
  using Arbiter = std::tuple<PortId, std::uint32_t, std::uint32_t>;

  static std::uint64_t key(const Request& request) {
    return std::uint64_t{request.input} << 32 | request.queue;
  }

  // A grant: those that waited for it in vain have waited once more, and all others begin anew.
  static std::uint64_t count(Counts& counts, const std::vector<std::uint64_t>& waiting, std::uint64_t won) {
    Counts now;
    std::uint64_t most = 0;
    for (const std::uint64_t each : waiting)
      if (each != won) most = std::max(most, now[each] = counts[each] + 1);
    counts = std::move(now);
    return most;
  }

  void look(const Reference::Chosen& chosen) {
    const auto inputs = static_cast<double>(simulator_.inputs_of_device(chosen.output));
    std::vector<std::uint64_t> of_group, of_input, all;
    std::uint64_t queues = 1;
    for (const Request& request : chosen.eligible) {
      queues = std::max<std::uint64_t>(queues, simulator_.queues(request.input).size());
      all.push_back(key(request));
      if (request.group == chosen.won.group) of_group.push_back(request.input);
      if (request.input == chosen.won.input) of_input.push_back(key(request));
    }
    choices_ +=
        std::ranges::any_of(chosen.eligible, [&](const Request& r) { return r.input != chosen.won.input; });
    const auto note = [](double& most, std::uint64_t passed, double promised) {
      if (passed > 0) most = std::max(most, static_cast<double>(passed) / promised);
    };
    const auto of_queues = static_cast<double>(queues);
    if (chosen.won.group)
      note(passed_.input,
           count(by_group_[{chosen.output, chosen.of_class, *chosen.won.group}], of_group, chosen.won.input),
           inputs - 1);
    if (pooled_ || inputs == 1)
      note(passed_.queue,
           count(by_input_[{chosen.output, chosen.of_class, chosen.won.input}], of_input, key(chosen.won)),
           (of_queues - 1) * (inputs == 1 ? weight_ : 1));
    if (alike_)
      note(passed_.head, count(by_output_[{chosen.output, chosen.of_class, 0}], all, key(chosen.won)),
           inputs * inputs * of_queues);
  }

  Reference& simulator_;
  bool pooled_;
  bool alike_;  // all requests for a group are eligible at the same time
  std::uint32_t weight_;
  Passed passed_;
  std::uint64_t choices_ = 0;
  std::map<Arbiter, Counts> by_group_, by_input_, by_output_;
};

struct Looked {
  Passed passed;
  std::uint64_t choices = 0;
};

Looked look_at(const reference::Setup& setup, const Workload& workload, std::uint64_t seed, Tick end) {
  Reference simulator(setup, workload, seed);
  WatchOfGrants watch(simulator, setup);
  simulator.run_until(end);
  return {watch.passed(), watch.choices()};
}

Looked look_at(const EventSpec& spec, const Duration& end) {
  Graph graph = spec.network.topology->build(spec.network.link);
  apply(spec.network.faults, graph);
  const reference::Setup setup = reference::setup_of(spec, std::move(graph));
  const Workload workload = reference::workload_of(spec, setup);
  const Rational ticks = end.ns / setup.rules.tick.ns;
  return look_at(setup, workload, spec.seed, ticks.numerator() / ticks.denominator());
}

// What is promised holds. Some request waits for as long as is promised, so that the promise means something.
void expect_promise(const Passed& passed, const std::string& what) {
  EXPECT_LE(passed.input, 1) << what;
  EXPECT_LE(passed.queue, 1) << what;
  EXPECT_LE(passed.head, 1) << what;
}

// All nodes send to a few destinations as fast as they can, and little memory.
void fill(EventSpec& spec, std::uint64_t number) {
  const auto nodes = spec.network.topology->nodes();
  for (FlowSpec& flow : spec.traffic.flows) {
    flow.sources = {};
    flow.load.points = {{Duration{0}, 1.0}};
    flow.start = flow.stop = {};
  }
  FlowSpec& hot = spec.traffic.flows.front();
  hot.pattern =
      choose(patterns(), "hotspot",
             {{"destination", static_cast<std::int64_t>(number % static_cast<std::uint64_t>(nodes))}});
  spec.switches.arbiter = ArbiterKind::round_robin;
}

struct Kind {
  const char* name;
  test::RandomSpec (*make)(std::uint64_t);
};

TEST(RoundRobin, ServesEveryEligibleRequestOfRandomSpecs) {
  const Kind kinds[] = {{"random_spec", [](std::uint64_t number) { return test::random_spec(number); }},
                        {"random_spec_with_service_levels", test::random_spec_with_service_levels},
                        {"random_spec_with_lane_turns", test::random_spec_with_lane_turns},
                        {"random_spec_with_slow_nodes", test::random_spec_with_slow_nodes},
                        {"random_spec_with_pauses", test::random_spec_with_pauses},
                        {"random_spec_with_lane_credits", test::random_spec_with_lane_credits},
                        {"random_spec_with_choices_on_arrival", test::random_spec_with_choices_on_arrival},
                        {"random_spec_with_cells", test::random_spec_with_cells}};
  Looked all;
  for (const Kind& kind : kinds)
    for (std::uint64_t number = 0; number < 30 / test::kOneIn; ++number) {
      test::RandomSpec random = kind.make(number);
      fill(random.spec, number);
      if (!test::mistakes_of(random.spec).empty()) continue;
      const Looked looked = look_at(random.spec, Duration{1000});
      expect_promise(looked.passed,
                     std::string(kind.name) + '(' + std::to_string(number) + "): " + random.description);
      all.passed.take(looked.passed);
      all.choices += looked.choices;
    }
  EXPECT_EQ(all.passed.input, 1);
  EXPECT_EQ(all.passed.queue, 1);
  EXPECT_GT(all.choices, 5000 / test::kOneIn);
}

// Arbiters by age never let a younger packet pass an older one.
TEST(RoundRobin, ArbitersByAgeServeTheOldestOfRandomSpecs) {
  std::uint64_t choices = 0, younger = 0;
  for (const ArbiterKind arbiter : {ArbiterKind::oldest_first, ArbiterKind::oldest_injected})
    for (std::uint64_t number = 0; number < 50 / test::kOneIn; ++number) {
      test::RandomSpec random = test::random_spec(number);
      fill(random.spec, number);
      random.spec.switches.arbiter = arbiter;
      random.spec.switches.output_arbiter = OutputArbiter::arbiter;
      random.spec.switches.weights.clear();
      if (random.spec.switches.scheme->pools_memory() || !test::mistakes_of(random.spec).empty()) continue;
      Graph graph = random.spec.network.topology->build(random.spec.network.link);
      const reference::Setup setup = reference::setup_of(random.spec, std::move(graph));
      const Workload workload = reference::workload_of(random.spec, setup);
      Reference simulator(setup, workload, number);
      simulator.watch([&](const Reference::Chosen& chosen) {
        choices += chosen.eligible.size() > 1;
        younger += std::ranges::any_of(chosen.eligible,
                                       [&](const Request& other) { return other.since < chosen.won.since; });
      });
      simulator.run_until(1000);
      EXPECT_EQ(younger, 0U) << number << ": " << random.description;
    }
  EXPECT_GT(choices, 500U / test::kOneIn);
}

// Far beyond what specs can express: any wiring and any map of queues.
TEST(RoundRobin, ServesEveryEligibleRequestOfRandomNetworks) {
  using Make = test::RandomCase (*)(std::uint64_t, test::Memory);
  const Make kinds[] = {test::random_case, test::random_table_case, test::random_isolation_case,
                        test::random_overflow_case};
  Looked all;
  for (const Make make : kinds)
    for (std::uint64_t number = 0; number < 200 / test::kOneIn; ++number) {
      const test::RandomCase c = make(number, test::Memory::slots);
      if (c.network.arbiter != ArbiterKind::round_robin) continue;
      const Looked looked = look_at(reference::setup_of(c.network), c.workload, number, c.end);
      expect_promise(looked.passed, std::to_string(number) + ": " + c.description);
      all.passed.take(looked.passed);
      all.choices += looked.choices;
    }
  EXPECT_GT(all.passed.input, 0.5);
  EXPECT_EQ(all.passed.queue, 1);
  EXPECT_GT(all.choices, 5000 / test::kOneIn);
}

}  // namespace
}  // namespace headway
