// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/compile/build.h"
#include "headway/engine/simulation.h"
#include "headway/observe/camera.h"
#include "headway/observe/flow_census.h"
#include "headway/programs/builder.h"
#include "tests/reference/flow_agreement.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"

namespace headway::reference {
namespace {

void sort_within_ticks(std::vector<Delivery>& deliveries) {
  const auto key = [](const Delivery& d) { return std::tuple(d.tick, d.source, d.serial); };
  std::stable_sort(deliveries.begin(), deliveries.end(),
                   [&](const Delivery& a, const Delivery& b) { return key(a) < key(b); });
}

// The packets that one simulator delivers in a tick and the other does not, with the tick in which the other
// delivers them.
std::string in_tick(const std::vector<Delivery>& mine, const std::vector<Delivery>& other, Tick tick) {
  std::string text;
  for (const Delivery& d : mine) {
    if (d.tick != tick || std::find(other.begin(), other.end(), d) != other.end()) continue;
    const auto twin = std::find_if(other.begin(), other.end(), [&](const Delivery& o) {
      return o.source == d.source && o.serial == d.serial;
    });
    text +=
        fmt::format(" packet {} of node {} to {} ({});", d.serial, d.source, d.destination,
                    twin == other.end() ? "not by the other" : fmt::format("by the other at {}", twin->tick));
  }
  return text;
}

std::vector<std::uint64_t> values(const Counters& c) {
  return {c.packets_generated,     c.bytes_generated, c.packets_injected, c.packets_delivered,
          c.bytes_delivered,       c.packet_hops,     c.out_of_order,     c.latency_ticks,
          c.network_latency_ticks, c.trace_messages,  c.payload_delivered};
}

std::vector<std::uint64_t> values(const IsolationCounts& c) {
  return {c.active_lines,
          c.adapter_lines,
          c.most_active_lines,
          c.allocations,
          c.detections,
          c.false_detections,
          c.frees,
          c.refused_allocations,
          c.stops,
          c.gos,
          c.moves};
}

std::vector<std::uint64_t> values(const OverflowCounts& c) {
  return {c.overflows, c.replacements, c.restorations, c.moves};
}

// The packets that wait at the input side of a port, queue by queue. Queues that are empty are left out,
// because the engine keeps only those that traffic can reach.
using WaitingPackets = std::vector<std::vector<PacketView>>;

WaitingPackets waiting(const StateView& view, const Port& port) {
  WaitingPackets result;
  for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q)
    if (view.length(q) > 0) result.push_back(view.packets(q));
  return result;
}

WaitingPackets waiting(const std::vector<Queue>& queues) {
  WaitingPackets result;
  for (const Queue& queue : queues) {
    if (queue.packets.empty()) continue;
    result.emplace_back();
    for (const Packet& packet : queue.packets)
      result.back().push_back({packet.source, packet.destination, packet.serial});
  }
  return result;
}

std::string text_of(const WaitingPackets& queues) {
  std::string text;
  for (const std::vector<PacketView>& queue : queues) {
    text += " [";
    for (const PacketView& packet : queue)
      text += fmt::format(" {}->{} #{}", packet.source, packet.destination, packet.serial);
    text += " ]";
  }
  return text;
}

Reference::Waits waits_in(const Photograph& photograph, const Graph& graph) {
  Reference::Waits waits{photograph.packets, photograph.movable, photograph.drain, {}};
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    LinkTime time = photograph.links[port];
    if (time == LinkTime::starved) time = LinkTime::unwanted;
    if (time == LinkTime::throttled) time = LinkTime::lost_room;
    ++waits.links[static_cast<std::size_t>(time)];
  }
  return waits;
}

// The numbers of packets by their waiting, by what generated them.
using WaitsByGenerator = std::vector<std::array<std::uint64_t, kWaitings>>;

WaitsByGenerator by_generator(const FlowCensus& census) {
  WaitsByGenerator result(census.flows().size());
  for (const auto& [wait, by_class] : census.waits())
    for (std::size_t waiting = 0; waiting < kWaitings; ++waiting)
      result[wait.flow][waiting] += by_class[waiting].packets;
  return result;
}

WaitsByGenerator by_generator(const Reference& naive, std::size_t generators) {
  WaitsByGenerator result(generators);
  naive.for_each_packet([&](const Reference::Looked& looked) {
    if (looked.waiting != Waiting::transit)
      ++result[looked.packet.generator][static_cast<std::size_t>(looked.waiting)];
  });
  return result;
}

