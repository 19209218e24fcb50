// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/rng.h"
#include "headway/selection/selection.h"
#include "tests/support/dice.h"
#include "tests/support/hand_made.h"

namespace headway::test {
namespace {

using TreeUp = RouteTable::TreeUp;

// The recorded hashes depend on this order.
constexpr TreeUp kUps[] = {TreeUp::destination_digit, TreeUp::random, TreeUp::source_digit,
                           TreeUp::digit_sum};
constexpr ArbiterKind kArbiters[] = {ArbiterKind::round_robin, ArbiterKind::oldest_first, ArbiterKind::random,
                                     ArbiterKind::oldest_injected};

// By kind: any node, any other node, one fixed node for all, or a fixed partner per node. Nodes without a
// partner never send.
class RandomDestinations : public Destinations {
 public:
  RandomDestinations(std::uint32_t nodes, std::uint32_t kind, std::uint32_t shift)
      : nodes_(nodes), kind_(kind), shift_(shift) {}
  NodeId next(NodeId source, Rng& rng) const override {
    if (kind_ == 0) return rng.below(nodes_);
    if (kind_ == 1) return nodes_ == 1 ? kNone : (source + 1 + rng.below(nodes_ - 1)) % nodes_;
    if (kind_ == 2) return shift_;
    const NodeId reversed = (nodes_ + shift_ - source) % nodes_;
    return reversed == source ? kNone : reversed;
  }

 private:
  std::uint32_t nodes_, kind_, shift_;
};

// Gaps uniform in (0, 2 mean], so that some ticks have several messages and other periods none.
class RandomGaps : public ArrivalProcess {
 public:
  RandomGaps(Instant mean, Tick start, Tick stop)
      : bound_(static_cast<std::uint32_t>(2 * mean)), start_(instant_of(start)), stop_(instant_of(stop)) {}
  Instant first(Rng& rng) const override { return next(start_, rng); }
  Instant next(Instant previous, Rng& rng) const override {
    const Instant instant = previous + 1 + rng.below(bound_);
    return instant < stop_ ? instant : kNever;
  }

 private:
  std::uint32_t bound_;
  Instant start_, stop_;
};

class Until : public ArrivalProcess {
 public:
  Until(std::shared_ptr<const ArrivalProcess> arrivals, Tick stop)
      : arrivals_(std::move(arrivals)), stop_(instant_of(stop)) {}
  Instant first(Rng& rng) const override { return cut(arrivals_->first(rng)); }
  Instant next(Instant previous, Rng& rng) const override { return cut(arrivals_->next(previous, rng)); }

