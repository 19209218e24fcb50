// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/memory.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headway/compile/plan.h"
#include "headway/compile/plan/parts.h"
#include "headway/compile/run_cost.h"
#include "headway/compile/run_scope.h"
#include "headway/compile/tick.h"
#include "headway/congestion/limited_flow.h"
#include "headway/engine/admittance.h"
#include "headway/engine/backlog.h"
#include "headway/engine/jobs.h"
#include "headway/engine/layout.h"
#include "headway/engine/state.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"
#include "headway/routing/reach.h"

namespace headway {
namespace {

constexpr std::uint64_t kBytesPerGraphPort = 4 * sizeof(PortId) + sizeof(std::uint16_t);
constexpr std::uint64_t kBytesToFindStalls = sizeof(PortId) + 1 + sizeof(std::uint32_t);  // per queue
// A source in the workload, its flow's number, its random stream, and its place among those of its node.
constexpr std::uint64_t kBytesPerSource = sizeof(Source) + sizeof(std::uint32_t) + 64 + 16;

}  // namespace

std::vector<std::uint32_t> reachable_inputs(const Graph& graph, const RouteTable& routes) {
  constexpr std::uint32_t kSample = 64;
  const std::uint32_t sampled = std::min(graph.nodes(), kSample);
  std::vector<std::uint32_t> entered(graph.ports());
  Reach reach(graph, routes);
  for (std::uint32_t i = 0; i < sampled; ++i) {
    const auto destination = static_cast<NodeId>(std::uint64_t{i} * graph.nodes() / sampled);
    reach.follow(destination, [&](PortId, PortId input) { ++entered[input]; });
  }
  for (PortId port = 0; port < graph.ports(); ++port)
    entered[port] = graph.is_node_port(port)  // injection queues are like those of the leaf switch
                        ? entered[graph.peer_of(port)]
                        : static_cast<std::uint32_t>(std::uint64_t{entered[port]} * graph.nodes() / sampled);
  return entered;
}

std::uint64_t graph_memory(const Topology& topology) {
  constexpr std::uint64_t kBytes = 20;  // per port, with its peer, link and owner
  return kBytes * static_cast<std::uint64_t>(topology.switch_ports() + topology.links_of_nodes());
}

std::uint64_t network_memory(const Topology& topology) {
  constexpr std::uint64_t kBytesPerPort = kBytesPerGraphPort + sizeof(Port) + sizeof(PortState) +
                                          sizeof(Queue) + sizeof(std::uint16_t);  // with its credits
  const auto nodes = static_cast<std::uint64_t>(topology.links_of_nodes());
  const auto ports = static_cast<std::uint64_t>(topology.switch_ports()) + nodes;
  return ports * kBytesPerPort + nodes * (kBytesPerSource + sizeof(AdmittanceState::Node));
}

std::size_t PlannedRun::sources(std::size_t flow) const {
  return spec.traffic.flows[flow].absent ? 0 : (*plan.senders)[flow].size();
}

const Graph& PlannedRun::graph() const { return *plan.graph; }

Layout estimated_layout(const PlannedRun& run) {
  const Plan& plan = run.plan;
  std::vector<std::uint32_t> queues;
  if (keeps_reachable_queues_only(plan.map, plan.routes, plan.options))
    for (const std::uint32_t destinations : run.reachable())
      queues.push_back(static_cast<std::uint32_t>(
          std::min<std::uint64_t>(std::uint64_t{destinations} * plan.map.channels, plan.map.queues)));
  return Layout({*plan.graph, plan.map, plan.options, queues});
}

MemoryParts parts_at_start(const PlannedRun& run, const Layout& layout) {
  const QueueMap& map = run.plan.map;
  MemoryParts parts;
  parts.add("graph", layout.graph_ports * kBytesPerGraphPort);
  parts.add("routes", run.plan.routes.bytes() + run.plan.options.bytes_of_changes());
  parts.add("queue map", map.bytes());
  if (keeps_reachable_queues_only(map, run.plan.routes, run.plan.options))
    parts.add("queue map", layout.graph_ports *
                               (sizeof(ReachableQueues) +
                                ((map.queues + 63) / 64) * (sizeof(std::uint64_t) + sizeof(std::uint32_t))));
  parts.add("links", layout.ports * sizeof(Port) + layout.devices * sizeof(PortId));
  std::uint64_t sources = 0;
  for (std::size_t f = 0; f < run.plan.senders->size(); ++f) sources += run.sources(f);
  parts.add("sources", sources * kBytesPerSource);
  parts.add(layout.state_parts());
  return parts;
}

namespace {

// How large results are whose size depends on what happens.
struct ResultSizes {
  double powers = 40;        // of two that a histogram of times spans: up to 2^47 ticks
  double size_classes = 64;  // of messages
  bool visits_all = true;    // a critical path visits all operations, not as many as a rank has
};
constexpr ResultSizes kLargest, kUsual{12, 4, false};

// Memory of the results of a run: as numbers and, at the end, as text.
double results_memory(const PlannedRun& run, const ResultSizes& sizes) {
  constexpr double kRead = sizeof(std::uint64_t), kNumber = sizeof(double) + 20;
  constexpr double kBytesOfWaitingPair = 4 * 24 + 2 * 32;  // including the spare capacity of its table
  const Graph& graph = run.graph();
  const RunScope scope = scope_of(run.spec);
  TableBounds most = table_bounds(run.spec, graph.ports(), most_pair_rows(run.spec, graph));
  most.lanes = static_cast<double>(graph.ports()) * run.plan.options.lanes;
  most.ranks = 0;
  for (const JobPlan& job : run.plan.jobs) {
    const auto ranks = static_cast<double>(job.nodes.size());
    most.ranks += ranks;
    if (!job.program) continue;
    const auto operations = static_cast<double>(job.program->operations());
    most.operations += operations;
    most.path_operations += operations / (sizes.visits_all ? 1 : ranks);
  }
  double bytes = most_numbers(scope, most) * kNumber + most.bins * sizeof(Reading);
  const double histogram = sizes.powers * 128 * kRead;
  if (scope.meets(Needs::several_flows))
    bytes +=
        most.flows * (2 * histogram + most.bins * (sizeof(TrafficCounters) + sizeof(FlowCensus::Packets)));
  bytes += most.classes * (2 * histogram + most.bins * sizeof(TrafficCounters));
  if (scope.meets(Needs::messages))
    bytes += most.flows * std::min(most.size_classes, sizes.size_classes) *
             (2 * histogram + most.bins * sizeof(MessageSums));
  const bool has_pairs = scope.asks("per-pair");
  const double pairs = most.nodes * most.nodes;
  if (run.spec.has_destinations()) bytes += most.nodes * sizeof(Received);
  if (scope.asks("destination-series")) bytes += most.bins * most.nodes * kRead;
  if (scope.asks("port-series") && scope.meets(Needs::isolation)) bytes += most.bins * most.switch_ports;
  if (has_pairs || scope.asks("pair-series")) bytes += 3 * pairs * kRead;
  constexpr double kCellsOfPair = 64 * 8.0;  // of its histograms; more of pairs with many messages
  if (has_pairs && scope.meets(Needs::messages))
    bytes += pairs * (sizeof(MessagesOfPair) + 32 + kCellsOfPair);
  if (has_pairs && scope.meets(Needs::waiting)) bytes += pairs * kBytesOfWaitingPair;
  if (scope.asks("pair-series")) bytes += most.pair_rows * 2 * kRead;
  if (scope.meets(Needs::waiting)) bytes += most.tree_rows * sizeof(TreeSums);
  if (scope.asks("rate-series") && scope.meets(Needs::reaction))
    bytes += most.rate_rows * sizeof(LimitedFlowView);
  return bytes;
}

struct Offered {
  double messages = 0;
  double packets = 0;
  double pairs = 0;            // of a source and a destination
  double pairs_of_jobs = 0;    // of these
  double of_jobs = 0;          // messages
  double sources = 0;          // that can have a backlog
  double least_credits = 1e9;  // of a message
  // Credits of a packet of mean length, of the flow with the shortest packets: they can fill the network.
  double credits_of_packet = 1e9;
};

Offered offered(const PlannedRun& run) {
  const double fastest = run.graph().fastest_injection().bytes_per_ns.to_double();
  const double time = longest_run(run.spec).to_double();  // looks at all flows
  Offered all;
  for (std::size_t f = 0; f < run.plan.senders->size(); ++f) {
    const FlowSpec& flow = run.spec.traffic.flows[f];
    const Framing framing = run.spec.traffic.framing();
    const auto packet = static_cast<double>(framing.payload);
    const SizeDistribution sizes = flow.sizes->build(run.spec.traffic.packet.count);
    const auto nodes = static_cast<double>(run.sources(f));
    const double packets = std::ceil(sizes.mean() / packet);
    const double wire = framing.mean_frames(sizes);
    double messages = nodes * loaded_time(flow, time) * fastest / wire;
    messages += nodes + 5 * std::sqrt(messages);  // random fluctuation
    const std::uint32_t backlog = flow.arrivals->backlog();
    if (backlog > 0) messages = nodes * backlog;  // a saturated source keeps this many messages waiting
    all.messages += messages;
    all.packets += backlog > 0 ? 1e18 : messages * packets;
    all.sources += nodes;
    const auto slot = static_cast<double>(slot_of(run.spec).count);
    all.least_credits =
        std::min(all.least_credits, std::ceil(static_cast<double>(framing.frames(sizes.least())) / slot));
    all.credits_of_packet = std::min(all.credits_of_packet, std::ceil(wire / packets / slot));
  }
  all.pairs = all.packets;
  for (const JobPlan& job : run.plan.jobs) {
    if (!job.program) continue;
    const auto packet = static_cast<std::uint64_t>(run.spec.traffic.packet.count);
    job.program->for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
      all.packets += static_cast<double>(bytes / packet + 1) * static_cast<double>(messages);
    });
    all.of_jobs += static_cast<double>(job.program->most_open_sends());
    all.pairs_of_jobs += static_cast<double>(job.program->pairs());
    all.least_credits = all.credits_of_packet = 1;
  }
  all.messages += all.of_jobs;
  all.pairs += all.pairs_of_jobs;
  if (const auto& limit = run.spec.node.admittance_limit) {
    const auto room = static_cast<double>(limit->count / slot_of(run.spec).count);
    all.messages = std::min(all.messages, run.graph().nodes() * (room / all.least_credits + 1));
  }
  return all;
}