// Returns what is wrong with a photograph that was counted by generator: the counts, or their sums.
std::string difference_by_generator(const FlowCensus& census, const Photograph& photograph,
                                    const Reference& naive) {
  const WaitsByGenerator here = by_generator(census), there = by_generator(naive, census.flows().size());
  if (here != there)
    return fmt::format("packets by generator and waiting: {} to the engine, {} to the reference", here,
                       there);
  for (std::size_t generator = 0; generator < here.size(); ++generator) {
    const FlowCensus::Packets& packets = census.flows()[generator];
    const auto& by_class = here[generator];
    if (packets.waiting != std::accumulate(by_class.begin(), by_class.end(), std::uint64_t{0}) ||
        packets.hol != by_class[static_cast<std::size_t>(Waiting::hol)])
      return fmt::format("generator {} has {} packets that wait, by class {}", generator, packets.waiting,
                         by_class);
  }
  for (const auto& [wait, by_class] : census.waits())
    if (const std::uint32_t sends = naive.sends(wait.root); wait.behind != sends)
      return fmt::format(
          "the root of kind {} at port {} sends a packet of {} to the engine, of {} to the "
          "reference",
          static_cast<int>(wait.root.kind), wait.root.port, wait.behind, sends);
  std::uint64_t victims = 0;
  for (const FlowCensus::Packets& packets : census.flows()) victims += packets.victims;
  if (victims != photograph.victims)
    return fmt::format("{} victims, of all generators {}", photograph.victims, victims);
  std::map<Root, std::pair<std::uint64_t, std::uint64_t>> at_roots;
  for (const auto& [key, sums] : census.roots()) {
    at_roots[key.second].first += sums.packets;
    at_roots[key.second].second += sums.victims;
  }
  for (const RootSeen& seen : photograph.roots)
    if (at_roots[seen.root] != std::pair(seen.packets + seen.admittance, seen.victims))
      return fmt::format("{} packets at the root at port {}, of all generators {}",
                         seen.packets + seen.admittance, seen.root.port, at_roots[seen.root].first);
  return "";
}

// Runs both to the end. At several halts both must agree on why packets wait, also for the packets of each
// source and trace.
std::string run_with_halts(Simulation& engine, const Network& network, const Workload& workload,
                           Reference& naive, Tick end) {
  constexpr Tick kHalts = 12;
  FlowNumbers generators(workload, std::vector<std::uint32_t>(workload.flows.size()));
  generators.flows = workload.generators();
  std::iota(generators.of_generator.begin(), generators.of_generator.end(), 0U);
  FlowCensus census(network, std::move(generators), false, 1);
  Camera camera(network, 1, &census);
  for (Tick halt = 1; halt <= kHalts; ++halt) {
    const Tick tick = std::max<Tick>(end * halt / kHalts, 1);
    engine.run_until(tick);
    naive.run_until(tick);
    census.begin_measurement();
    const Photograph& photograph = camera.take(engine.view());
    const Reference::Waits here = waits_in(photograph, network.graph), there = naive.waits();
    if (here != there)
      return fmt::format(
          "tick {}: packets wait for {}, {} movable, {} draining, links {} to the engine; {}, "
          "{} movable, {} draining, links {} to the reference",
          tick, here.packets, here.movable, here.drain, here.links, there.packets, there.movable, there.drain,
          there.links);
    if (const std::string text = difference_by_generator(census, photograph, naive); !text.empty())
      return fmt::format("tick {}: {}", tick, text);
  }
  return "";
}

// The times of all messages and operations, and of the iterations that have ended.
std::string difference_of_jobs(const JobsView& jobs, std::vector<JobMessage> messages,
                               const NaiveJobs& naive) {
  std::vector<JobMessage> expected = naive.messages();
  std::ranges::sort(messages);
  std::ranges::sort(expected);
  if (messages != expected)
    return fmt::format("messages of jobs differ; {} to the engine, {} to the reference", messages.size(),
                       expected.size());
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const JobRecord& record = jobs.record(job);
    if (naive.begin(job) >= 0 &&
        (record.start != naive.begin(job) || !std::ranges::equal(record.nodes, naive.nodes(job))))
      return fmt::format("job {} begins at {} to the engine, at {} to the reference, or on other nodes", job,
                         record.start, naive.begin(job));
    for (std::uint32_t op = 0; op < record.ops.size(); ++op)
      if (const NaiveJobs::Times& there = naive.times(job)[op];
          record.ops[op].start != there.start || record.ops[op].finish != there.finish)
        return fmt::format("job {}, {}: from {} to {} to the engine, from {} to {} to the reference", job,
                           text_of_op(naive.program(job), op), record.ops[op].start, record.ops[op].finish,
                           there.start, there.finish);
    for (std::size_t i = 0; i < naive.iterations(job).size(); ++i) {
      const auto& [begin, end] = naive.iterations(job)[i];
      const bool has_ended = i < record.of_iteration.size();
      if (has_ended != (end >= 0) || (has_ended && record.of_iteration[i] != IterationTimes{begin, end}))
        return fmt::format("job {}: iteration {} differs", job, i);
    }
  }
  return naive.done() == jobs.done() ? "" : "one has done all jobs";
}