 private:
  Instant cut(Instant instant) const { return instant < stop_ ? instant : kNever; }
  std::shared_ptr<const ArrivalProcess> arrivals_;
  Instant stop_;
};

struct Wired {
  Graph graph;
  RouteTable routes;
  std::string name;
};

Link random_link(Dice& dice, bool alike) {
  if (alike) return {Rate{1}, Duration{4}};
  return {Rate{Rational(1, dice.from(1, 3))}, Duration{dice.from(1, dice.one_in(10) ? 200 : 12)}};
}

void connect(Graph& graph, PortId a, PortId b, Dice& dice, bool alike) {
  graph.connect_directed(a, b, random_link(dice, alike));
  graph.connect_directed(b, a, random_link(dice, alike));
}

Wired random_star(Dice& dice, bool alike) {
  const bool wide = dice.one_in(8);
  const std::uint32_t nodes = wide ? dice.from(60, 80) : dice.from(1, 12);
  const std::uint32_t ports = nodes + (wide ? dice.from(5, 60) : dice.from(0, 3));
  Graph graph(nodes, {ports}, SingleSwitchShape{});
  for (NodeId node = 0; node < nodes; ++node)
    connect(graph, graph.port(0, node), graph.node_port(node), dice, alike);
  return {std::move(graph), star_routes(nodes),
          fmt::format("{} nodes on a switch of {} ports", nodes, ports)};
}

Wired random_k_ary_n_tree(Dice& dice, bool alike, bool one_path) {
  const std::uint32_t k = dice.from(2, 4);
  const std::uint32_t n = dice.from(1, k == 2 ? 4 : k == 3 ? 3 : 2);
  std::uint32_t per_stage = 1;
  for (std::uint32_t s = 1; s < n; ++s) per_stage *= k;
  TreeShape shape = k_ary_tree(k, n);
  if (dice.one_in(2)) {  // nodes at random places; covers every relabelling of a BMIN
    for (NodeId node = 0; node < per_stage * k; ++node)
      shape.place_of.insert(shape.place_of.begin() + dice.from(0, node), node);
  }
  Graph graph(per_stage * k, std::vector<std::uint32_t>(n * per_stage, 2 * k), shape);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const NodeId place = shape.place_of.empty() ? node : shape.place_of[node];
    connect(graph, graph.port(place / k, place % k), graph.node_port(node), dice, alike);
  }
  for (std::uint32_t s = 0, power = 1; s + 1 < n; ++s, power *= k)
    for (std::uint32_t o = 0; o < per_stage; ++o)
      for (std::uint32_t j = 0; j < k; ++j) {  // up port k + j leads to the switch above whose digit s is j
        const std::uint32_t digit = o / power % k;
        const std::uint32_t above = o - digit * power + j * power;
        connect(graph, graph.port(s * per_stage + o, k + j), graph.port((s + 1) * per_stage + above, digit),
                dice, alike);
      }
  const auto up = one_path ? RouteTable::TreeUp::destination_digit : kUps[dice.from(0, 3)];
  return {std::move(graph), RouteTable::tree(shape, up),
          fmt::format("{}-ary {}-tree{}, up {}", k, n, shape.place_of.empty() ? "" : " renamed",
                      static_cast<int>(up))};
}

// A mesh or torus of up to three dimensions, whose routing corrects them in any order.
Wired random_grid(Dice& dice, bool alike) {
  GridShape shape{{dice.from(1, 6)}, dice.from(1, 3), dice.one_in(2)};
  if (dice.one_in(2)) shape.sides.push_back(dice.from(1, 3));
  if (dice.one_in(3)) shape.sides.push_back(2);
  std::uint32_t switches = 1;
  std::string name;
  for (const std::uint32_t side : shape.sides) {
    switches *= side;
    name += fmt::format("{}x", side);
  }
  const auto dimensions = static_cast<std::uint32_t>(shape.sides.size());
  Graph graph(switches * shape.nodes_per_switch,
              std::vector<std::uint32_t>(switches, shape.nodes_per_switch + 2 * dimensions), shape);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    connect(graph, graph.port(node / shape.nodes_per_switch, node % shape.nodes_per_switch),
            graph.node_port(node), dice, alike);
  std::vector<std::uint32_t> order;
  for (std::uint32_t d = 0, stride = 1; d < dimensions; stride *= shape.sides[d++]) {
    order.insert(order.begin() + dice.from(0, d), d);
    for (SwitchId sw = 0; sw < switches; ++sw) {
      const bool last = sw / stride % shape.sides[d] == shape.sides[d] - 1;
      if (shape.sides[d] == 1 || (last && !shape.wraps)) continue;
      const SwitchId next = last ? sw - (shape.sides[d] - 1) * stride : sw + stride;
      connect(graph, graph.port(sw, shape.higher_port(d)), graph.port(next, shape.lower_port(d)), dice,
              alike);
    }
  }
  // without a table, as in large networks
  RouteTable routes = RouteTable::by_formula(GridRoutes(shape, order, false), switches, graph.nodes(),
                                             /*largest_table=*/0);
  return {std::move(graph), std::move(routes),
          fmt::format("{}{} {}", name, shape.nodes_per_switch, shape.wraps ? "torus" : "mesh")};
}

// Switches in a random tree with bundles of parallel links; a packet may take any link of a bundle. Nodes are
// at random places.
Wired random_irregular(Dice& dice, bool alike, bool one_path) {
  const std::uint32_t switches = dice.from(2, 6);
  const std::uint32_t nodes = dice.from(2, 12);
  std::vector<SwitchId> parent(switches, kNone), leaf;
  std::vector<std::uint32_t> bundle(switches, 0), radix(switches, 0);
  for (SwitchId sw = 1; sw < switches; ++sw) {
    parent[sw] = dice.from(0, sw - 1);
    bundle[sw] = one_path ? 1 : dice.from(1, 3);
    radix[sw] += bundle[sw];
    radix[parent[sw]] += bundle[sw];
  }
  for (NodeId node = 0; node < nodes; ++node) ++radix[leaf.emplace_back(dice.from(0, switches - 1))];
  std::vector<std::uint32_t> used(switches, 0);
  for (auto& ports : radix) ports += dice.from(0, 2);

  Graph graph(nodes, radix, IrregularShape{});
  std::vector<PortRange> up(switches), down(switches),
      to_node(nodes);  // ports from switch to parent, from parent to switch, from leaf to node
  const auto take = [&](SwitchId sw, std::uint32_t count) {
    const PortRange range{static_cast<std::uint16_t>(used[sw]), static_cast<std::uint16_t>(count)};
    used[sw] += count;
    return range;
  };
  for (NodeId node = 0; node < nodes; ++node) {
    to_node[node] = take(leaf[node], 1);
    connect(graph, graph.port(leaf[node], to_node[node].first), graph.node_port(node), dice, alike);
  }
  for (SwitchId sw = 1; sw < switches; ++sw) {
    up[sw] = take(sw, bundle[sw]);
    down[sw] = take(parent[sw], bundle[sw]);
    for (std::uint32_t i = 0; i < bundle[sw]; ++i)
      connect(graph, graph.port(sw, up[sw].first + i), graph.port(parent[sw], down[sw].first + i), dice,
              alike);
  }
  std::vector<PortRange> candidates;
  for (SwitchId sw = 0; sw < switches; ++sw)
    for (NodeId node = 0; node < nodes; ++node) {
      PortRange toward = sw == leaf[node] ? to_node[node] : up[sw];
      for (SwitchId below = leaf[node]; below != sw && below != 0; below = parent[below])
        if (parent[below] == sw) toward = down[below];
      candidates.push_back(toward);
    }
  return {std::move(graph), RouteTable::from_table(nodes, std::move(candidates)),
          fmt::format("{} nodes on a tree of {} switches", nodes, switches)};
}

Wired random_wiring(Dice& dice, bool alike, bool one_path = false) {
  switch (dice.from(0, 4)) {
    case 0:
      return random_star(dice, alike);
    case 1:
      return random_k_ary_n_tree(dice, alike, one_path);
    case 2:
    case 3:
      return random_grid(dice, alike);
    default:
      return random_irregular(dice, alike, one_path);
  }
}

QueueMap random_groups(Dice& dice, const Graph& graph, std::string& name) {
  const std::uint32_t few = dice.from(2, 5);
  switch (dice.from(0, 5)) {
    case 0:
      name = "1q";
      return QueueMap::single();
    case 1:
      name = "voqsw";
      return QueueMap::from(QueueKey::output, graph.max_radix(), graph.max_radix(),
                            [](auto port) { return port; });
    case 2:
      name = fmt::format("obqa {}", few);
      return QueueMap::from(QueueKey::output, few, graph.max_radix(), [=](auto port) { return port % few; });
    case 3:
      name = fmt::format("dbbm {}", few);
      return QueueMap::from(QueueKey::destination, few, graph.nodes(), [=](auto node) { return node % few; });
    case 4:
      name = "voqnet";
      return QueueMap::from(QueueKey::destination, graph.nodes(), graph.nodes(),
                            [](auto node) { return node; });
    default:
      name = fmt::format("most room of {}", few);
      return QueueMap::most_room(few);
  }
}

// A random queue for each combination of values of randomly chosen coordinates.
QueueMap random_table(Dice& dice, const Graph& graph, std::string& name) {
  QueueMap map{.key = QueueKey::table, .queues = dice.from(2, 5)};
  name = fmt::format("table of {} queues by", map.queues);
  std::uint32_t combinations = 1;
  const auto depend_on = [&](const char* what, std::uint32_t values, std::uint32_t keys, auto value_of,
                             std::vector<std::uint32_t>& part) {
    name += fmt::format(" {}", what);
    for (std::uint32_t key = 0; key < keys; ++key) part.push_back(value_of(key) * combinations);
    combinations *= values;
  };
  const auto itself = [](std::uint32_t value) { return value; };
  switch (dice.from(0, 3)) {
    case 0:
      break;
    case 1:
      depend_on(
          "switch", graph.switches(), graph.switch_ports(),
          [&](PortId port) { return graph.switch_of(port); }, map.at_input);
      break;
    case 2:
      depend_on(
          "input", graph.max_radix(), graph.switch_ports(), [&](PortId port) { return graph.local(port); },
          map.at_input);
      break;
    default:
      depend_on("switch and input", graph.switch_ports(), graph.switch_ports(), itself, map.at_input);
  }
  if (dice.one_in(2)) depend_on("output", graph.max_radix(), graph.max_radix(), itself, map.at_output);
  if (dice.one_in(2)) depend_on("source", graph.nodes(), graph.nodes(), itself, map.of_source);
  if (dice.one_in(2)) depend_on("destination", graph.nodes(), graph.nodes(), itself, map.of_destination);
  for (std::uint32_t i = 0; i < combinations; ++i) map.queue_of.push_back(dice.from(0, map.queues - 1));
  return map;
}

QueueMap random_queue_map(Dice& dice, const Graph& graph, bool table, std::string& name) {
  const QueueMap groups = table ? random_table(dice, graph, name) : random_groups(dice, graph, name);
  if (groups.channels > 1 || !dice.one_in(4)) return groups;
  const std::uint32_t channels = dice.from(2, 3);
  const bool most = dice.one_in(2);
  name += fmt::format(" times {} channels, {} room", channels, most ? "most" : "first");
  return groups.with_channels(channels, most ? ChannelChoice::most_room : ChannelChoice::first_room);
}

SelectionRule random_selection(Dice& dice, const Graph& graph, std::string& name) {
  const Registry<Selection> list = selections();
  for (;;) try {
      name = list[dice.from(0, static_cast<std::uint32_t>(list.size()) - 1)].name;
      SelectionRule rule = choose(list, name)->build(graph);
      const bool random_ties = dice.one_in(2);
      if (auto* most = std::get_if<MostCredits>(&rule.own); most != nullptr && random_ties)
        most->ties = MostCredits::Ties::random;
      rule.free = static_cast<FreeOutput>(dice.from(0, 2));
      if (dice.one_in(3)) rule.none_free = NoneFree::preferred;
      if (dice.one_in(2)) rule.cp_counts = CpCounts::routed;
      name += fmt::format(" (free {}, none free {}, counts {}{}), ", static_cast<int>(rule.free),
                          static_cast<int>(rule.none_free), static_cast<int>(rule.cp_counts),
                          random_ties ? ", random ties" : "");
      return rule;
    } catch (const SpecError&) {  // the selection needs tree addresses that this graph does not have
    }
}

Flow random_flow(Dice& dice, const Network& network, std::string& description) {
  Flow flow;
  flow.packets = dice.one_in(3) ? dice.from(2, 5) : 1;
  flow.last_bytes = dice.one_in(2) ? network.packet_bytes : dice.from(1, network.packet_bytes);
  flow.start = dice.one_in(3) ? dice.from(0, 300) : 0;
  flow.stop = dice.one_in(3) ? flow.start + dice.from(1, 800) : INT32_MAX;
  const std::uint32_t kind = dice.from(0, 3);
  flow.destinations =
      std::make_shared<RandomDestinations>(network.nodes(), kind, dice.from(0, network.nodes() - 1));
  description += fmt::format("; flow: destinations {}, {} packets, last of {} B, [{}, {})", kind,
                             flow.packets, flow.last_bytes, flow.start, flow.stop);
  if (dice.one_in(4)) {
    flow.backlog = dice.from(1, 4);
    description += fmt::format(", backlog {}", flow.backlog);
    return flow;
  }
  const Tick message = static_cast<Tick>(flow.packets) * network.packet_bytes;
  const Instant mean =
      instant_of(message) * 4 / dice.from(1, 12) + 1;  // offered: a quarter to three times a link's rate
  flow.arrivals = std::make_shared<RandomGaps>(mean, flow.start, flow.stop);
  description += fmt::format(", mean gap {}/2^{}", mean, kInstantBits);
  return flow;
}

void add_flows(Dice& dice, std::uint32_t flows, RandomCase& result) {
  for (std::uint32_t flow = 0; flow < flows; ++flow) {
    result.workload.flows.push_back(random_flow(dice, result.network, result.description));
    const std::uint32_t left_out = dice.from(1, 6);
    for (NodeId node = 0; node < result.network.nodes(); ++node)
      if (left_out == 1 || !dice.one_in(left_out)) result.workload.sources.push_back({node, flow});
  }
}

// Options that all cases draw: times, switching, arbiter, sizes of packets and queues; sizes are often small.
// A switch's queue holds up to `few` or up to `many` packets, an injection queue up to 2 or up to `injected`.
struct Capacities {
  std::uint32_t few, many;
};
void random_basics(Dice& dice, Capacities most, std::uint32_t injected, NetworkOptions& options) {
  options.routing_delay = dice.one_in(2) ? 0 : dice.from(1, 20);
  options.store_and_forward = dice.one_in(3);
  options.holds_faster_links = dice.one_in(3);
  options.arbiter = kArbiters[dice.from(0, 3)];
  options.admittance = dice.one_in(3) ? Admittance::fifo : Admittance::per_destination;
  options.packet_bytes = dice.one_in(2) ? dice.from(1, 8) : dice.from(1, 64);
  options.capacity = dice.from(1, dice.one_in(2) ? most.few : most.many);
  options.injection_capacity = dice.from(1, dice.one_in(2) ? 2 : injected);
  if (dice.one_in(4)) options.admittance_limit = dice.from(5, 15);
}

// The same memories, and sometimes a bit more, in cells of any size.
void count_in_cells(Dice& dice, NetworkOptions& options, std::string& description) {
  options.cell_bytes = dice.from(1, options.packet_bytes);
  const std::uint32_t full = options.credits_of_packet();
  for (std::uint32_t* capacity : {&options.capacity, &options.injection_capacity, &options.output_capacity})
    if (*capacity > 0) *capacity = *capacity * full + dice.from(0, full - 1);
  if (options.admittance_limit != UINT64_MAX) options.admittance_limit *= full;
  description += fmt::format("; cells of {} B, {} per queue, {} at nodes, {} at outputs", options.cell_bytes,
                             options.capacity, options.injection_capacity, options.output_capacity);
}

// Bursts of messages of any size, many in one tick, between any two nodes.
Trace random_trace(Dice& dice, const Network& network, Tick end, std::string& description) {
  std::vector<TimedMessage> messages;
  Tick tick = dice.from(0, 100);
  const std::uint32_t longest = network.packet_bytes * (dice.one_in(3) ? 20 : 3);
  const std::uint32_t gap = dice.from(1, 4 * network.packet_bytes);
  for (const NodeId last = network.nodes() - 1; tick < end;) {
    messages.push_back({tick, dice.from(0, last), dice.from(0, last), dice.from(1, longest)});
    if (!dice.one_in(3)) tick += dice.from(0, gap);
  }
  description += fmt::format("; trace of {} messages of up to {} B", messages.size(), longest);
  return listed_trace(std::move(messages), network.nodes());
}

RandomCase random_case(std::uint64_t number, bool table, Memory memory) {
  Dice dice(number);
  const bool alike = dice.one_in(2);
  Wired wired = random_wiring(dice, alike);
  while (memory == Memory::cells && wired.graph.has_rings()) wired = random_wiring(dice, alike);
  std::string scheme;
  QueueMap queue_map = random_queue_map(dice, wired.graph, table, scheme);
  NetworkOptions options;
  random_basics(dice, {2, 8}, 8, options);
  options.in_order = false;
  std::string selection;
  if (!queue_map.uses_output() && dice.one_in(2))
    options.selection = random_selection(dice, wired.graph, selection);
  if (dice.one_in(3)) {
    const Rational speedups[] = {1, {3, 2}, 2};
    options.output_capacity = dice.from(1, 4);
    options.one_output_queue = dice.one_in(3);
    options.crossbar_speedup = speedups[dice.from(0, 2)];
    options.tick = Duration{Rational(1, options.crossbar_speedup.numerator())};
  }
  if (dice.one_in(4) && queue_map.queues <= 64)
    for (std::uint32_t queue = 0; queue < queue_map.queues; ++queue)
      options.weights.push_back(static_cast<std::uint16_t>(dice.from(1, 3)));
  if (dice.one_in(3) && wired.graph.links_go_both_ways())
    options.credit_bytes = dice.from(1, options.packet_bytes);
  if (wired.graph.has_rings()) {
    options.capacity = std::max(options.capacity, 2U);
    if (options.output_capacity > 0) options.output_capacity = std::max(options.output_capacity, 2U);
  }
  std::string description = fmt::format(
      "{}, {}{} links; {}, {} ({} at nodes, {} at outputs, {}speed-up {}) packets of {} B per queue; routing "
      "delay {}; store and forward {}, holds faster links {}; arbiter {}; admittance {}, at most {}",
      wired.name, selection, alike ? "equal" : "any", scheme, options.capacity, options.injection_capacity,
      options.output_capacity, options.one_output_queue ? "one queue, " : "",
      options.crossbar_speedup.to_double(), options.packet_bytes, options.routing_delay,
      options.store_and_forward, options.holds_faster_links, static_cast<int>(options.arbiter),
      static_cast<int>(options.admittance), options.admittance_limit);
  description +=
      fmt::format("; weights {}; credits of {} B", fmt::join(options.weights, " "), options.credit_bytes);
  if (memory == Memory::cells) count_in_cells(dice, options, description);
  RandomCase result{"",
                    Network(std::move(wired.graph), std::move(wired.routes), std::move(queue_map), options),
                    {},
                    static_cast<Tick>(options.packet_bytes) * dice.from(20, 60)};
  add_flows(dice, dice.from(1, 3), result);
  if (dice.one_in(3)) {
    if (dice.one_in(2)) result.workload = {};
    result.workload.traces.push_back(random_trace(dice, result.network, result.end, description));
    if (dice.one_in(4))
      result.workload.traces.push_back(random_trace(dice, result.network, result.end, description));
  }
  result.description = description + result.description;
  return result;
}

}  // namespace