// Memory of messages that wait and of their queues.
double backlog_memory(const PlannedRun& run, const Offered& offered) {
  const auto nodes = static_cast<double>(run.graph().nodes());
  const bool fifo = run.spec.node.admittance == Admittance::fifo;
  // nodes of jobs keep queues that are empty
  const double empty =
      std::min(offered.pairs_of_jobs, nodes * static_cast<double>(AdmittanceState::kMostEmptyQueues));
  const double queues = std::min(std::max(offered.messages, empty), fifo ? nodes : nodes * nodes);
  const bool keep_all =
      !run.spec.traffic.traces.empty() || !run.spec.traffic.jobs.empty() ||
      run.spec.node.notification_packet.count > 0 || !run.graph().hosts().none() ||
      std::ranges::any_of(run.spec.traffic.flows, [&](const FlowSpec& flow) {
        return waits_for_network(flow.arrivals->backlog() > 0, run.plan.options.admittance_limit);
      });
  constexpr KeptMessages kMost;
  constexpr auto kOfQueue = static_cast<double>(kMost.of_queue);
  constexpr auto kOfRun = 2 * static_cast<double>(kMost.of_run);  // shares are larger before all queues exist
  const double kept =
      keep_all ? offered.messages : std::min(offered.messages, std::max(queues * kOfQueue, kOfRun));
  const double tails = keep_all ? 0 : std::min(offered.messages / kOfQueue, queues);
  return static_cast<double>(kBytesPerWaitingMessage) * kept +
         static_cast<double>(kBytesPerAdmittanceQueue) * queues + static_cast<double>(kBytesPerTail) * tails;
}

