// SPDX-License-Identifier: Apache-2.0
// A run that skips what repeats itself (engine/skip.h) has the results of one that simulates every packet, to
// the last bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/engine/state_part.h"
#include "headway/run/hooks.h"
#include "headway/run/run.h"
#include "tests/support/dice.h"
#include "tests/support/mistakes.h"
#include "tests/support/random_program.h"
#include "tests/support/same_results.h"

namespace headway {
namespace {

struct RandomJobs {
  std::string description;
  EventSpec spec;
};

Choice<Topology> random_topology(test::Dice& dice) {
  switch (dice.from(0, 5)) {
    case 0:
      return choose(
          topologies(), "pgft",
          {{"children", std::vector<std::int64_t>{4, 4}}, {"parents", std::vector<std::int64_t>{1, 2}}});
    case 1:
      return choose(
          topologies(), "pgft",
          {{"children", std::vector<std::int64_t>{3, 3}}, {"parents", std::vector<std::int64_t>{1, 3}}});
    case 2:
      return choose(topologies(), "k-ary-n-tree", {{"k", std::int64_t{2}}, {"n", std::int64_t{3}}});
    case 3:
      return choose(topologies(), "k-ary-n-tree", {{"k", std::int64_t{4}}, {"n", std::int64_t{2}}});
    case 4:
      return choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{3, 3}}});
    default:
      return choose(topologies(), "single-switch", {{"nodes", std::int64_t{dice.from(4, 12)}}});
  }
}

Choice<ProgramKind> random_program(test::Dice& dice, std::int64_t packet, std::string& text) {
  const std::int64_t packets = dice.from(4, 10) * dice.from(4, 40);
  const Bytes block{packets * packet +
                    (dice.one_in(3) ? 0 : dice.from(1, static_cast<std::uint32_t>(packet)))};
  const Bytes whole{block.count * 8};
  text += fmt::format("{} packets, ", packets);
  static constexpr const char* kAllReduces[] = {"ring", "recursive-doubling", "rabenseifner", "tree",
                                                "double-tree"};
  static constexpr const char* kAllToAlls[] = {"pairwise", "linear", "bruck"};
  switch (dice.from(0, 5)) {
    case 0:
      return choose(programs(), "all-to-all",
                    {{"size", block}, {"algorithm", std::string(kAllToAlls[dice.from(0, 2)])}});
    case 1:
      return choose(programs(), "all-gather", {{"size", whole}});
    case 2:
      return choose(programs(), "broadcast", {{"size", whole}});
    default:
      return choose(programs(), "all-reduce",
                    {{"size", whole},
                     {"algorithm", std::string(kAllReduces[dice.from(0, 4)])},
                     {"chunks", std::int64_t{dice.from(1, 3)}}});
  }
}

// With `any`, links differ in rate, nodes have several, switches have output units or reduce, jobs wait for
// nodes. With `flows`, flows send beside the jobs. With `lanes`, links have lanes, whose queues can share
// their memory or pause their senders, or memory is counted in cells.
enum class Networks { plain, any, flows, lanes };

void add_lanes(test::Dice& dice, EventSpec& spec, std::string& text) {
  SwitchSpec& switches = spec.switches;
  const std::int64_t packet = spec.traffic.packet.count;
  if (dice.one_in(2)) switches.cell = Bytes{dice.from(1, static_cast<std::uint32_t>(packet))};
  if (dice.one_in(2)) {
    switches.lanes = dice.from(2, 3);
    for (JobSpec& job : spec.traffic.jobs) job.service_level = dice.from(0, 4);
    spec.traffic.jobs.front().service_level = 1;
  } else if (dice.one_in(2)) {
    spec.routing.algorithm = choose(routings(), dice.one_in(2) ? "dfsssp" : "lash");
  }
  if (const bool pauses = dice.one_in(3); pauses || dice.one_in(2)) {
    switches.queue_memory.reset();
    switches.input_memory = Bytes{packet * dice.from(pauses ? 20 : 2, pauses ? 200 : 40) * switches.lanes};
    spec.node.injection_memory = Bytes{packet * dice.from(6, 60) * switches.lanes};
    switches.flow_control = choose(link_flow_controls(), pauses ? "pfc" : "lane-credits");
    if (pauses && dice.one_in(2))
      assign(*switches.flow_control, Argument{"xoff", Bytes{packet * dice.from(1, 12)}});
  }
  text += fmt::format("{} lanes, {}, {} B cells; ", switches.lanes, switches.flow_control.name,
                      switches.cell ? switches.cell->count : 0);
}