RandomCase random_case(std::uint64_t number, Memory memory) {
  return random_case(number, /*table=*/false, memory);
}

RandomCase random_table_case(std::uint64_t number, Memory memory) {
  return random_case(number, /*table=*/true, memory);
}

RandomCase random_isolation_case(std::uint64_t number, Memory memory) {
  Dice dice(number);
  const bool alike = dice.one_in(2);
  Wired wired = random_wiring(dice, alike, /*one_path=*/true);
  while (wired.graph.has_rings()) wired = random_wiring(dice, alike, /*one_path=*/true);
  IsolationRules rules;
  rules.key = dice.one_in(2) ? IsolationKey::destination : IsolationKey::route;
  rules.lines = dice.from(1, dice.one_in(2) ? 3 : 16);
  rules.detection_threshold = dice.from(0, dice.one_in(2) ? 2 : 8);
  rules.stop_threshold = dice.from(0, dice.one_in(2) ? 2 : 8);
  rules.go_threshold = dice.from(0, rules.stop_threshold);
  rules.idle = dice.from(0, dice.one_in(2) ? 4 : 200);
  if (dice.one_in(2)) rules.signal_delay = dice.from(1, dice.one_in(2) ? 10 : 400);
  rules.nearest_last = dice.one_in(4);
  rules.pass_when_full = dice.one_in(3);
  NetworkOptions options;
  options.isolation = rules;
  random_basics(dice, {8, 40}, 20, options);
  options.in_order = true;
  if (dice.one_in(4)) options.credit_bytes = dice.from(1, options.packet_bytes);
  if (dice.one_in(3))
    options.isolation->signal_bytes = rules.signal_bytes = dice.from(1, options.packet_bytes);
  std::string description = fmt::format(
      "{}, {} links; {} with {} lines, thresholds {} {} {}, idle {}, signals {} of {} B, nearest last "
      "{}, pass {}; "
      "credits of {} B; {} ({} at "
      "nodes) packets of {} B per port; routing delay {}; store and forward {}, holds faster links {}; "
      "arbiter {}; admittance {}, at most {}",
      wired.name, alike ? "equal" : "any", rules.key == IsolationKey::route ? "recn-iq" : "fbicm",
      rules.lines, rules.detection_threshold, rules.stop_threshold, rules.go_threshold, rules.idle,
      rules.signal_delay.value_or(-1), rules.signal_bytes, rules.nearest_last, rules.pass_when_full,
      options.credit_bytes, options.capacity, options.injection_capacity, options.packet_bytes,
      options.routing_delay, options.store_and_forward, options.holds_faster_links,
      static_cast<int>(options.arbiter), static_cast<int>(options.admittance), options.admittance_limit);
  if (memory == Memory::cells) count_in_cells(dice, options, description);
  RandomCase result{"",
                    Network(std::move(wired.graph), std::move(wired.routes), QueueMap::single(), options),
                    {},
                    static_cast<Tick>(options.packet_bytes) * dice.from(20, 120)};
  add_flows(dice, dice.from(1, 4), result);
  for (Flow& flow : result.workload.flows) {
    flow.stop = std::min(flow.stop, result.end);
    if (flow.arrivals) flow.arrivals = std::make_shared<Until>(flow.arrivals, result.end);
  }
  result.description = description + result.description;
  return result;
}