// The number of credits that the memories of the network have.
double capacity(const PlannedRun& run) {
  const NetworkOptions& options = run.plan.options;
  const double queues = run.plan.map.queues * options.lanes;  // the queues of a pool share the room of one
  const double output_queues = options.one_output_queue ? options.lanes : queues;
  const double at_input = options.has_lane_memory() ? options.lanes : queues;
  const double credit =  // of a lane, in those of the other memories
      options.pause ? options.pause->unit_bytes / static_cast<double>(slot_of(run.spec).count) : 1;
  return run.graph().switch_ports() *
             (at_input * credit * options.capacity + output_queues * options.output_capacity) +
         run.graph().nodes() * (queues * options.injection_capacity + 1) +
         (options.has_slow_nodes() ? run.graph().nodes() * options.lanes * credit * options.receive_capacity
                                   : 0);
}

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::min(bytes, 1e18)); }

// Memory of an observer, including its sums over links and destinations, and of what its simulation keeps for
// it.
std::uint64_t observer_memory(const Layout& layout, double pairs) {
  constexpr std::uint64_t kNumber = sizeof(double) + 20;  // also as text
  return Camera::bytes(layout) + TransitSplit::most_bytes(whole(pairs)) + layout.ports * sizeof(SentPacket) +
         layout.graph_ports * kLinkTimes * (sizeof(std::uint32_t) + kNumber) +
         layout.nodes * 4 * (sizeof(std::uint64_t) + kNumber);
}