std::string difference(const Network& network, const Workload& workload, Reference& naive, std::uint64_t seed,
                       Tick end, bool check) {
  std::vector<Delivery> fast;
  std::vector<std::uint32_t> each(workload.flows.size());
  std::iota(each.begin(), each.end(), 0U);
  const FlowNumbers flows(workload, each);
  MessageTimes messages(network, workload, flows, {});
  std::vector<JobMessage> of_jobs;
  messages.begin_measurement();
  // few kept messages leave most of them in tails
  const auto engine =
      make_simulation(network, workload,
                      {.seed = seed,
                       .check = check,
                       .count_by_generator = true,
                       .kept_messages = {.of_queue = seed % 2 == 0 ? 32U : 2U, .of_run = 0},
                       .count_flows = &flows,
                       .deliveries =
                           [&](std::span<const Delivery> told) {
                             fast.insert(fast.end(), told.begin(), told.end());
                             messages.take(told);
                           },
                       .kept_of_jobs = {.ops = true},
                       .job_messages = [&](const JobMessage& message) { of_jobs.push_back(message); },
                       .keep_sent = true});
  const std::string waits = run_with_halts(*engine, network, workload, naive, end);
  std::vector<Delivery> slow = naive.deliveries();
  sort_within_ticks(fast);
  sort_within_ticks(slow);
  const auto [here, there] = std::mismatch(fast.begin(), fast.end(), slow.begin(), slow.end());
  if (here != fast.end() || there != slow.end()) {
    const Tick tick =
        std::min(here == fast.end() ? end : here->tick, there == slow.end() ? end : there->tick);
    return fmt::format("first differs in tick {}: engine delivers{} reference delivers{}", tick,
                       in_tick(fast, slow, tick), in_tick(slow, fast, tick));
  }
  if (!waits.empty()) return "deliveries agree, " + waits;
  for (PortId port = 0; port < naive.ports(); ++port)
    if (const WaitingPackets here = waiting(engine->view(), network.ports[port]),
        there = waiting(naive.queues(port));
        here != there)
      return fmt::format("deliveries agree, what waits at port {} does not: engine{} reference{}", port,
                         text_of(here), text_of(there));
  const Counters& counted = engine->record().counters;
  if (values(counted) != values(naive.counters()))
    return fmt::format("deliveries agree, counters do not: engine {} reference {}", values(counted),
                       values(naive.counters()));
  if (const std::string text = difference_of_flows(engine->record(), network, flows, naive); !text.empty())
    return "deliveries agree, " + text;
  if (const std::string text = difference_of_messages(messages, network, workload, flows, naive);
      !text.empty())
    return "deliveries agree, " + text;
  if (const std::string text = difference_of_jobs(engine->jobs(), of_jobs, naive.jobs()); !text.empty())
    return "deliveries agree, " + text;
  if (counted.marks != naive.marked() ||
      (naive.control() != nullptr && (counted.notifications != naive.control()->notifications() ||
                                      engine->record().limited_flows != naive.limited())))
    return fmt::format("deliveries agree, marks do not: {} to the engine, {} to the reference", counted.marks,
                       naive.marked());
  if (counted.packets_lost != naive.lost() || counted.pauses != naive.pauses())
    return fmt::format(
        "deliveries agree, pauses do not: {} and {} losses to the engine, {} and {} to the reference",
        counted.pauses, counted.packets_lost, naive.pauses(), naive.lost());
  if (naive.isolation() != nullptr &&
      values(engine->view().isolation_counts()) != values(naive.isolation()->counts()))
    return fmt::format("deliveries agree, isolation does not: engine {} reference {}",
                       values(engine->view().isolation_counts()), values(naive.isolation()->counts()));
  if (naive.overflow() != nullptr &&
      values(engine->view().overflow_counts()) != values(naive.overflow()->counts()))
    return fmt::format("deliveries agree, overflow does not: engine {} reference {}",
                       values(engine->view().overflow_counts()), values(naive.overflow()->counts()));
  return "";
}

}  // namespace

std::string disagreement(const EventSpec& spec, const Duration& end, bool check) {
  const Model model = build(spec);
  Graph graph = spec.network.topology->build(spec.network.link);
  apply(spec.network.faults, graph);
  const Setup setup = setup_of(spec, std::move(graph));
  if (model.network.tick != setup.rules.tick)
    return fmt::format("a tick is {} to the engine, {} to the reference", to_string(model.network.tick),
                       to_string(setup.rules.tick));
  const Workload workload = workload_of(spec, setup);
  Reference naive(setup, workload, spec.seed);
  const Rational ticks = end.ns / setup.rules.tick.ns;
  return difference(model.network, model.workload, naive, spec.seed, ticks.numerator() / ticks.denominator(),
                    check);
}

std::string disagreement(const Network& network, const Workload& workload, std::uint64_t seed, Tick end,
                         bool check) {
  const Setup setup = setup_of(network);
  Reference naive(setup, workload, seed);
  return difference(network, workload, naive, seed, end, check);
}

}  // namespace headway::reference