// From a few nodes, so that something is left that repeats.
FlowSpec random_flow(test::Dice& dice, std::uint32_t nodes, std::int64_t packet, std::string& text) {
  FlowSpec flow;
  flow.sources = {.kind = NodeSet::Kind::nodes};
  for (std::uint32_t left = dice.from(1, 3); left > 0; --left)
    flow.sources.nodes.push_back(dice.from(0, nodes - 1));
  std::ranges::sort(flow.sources.nodes);
  flow.sources.nodes.erase(std::unique(flow.sources.nodes.begin(), flow.sources.nodes.end()),
                           flow.sources.nodes.end());
  if (dice.one_in(2))
    flow.pattern = choose(patterns(), "hotspot", {{"destination", std::int64_t{dice.from(0, nodes - 1)}}});
  static constexpr const char* kArrivals[] = {"poisson", "periodic", "on-off"};
  flow.arrivals = choose(arrival_processes(), kArrivals[dice.from(0, 2)]);
  flow.load.points = {{Duration{0}, dice.from(1, 60) / 100.0}};
  if (dice.one_in(2))
    flow.sizes =
        choose(message_sizes(), "fixed", {{"message", Bytes{packet * dice.from(1, 20) + dice.from(0, 3)}}});
  if (dice.one_in(3)) flow.start = Duration{dice.from(0, 20'000)};
  if (dice.one_in(3)) flow.stop = Duration{dice.from(20'000, 60'000)};
  text += fmt::format("a flow of {} nodes, {}, {}; ", flow.sources.nodes.size(), flow.pattern.name,
                      flow.arrivals.name);
  return flow;
}

void add_output_units(test::Dice& dice, SwitchSpec& switches) {
  switches.architecture = Architecture::cioq;
  const double speedups[] = {1.0, 1.5, 2.0};
  switches.crossbar_speedup = speedups[dice.from(0, 2)];
  if (switches.flow_control.name == "lane-credits" || dice.one_in(2))
    switches.output_queues = OutputQueues::one;
}

// Nodes with several links, of other rates than those between switches.
Choice<Topology> random_rails(test::Dice& dice) {
  const std::int64_t gpus = dice.from(2, 4);
  Choice<Topology> topology = choose(topologies(), "rails",
                                     {{"servers", std::int64_t{dice.from(2, 4)}},
                                      {"gpus", gpus},
                                      {"scale_up_switches", std::int64_t{dice.from(1, 2)}},
                                      {"planes", std::int64_t{dice.from(1, 2)}},
                                      {"rails", dice.one_in(2) ? 1 : gpus}});
  assign(*topology, Argument{"scale_up_rate", Rate{Rational{dice.from(1, 8), dice.from(1, 2)}}});
  if (dice.one_in(2)) assign(*topology, Argument{"scale_up_delay", Duration{dice.from(1, 9)}});
  return topology;
}

// One queue per port in half of them.
RandomJobs random_jobs(std::uint64_t number, Networks networks = Networks::plain) {
  test::Dice dice(mix64(number));
  RandomJobs drawn;
  EventSpec& spec = drawn.spec;
  std::string& text = drawn.description;
  const bool has_rails = networks == Networks::any && dice.one_in(2);
  spec.network.topology = has_rails ? random_rails(dice) : random_topology(dice);
  const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
  text += fmt::format("{} with {} nodes; ", spec.network.topology.name, nodes);
  if (has_rails) {
    spec.routing.algorithm = choose(routings(), dice.one_in(2) ? "ecmp" : "up-down");
    spec.routing.node_link = dice.one_in(2) ? LinkRule::hash : LinkRule::turns;
  } else if (networks == Networks::any) {
    LinkFaults& faults = spec.network.faults;
    faults.slow.part = dice.from(2, 8) / 10.0;
    faults.slow.seed = dice.from(1, 1000);
    faults.slow_rate = dice.one_in(2) ? 0.5 : 0.25;
    if (dice.one_in(2)) spec.switches.slow_to_fast = Switching::cut_through;
  }
  if (spec.network.topology.name == "torus")
    spec.routing.algorithm = choose(routings(), "dor");
  else if (!has_rails && dice.one_in(3))
    spec.routing.algorithm = choose(routings(), "ecmp");
  spec.network.link = {Rate{Rational{dice.from(1, 3), dice.from(1, 2)}},
                       Duration{Rational{dice.from(1, 40), dice.from(1, 2)}}};
  static constexpr const char* kSchemes[] = {"1q", "1q", "1q", "voqsw", "voqnet", "dbbm", "obqa"};
  spec.switches.scheme = choose(schemes(), kSchemes[dice.from(0, 6)]);
  if (dice.one_in(3)) spec.switches.switching = Switching::store_and_forward;
  if (dice.one_in(2)) spec.switches.routing_delay = Duration{dice.from(1, 20)};
  if (dice.one_in(3)) spec.node.admittance = Admittance::fifo;
  const std::int64_t packet = dice.from(1, 40);
  spec.traffic.packet = Bytes{packet};
  spec.switches.queue_memory = Bytes{packet * dice.from(2, dice.one_in(2) ? 4 : 30)};
  text += fmt::format("{}, {}, {} B packets, {} B per queue, {} {}; ", spec.routing.algorithm.name,
                      spec.switches.scheme.name, packet, spec.switches.queue_memory->count,
                      name_of(spec.switches.switching), name_of(spec.node.admittance));
  spec.traffic.flows.clear();
  for (std::uint32_t left = dice.one_in(2) ? 1 : dice.from(2, 3); left > 0; --left) {
    JobSpec& job = spec.traffic.jobs.emplace_back();
    job.program = random_program(dice, packet, text);
    job.ranks = dice.from(2, nodes);
    job.placement = dice.one_in(2) ? Placement::random : Placement::linear;
    if (dice.one_in(3)) job.start = Duration{dice.from(0, 3000)};
    if (dice.one_in(3)) job.iterations = dice.from(2, 3);
    job.background = left > 1 && dice.one_in(3);
    // in the background, it would send without a limit
    if (!job.background && dice.one_in(3)) job.sends = SendsComplete::buffered;
    if (dice.one_in(4)) job.rendezvous = Bytes{dice.from(0, static_cast<std::uint32_t>(packet * 50))};
    if (dice.one_in(4)) job.overhead = Duration{dice.from(1, 50)};
    if (networks == Networks::any && dice.one_in(4)) job.exclusive = true;
    if (networks == Networks::any && job.program.name == "all-reduce" && dice.one_in(4))
      job.program = choose(programs(), "all-reduce",
                           {{"size", Bytes{packet * dice.from(200, 3000)}},
                            {"algorithm", std::string("in-network")},
                            {"segment", Bytes{packet * dice.from(10, 300)}}});
    text += fmt::format("{} on {} ranks, {}, from {} ns, {} times{}{}{}; ", job.program.name, *job.ranks,
                        name_of(job.placement), job.start.ns.to_double(), job.iterations,
                        job.background ? ", background" : "",
                        job.sends == SendsComplete::buffered ? ", buffered" : "",
                        job.rendezvous ? ", rendezvous" : "");
  }
  spec.measure.until = Until::done;
  spec.measure.limit = Duration{dice.one_in(8) ? 40'000 : 3'000'000};
  spec.measure.bin = spec.measure.limit;
  if (dice.one_in(4)) spec.measure.bin = Duration{dice.from(2000, 20'000)};
  spec.measure.tables = {"per-destination", "per-link", "per-operation", "distributions"};
  if (!has_rails && !spec.traffic.uses_switches()) spec.measure.tables.insert("per-pair");
  spec.seed = number;
  if (networks == Networks::lanes) add_lanes(dice, spec, text);
  if (networks == Networks::flows || (networks == Networks::lanes && dice.one_in(4)))
    for (std::uint32_t left = dice.from(1, 2); left > 0; --left)
      spec.traffic.flows.push_back(random_flow(dice, nodes, packet, text));
  if (networks != Networks::plain && dice.one_in(3)) {
    add_output_units(dice, spec.switches);
    text += "output units; ";
  }
  return drawn;
}

const RunHooks kAlwaysLook{.always_look = true};

void expect_same_results(std::uint64_t first_number, Networks networks) {
  const std::uint64_t cases = test::cases_of(60);
  std::uint64_t skipping = 0;
  for (std::uint64_t number = first_number; number < first_number + cases; ++number) {
    const RandomJobs random = random_jobs(number, networks);
    if (!test::mistakes_of(random.spec).empty()) continue;
    const Result plain = run(random.spec, {.skip = false});
    const Result skipped = run(random.spec, {.hooks = &kAlwaysLook});
    ASSERT_EQ(test::first_difference(plain, skipped), "") << number << ": " << random.description;
    ASSERT_EQ(skipped.no_skip, "") << number << ": " << random.description;
    skipping += skipped.skips > 0 ? 1 : 0;
  }
  EXPECT_GE(2 * skipping, cases) << "most of them repeat themselves";
}

TEST(Skip, DoesNotChangeResults) { expect_same_results(0, Networks::plain); }

// A packet that comes over a slow link may have to wait for its tail, and one that leaves over such a link
// frees its input before its output.
TEST(Skip, DoesNotChangeResultsOfAnyNetwork) { expect_same_results(2000, Networks::any); }

// Where packets of flows are or will be, nothing is skipped.
TEST(Skip, DoesNotChangeResultsBesideFlows) { expect_same_results(4000, Networks::flows); }

TEST(Skip, DoesNotChangeResultsWithLanesAndCells) { expect_same_results(6000, Networks::lanes); }

// Here, a packet that a switch stores arrives in the tick of the one behind it, which it does not store.
TEST(Skip, KeepsTheOrderOfPacketsThatArriveTogether) {
  const EventSpec spec = random_jobs(2195, Networks::any).spec;
  const Result skipped = run(spec, {.hooks = &kAlwaysLook});
  EXPECT_GT(skipped.skips, 0U);
  EXPECT_EQ(test::first_difference(run(spec, {.skip = false}), skipped), "");
  EXPECT_GT(run(spec, {.check = true, .hooks = &kAlwaysLook}).skips, 0U);
}

// Here, cells are left in an injection queue that have room for the last packet of a message, which is
// shorter than the others.
TEST(Skip, AdmitsAShorterLastPacketWhenItHasRoom) {
  const EventSpec spec = random_jobs(6068, Networks::lanes).spec;
  const Result skipped = run(spec, {.hooks = &kAlwaysLook});
  EXPECT_GT(skipped.skips, 0U);
  EXPECT_EQ(test::first_difference(run(spec, {.skip = false}), skipped), "");
}

// With checks, stretches that could be skipped are simulated, and must come true.
TEST(Skip, IsProvedByChecks) {
  const std::uint64_t cases = test::cases_of(12);
  std::uint64_t proofs = 0;
  for (std::uint64_t number = 1000; number < 1000 + cases; ++number) {
    static constexpr Networks kNetworks[] = {Networks::plain, Networks::any, Networks::flows,
                                             Networks::lanes};
    const RandomJobs random = random_jobs(number, kNetworks[number % 4]);
    if (!test::mistakes_of(random.spec).empty()) continue;
    const Result plain = run(random.spec, {.skip = false});
    const Result checked = run(random.spec, {.check = true, .hooks = &kAlwaysLook});
    ASSERT_EQ(test::first_difference(plain, checked), "") << number << ": " << random.description;
    ASSERT_EQ(checked.skipped_hops, 0U);
    proofs += checked.skips;
  }
  EXPECT_GE(proofs, cases);
}

// Runs a random spec with a description of states that leaves parts out.
template <class... Parts>
Result run_without(const EventSpec& spec, Parts... parts) {
  const RunHooks hooks{.always_look = true,
                       .left_out = ((1U << static_cast<std::uint32_t>(parts)) | ... | 0U)};
  return run(spec, {.hooks = &hooks});
}

// A state says most things several times: where packets are follows from the events, and both follow, mostly,
// from when packets have left their nodes. So parts are left out together with those that say the same.
// Without the pointers of outputs, the order of requests, or what waits at nodes, the other parts were the
// same only where these were, in 1200 of these specs.
TEST(Skip, ComparesAllThatMatters) {
  using enum StatePart;
  const auto matters = [](std::uint64_t number, auto... parts) {
    const EventSpec spec = random_jobs(number).spec;
    EXPECT_NE(test::first_difference(run(spec, {.skip = false}), run_without(spec, parts...)), "") << number;
  };
  const auto changes_deliveries = [](std::uint64_t number, auto... parts) {
    const EventSpec spec = random_jobs(number).spec;
    EXPECT_NE(run(spec, {.skip = false}).trace_hash, run_without(spec, parts...).trace_hash) << number;
  };
  matters(2, injected);
  changes_deliveries(46, injected, room, length, packet, event_tick);
  changes_deliveries(43, injected, room, length, packet, event, event_tick);
  changes_deliveries(368, injected, room, length, packet, message);

  // Of a network with pauses, the parts without the pauses say less than with them.
  const EventSpec pausing = random_jobs(315, Networks::lanes).spec;
  ASSERT_EQ(pausing.switches.flow_control.name, "pfc");
  const std::uint64_t plain = run(pausing, {.skip = false}).trace_hash;
  EXPECT_EQ(run_without(pausing, injected, room, length, packet, event, event_tick).trace_hash, plain);
  EXPECT_NE(run_without(pausing, injected, room, length, packet, event, event_tick, pause).trace_hash, plain);
}

TEST(Skip, LeavesOutWhatItDoesNotKnow) {
  const auto expect_plain = [](const auto& change) {
    EventSpec spec = random_jobs(3).spec;
    spec.traffic.jobs.resize(1);
    change(spec);
    ASSERT_TRUE(test::mistakes_of(spec).empty());
    const Result result = run(spec, {.hooks = &kAlwaysLook});
    EXPECT_NE(result.no_skip, "");
    EXPECT_EQ(result.skips, 0U);
  };
  expect_plain([](EventSpec& spec) { spec.switches.arbiter = ArbiterKind::oldest_first; });
  expect_plain([](EventSpec& spec) { spec.switches.credit_packet = Bytes{1}; });
  expect_plain([](EventSpec& spec) {
    spec.switches.queue_memory.reset();
    spec.switches.input_memory = Bytes{1 << 20};
    spec.switches.flow_control = choose(link_flow_controls(), "pfc-shared");
  });
  expect_plain([](EventSpec& spec) { spec.observe.waiting = true; });
  expect_plain([](EventSpec& spec) {
    spec.traffic.flows.emplace_back().arrivals = choose(arrival_processes(), "saturated");
  });
}

}  // namespace
}  // namespace headway