RandomCase random_overflow_case(std::uint64_t number, Memory memory) {
  Dice dice(number);
  const bool alike = dice.one_in(2);
  Wired wired = random_wiring(dice, alike);
  while (memory == Memory::cells && wired.graph.has_rings()) wired = random_wiring(dice, alike);
  OverflowRules rules;
  rules.ways = dice.from(1, 3);
  const std::uint32_t sets = dice.from(1, 3);
  rules.queues = rules.ways * sets;
  for (NodeId node = 0; node < wired.graph.nodes(); ++node) rules.set_of.push_back(dice.from(0, sets - 1));
  rules.replacement = static_cast<Replacement>(dice.from(0, 4));
  rules.restoration = static_cast<Restoration>(dice.from(0, 2));
  NetworkOptions options;
  options.overflow = rules;
  random_basics(dice, {8, 40}, 20, options);
  if (wired.graph.has_rings()) options.capacity = std::max(options.capacity, 2U);
  if (dice.one_in(3) && wired.graph.links_go_both_ways())
    options.credit_bytes = dice.from(1, options.packet_bytes);
  options.in_order = false;
  std::string description = fmt::format(
      "{}, {} links; {} queues in sets of {}, replacement {}, restoration {}; {} ({} at nodes) packets of {} "
      "B "
      "per port; routing delay {}; store and forward {}, holds faster links {}; arbiter {}; admittance {}, "
      "at most {}; credits of {} B",
      wired.name, alike ? "equal" : "any", rules.queues, rules.ways, static_cast<int>(rules.replacement),
      static_cast<int>(rules.restoration), options.capacity, options.injection_capacity, options.packet_bytes,
      options.routing_delay, options.store_and_forward, options.holds_faster_links,
      static_cast<int>(options.arbiter), static_cast<int>(options.admittance), options.admittance_limit,
      options.credit_bytes);
  if (memory == Memory::cells) count_in_cells(dice, options, description);
  RandomCase result{"",
                    Network(std::move(wired.graph), std::move(wired.routes), QueueMap::single(), options),
                    {},
                    static_cast<Tick>(options.packet_bytes) * dice.from(20, 120)};
  add_flows(dice, dice.from(1, 4), result);
  result.description = description + result.description;
  return result;
}

}  // namespace headway::test