// Memory of two snapshots, and of the file, which is kept until the run ends.
std::uint64_t snapshot_memory(const PlannedRun& run, const Layout& layout) {
  constexpr std::uint64_t kTracksOfPort = 2, kTracksOfQueue = 6, kTracksOfNode = 3, kFileOfPort = 4;
  const std::uint64_t tracks =
      layout.graph_ports * kTracksOfPort + layout.queues * kTracksOfQueue + layout.nodes * kTracksOfNode;
  const double snapshots = (run.spec.measure.duration.ns / run.spec.observe.interval.ns).to_double();
  return tracks * 2 * sizeof(std::uint32_t) +
         static_cast<std::uint64_t>(snapshots) * layout.graph_ports * kFileOfPort;
}

}  // namespace

MemoryNeed memory_need(const PlannedRun& run) {
  constexpr std::uint64_t kBytesOfCauses = 2 * sizeof(Cause);  // of an operation
  constexpr double kBytesPerPair = 4 * 16;                     // a hash table is at least a quarter full
  // The state of a flow that a reaction limits and when it was told, and where they are.
  constexpr double kBytesPerLimitedFlow = sizeof(ReactingFlow) + sizeof(Tick) + 2 * kBytesPerPair;
  const auto nodes = static_cast<double>(run.graph().nodes());
  const Offered offered = headway::offered(run);
  const double pairs = std::min(offered.pairs, nodes * nodes);
  const bool in_order = run.plan.options.in_order;
  const Layout layout = estimated_layout(run);

  MemoryNeed need;
  need.network = parts_at_start(run, layout).total();
  need.thread = layout.parts_of_thread().total();
  std::uint64_t others = layout.queues * kBytesToFindStalls;
  const bool has_paths = scope_of(run.spec).meets(Needs::critical_path);  // simulates twice
  for (std::size_t j = 0; j < run.plan.jobs.size(); ++j) {
    if (!run.plan.jobs[j].program) continue;
    const CompiledProgram& program = *run.plan.jobs[j].program;
    if (has_paths) others += program.operations() * kBytesOfCauses;
    others += program.bytes() +
              Jobs::most_bytes(program, run.spec.traffic.jobs[j].rendezvous.has_value(), has_paths);
  }
  if (run.spec.observe.waiting) others += observer_memory(layout, pairs);
  if (has_paths) others += layout.state_bytes() + Camera::bytes(layout);
  if (run.spec.observe.keep) others += snapshot_memory(run, layout);
  need.start = need.network + others + whole(results_memory(run, kLargest));
  need.results = others + whole(results_memory(run, kUsual));
  need.checking = layout.queues * 3 * sizeof(std::uint32_t) + (in_order ? whole(pairs * kBytesPerPair) : 0);
  const double most_packets = capacity(run) / offered.credits_of_packet;
  const double limited = run.plan.options.reaction ? pairs * kBytesPerLimitedFlow : 0;
  need.of_jobs = offered.of_jobs > offered.messages / 2;
  if (!in_order) need.overtaking = pairs;
  need.traffic = whole(kBytesPerPacket * std::min(offered.packets, most_packets) +
                       backlog_memory(run, offered) + limited + need.overtaking * kBytesPerPair);
  return need;
}

}  // namespace headway
