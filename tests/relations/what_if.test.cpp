// SPDX-License-Identifier: Apache-2.0
// Changes of [what_if] that take nothing away change nothing, and others equal the same spec in other keys.
#include <gtest/gtest.h>

#include <algorithm>

#include "headway/compile/build.h"
#include "headway/compile/plan.h"
#include "headway/run/run.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/what_if.h"
#include "tests/reference/agreement.h"
#include "tests/relations/relations.h"
#include "tests/support/random_spec.h"
#include "tests/support/same_results.h"

namespace headway {
namespace {

using test::difference;
using test::for_each_number;
using test::related_spec;
using test::result_of;

bool has_one_rate(const EventSpec& spec) {
  const Plan plan = plan_of(spec);
  return std::ranges::all_of(plan.graph->link_classes(), [&](const Link& link) {
    return link.rate == plan.graph->link_classes().front().rate;
  });
}

TEST(RelationOfWhatIf, TakingAwayWhatIsNotThereChangesNothing) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    if (!has_one_rate(spec) || spec.node.receive_rate || !spec.node.receivers.empty()) return false;
    const Result before = result_of(spec);
    spec.what_if.network.usual_rates = {std::string(NetworkChanges::kAll)};
    if (spec.network.faults.failed.part == 0 && spec.network.faults.failed.at.empty())
      spec.what_if.network.repaired = {std::string(NetworkChanges::kAll)};
    spec.what_if.no_computing = spec.what_if.no_overhead = spec.traffic.jobs.empty();
    spec.what_if.fast_receivers = true;
    EXPECT_EQ(difference(before, result_of(spec)), "") << number;
    return true;
  });
}

TEST(RelationOfWhatIf, WithoutAFlowIsWithoutItsMessages) {
  for_each_number(60, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    if (spec.traffic.flows.size() < 2) return false;
    const std::size_t taken = number % spec.traffic.flows.size();
    EventSpec silent = spec;
    FlowSpec& flow = silent.traffic.flows[taken];
    if (flow.arrivals->build({LoadProfile(), 1}) == nullptr) return false;  // saturated: it has no load
    for (LoadSpec::Point& point : flow.load.points) point.load = 0;
    if (!test::is_valid(silent)) return false;
    spec.what_if.without = {flow_names(spec.traffic)[taken]};
    EXPECT_EQ(result_of(spec).trace_hash, result_of(silent).trace_hash) << number;
    return true;
  });
}

TEST(RelationOfWhatIf, NoEventsAreNone) {
  for (std::uint64_t number = 0; number < 10; ++number) {
    EventSpec spec = test::short_spec(test::random_spec_with_events(number), number);
    const Result with = run(spec);
    spec.what_if.no_events = true;
    const Result without = run(spec);
    spec.events.clear();
    EXPECT_EQ(without.trace_hash, run(spec).trace_hash) << number;
    EXPECT_FALSE(with.table("network_changes").empty()) << number;
  }
}

// Networks with changed links, and sources whose start is shifted, are simulated like all others.
TEST(RelationOfWhatIf, ChangedNetworksAgreeWithTheReference) {
  for_each_number(15, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    if (!spec.traffic.traces.empty()) return false;
    NetworkChanges& network = spec.what_if.network;
    if (number % 2 == 0) network.usual_rates = {std::string(NetworkChanges::kAll)};
    if (number % 3 == 0) network.doubled = number % 4 < 2 ? DoubledLinks::nodes : DoubledLinks::switches;
    network.no_delay = number % 5 == 0;
    network.perfect_switch = number % 7 == 0;
    spec.what_if.stagger = static_cast<std::int64_t>(number % 4);
    if (!test::is_valid(spec)) return false;
    const Model model = build(with_changes(spec));
    EXPECT_EQ(reference::disagreement(model.network, model.workload, spec.seed, 4 * test::kBin), "")
        << number;
    return true;
  });
}

// One that is not mentioned in the change keeps its nodes and its random numbers.
TEST(RelationOfWhatIf, ChangesOfChangesAreOne) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    spec.what_if.network.perfect_switch = number % 2 == 0;
    spec.what_if.no_overhead = spec.what_if.fast_receivers = true;
    spec.what_if.without = {flow_names(spec.traffic).back()};
    if (!test::is_valid(spec)) return false;
    const Result once = result_of(spec);
    EXPECT_EQ(once.trace_hash, result_of(with_changes(spec)).trace_hash) << number;
    return true;
  });
}

// Links of nodes that are twice as fast carry the same messages at the same times.
TEST(RelationOfWhatIf, LoadsStayTheSameInBytesPerTime) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const auto is_saturated = [](const FlowSpec& flow) {
      return flow.arrivals->build({LoadProfile(), 1}) == nullptr;
    };
    if (spec.traffic.flows.empty() || std::ranges::any_of(spec.traffic.flows, is_saturated)) return false;
    const auto offered = [](const EventSpec& of) {
      const Model model = build(of);
      double bytes = 0;  // per ns
      for (const Source& source : model.workload.sources) {
        const Flow& flow = model.workload.flows[source.flow];
        bytes += mean_load(flow.load, 0, model.duration) * flow.bytes_per_tick / model.network.ns(1);
      }
      return bytes;
    };
    const double before = offered(spec);
    spec.what_if.network.doubled = DoubledLinks::nodes;
    if (!test::is_valid(spec)) return false;
    EXPECT_NEAR(offered(spec), before, 1e-3 * before) << number;  // starts are whole ticks
    return true;
  });
}

}  // namespace
}  // namespace headway
