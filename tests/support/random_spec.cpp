// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/base/rng.h"
#include "headway/compile/plan.h"
#include "tests/support/dice.h"
#include "tests/support/mistakes.h"
#include "tests/support/variants.h"

namespace headway::test {
namespace {

constexpr std::int64_t kMaxNodes = 20;

template <class T>
Choice<T> pick(Dice& dice, const std::vector<Variant<T>>& list, std::string& description) {
  const Variant<T>& variant = list[dice.from(0, static_cast<std::uint32_t>(list.size()) - 1)];
  description += variant.label + "; ";
  return variant.choice;
}

std::vector<Variant<Topology>> small_topologies() {
  auto list = variants(topologies());
  std::erase_if(list, [](const Variant<Topology>& variant) {
    Mistakes mistakes;
    variant.choice->check(mistakes);
    if (!mistakes.empty() || variant.choice->nodes() > kMaxNodes) return true;
    return has_several_networks(variant.choice);  // random_spec_with_node_links
  });
  return list;
}

// The variants of a family, which take long to list.
template <class T>
const std::vector<Variant<T>>& all_variants(Registry<T> registry) {
  static const std::vector<Variant<T>> kAll = variants(registry);
  return kAll;
}

// add_choice_limits restricts choices, by dice of its own.
const std::vector<Variant<Routing>>& routings_to_draw() {
  static const std::vector<Variant<Routing>> kAll = [] {
    auto list = variants(routings());
    std::erase_if(list, [](const Variant<Routing>& variant) {
      return variant.label.find("choose_in=[") != variant.label.npos &&
             variant.label.find("choose_in=[]") == variant.label.npos;
    });
    return list;
  }();
  return kAll;
}

NodeSet random_sources(Dice& dice, std::uint32_t nodes) {
  NodeSet sources;
  sources.kind = static_cast<NodeSet::Kind>(dice.from(0, 5));
  sources.fraction = 1.0 / dice.from(1, 4);
  sources.first = dice.from(1, nodes);
  for (NodeId node = 0; node < nodes; ++node)
    if (dice.one_in(2) || node + 1 == nodes) sources.nodes.push_back(node);
  return sources;
}

// Message sizes of data centres are scaled down to suit short runs.
Choice<MessageSizes> random_sizes(Dice& dice, std::string& description) {
  static const std::vector<Variant<MessageSizes>> kValid = [] {
    auto list = variants(message_sizes());
    std::erase_if(list, [](const Variant<MessageSizes>& variant) {
      Mistakes mistakes;
      variant.choice->check(mistakes);
      return !mistakes.empty();
    });
    return list;
  }();
  Choice<MessageSizes> sizes = pick(dice, kValid, description);
  if (sizes.name == "web-search") assign(*sizes, Argument{"size_scale", 1e-4});
  if (sizes.name == "data-mining") assign(*sizes, Argument{"size_scale", 1e-6});
  return sizes;
}

FlowSpec random_flow(Dice& dice, std::uint32_t nodes, std::int64_t packet, std::string& description) {
  FlowSpec flow;
  flow.sources = random_sources(dice, nodes);
  flow.pattern = pick(dice, all_variants(patterns()), description);
  flow.arrivals = pick(dice, all_variants(arrival_processes()), description);
  flow.load.points = {{Duration{0}, 1.0 / dice.from(1, 4)}};
  if (dice.one_in(3)) {
    flow.load.points.push_back({Duration{dice.from(1, 500)}, 1.0 / dice.from(1, 4)});
    flow.load.change = dice.one_in(2) ? Transition::ramp : Transition::step;
  }
  if (dice.one_in(3)) {
    const Bytes message{dice.from(1, static_cast<std::uint32_t>(4 * packet))};
    flow.sizes = choose(message_sizes(), "fixed", {{"message", message}});
  }
  if (dice.one_in(3)) flow.start = Duration{dice.from(0, 300)};
  if (dice.one_in(3)) flow.stop = Duration{dice.from(300, 900)};
  if (dice.one_in(3)) flow.sizes = random_sizes(dice, description);
  description +=
      fmt::format("sources {}, load {}, message {}, {} to {} ns; ", static_cast<int>(flow.sources.kind),
                  flow.load.points.back().load, flow.sizes->build(packet).mean(),
                  flow.start ? flow.start->ns.to_double() : 0, flow.stop ? flow.stop->ns.to_double() : -1);
  return flow;
}

void draw_memories(Dice& dice, std::uint32_t queues, EventSpec& spec, std::string& text) {
  const std::int64_t packet = spec.traffic.packet.count;
  const std::int64_t memory = packet * dice.from(1, 4) + dice.from(0, 3);
  if (spec.switches.scheme->pools_memory())
    spec.switches.input_memory = Bytes{memory * dice.from(1, 8)};
  else if (dice.one_in(3))
    spec.switches.input_memory = Bytes{memory * queues + dice.from(0, 9)};
  else
    spec.switches.queue_memory = Bytes{memory};
  if (dice.one_in(4)) spec.node.injection_memory = Bytes{packet * queues * dice.from(1, 4) + dice.from(0, 9)};
  text += fmt::format("packet {}, {} B per port or {} per queue, {} B at nodes; ", packet,
                      spec.switches.input_memory.value_or(Bytes{-1}).count,
                      spec.switches.queue_memory.value_or(Bytes{-1}).count,
                      spec.node.injection_memory.value_or(Bytes{-1}).count);
}

struct NamedNetwork {
  Choice<Topology> topology;
  Choice<Routing> routing;
  std::string name;
};

NamedNetwork any_network(Dice& dice) {
  std::string name;
  static const std::vector<Variant<Topology>> kTopologies = small_topologies();
  Choice<Topology> topology = pick(dice, kTopologies, name);
  return {std::move(topology), pick(dice, routings_to_draw(), name), name};
}

// Nodes with several links.
NamedNetwork network_of_node_links(Dice& dice) {
  constexpr std::int64_t kSmall[] = {1, 2, 3, 4};
  const std::int64_t servers = kSmall[dice.from(0, 3)], gpus = kSmall[dice.from(0, 3)];
  Choice<Topology> topology = choose(topologies(), "rails",
                                     {{"servers", servers},
                                      {"gpus", gpus},
                                      {"scale_up_switches", std::int64_t{dice.from(0, 2)}},
                                      {"planes", std::int64_t{dice.from(1, 3)}}});
  assign(*topology, Argument{"scale_up_rate", Rate{Rational{dice.from(1, 8), dice.from(1, 2)}}});
  const auto set = [&](const char* key, auto value) {
    if (dice.one_in(3)) assign(*topology, Argument{key, value});
  };
  set("scale_up_delay", Duration{dice.from(1, 9)});
  set("rails", std::int64_t{dice.one_in(2) ? 1 : gpus});
  set("servers_per_leaf", std::int64_t{dice.one_in(2) ? 1 : servers});
  set("spines", std::int64_t{dice.from(0, 2)});
  set("separate_rails", true);
  if (servers % 2 == 0) set("pods", std::int64_t{2});
  set("oversubscription", 2.0);
  Mistakes mistakes;
  topology->check(mistakes);
  if (!mistakes.empty()) return network_of_node_links(dice);
  static constexpr const char* kRoutings[] = {"ecmp", "spray", "up-down", "dfsssp", "lash"};
  const char* const routing = kRoutings[dice.from(0, 4)];
  return {topology, choose(routings(), routing),
          fmt::format("{} servers of {}; {}; ", servers, gpus, routing)};
}

RandomSpec draw(Dice& dice, const NamedNetwork& network) {
  RandomSpec result{network.name, {}};
  EventSpec& spec = result.spec;
  std::string& text = result.description;
  spec.network.topology = network.topology;
  spec.routing.algorithm = network.routing;
  const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
  spec.network.link = {Rate{Rational{dice.from(1, 3), dice.from(1, 2)}},
                       Duration{Rational{dice.from(1, 12), dice.from(1, 2)}}};
  spec.routing.selection = pick(dice, all_variants(selections()), text);
  if (dice.one_in(2))
    spec.routing.free_output = dice.one_in(2) ? FreeOutput::room_credit : FreeOutput::spare_credit;
  spec.switches.scheme = pick(dice, all_variants(schemes()), text);
  if (dice.one_in(3)) spec.switches.virtual_channels = dice.from(2, 3);
  if (dice.one_in(2)) spec.switches.channel = ChannelChoice::most_room;
  spec.switches.switching = dice.one_in(3) ? Switching::store_and_forward : Switching::cut_through;
  if (dice.one_in(3)) spec.switches.slow_to_fast = Switching::cut_through;
  spec.switches.arbiter = static_cast<ArbiterKind>(dice.from(0, kNames<ArbiterKind>.size() - 1));
  if (dice.one_in(3)) {
    spec.switches.architecture = Architecture::cioq;
    const double speedups[] = {1.0, 1.5, 2.0};
    spec.switches.crossbar_speedup = speedups[dice.from(0, 2)];
    spec.switches.output_memory = Bytes{dice.one_in(4) ? 0 : dice.from(40, 400)};
    if (dice.one_in(2)) spec.switches.output_queues = OutputQueues::one;
  }
  const Graph graph = spec.network.topology->build(spec.network.link);
  const std::uint32_t queues =
      with_virtual_channels(spec.switches, spec.switches.scheme->build(graph)).queues;
  if (dice.one_in(4)) {
    spec.switches.output_arbiter = OutputArbiter::weighted_round_robin;
    if (dice.one_in(2))
      for (std::uint32_t queue = 0; queue < queues; ++queue) spec.switches.weights.push_back(dice.from(1, 3));
  }
  if (dice.one_in(4)) spec.switches.credit_packet = Bytes{dice.from(1, 4)};
  if (dice.one_in(2)) spec.switches.routing_delay = Duration{dice.from(1, 20)};
  const std::int64_t packet = dice.from(1, 40);
  spec.traffic.packet = Bytes{packet};
  if (spec.switches.scheme->isolation() && dice.one_in(3))
    assign(*spec.switches.scheme,
           Argument{"notification_packet", Bytes{dice.from(1, static_cast<std::uint32_t>(packet))}});
  draw_memories(dice, queues, spec, text);
  spec.node.admittance = dice.one_in(3) ? Admittance::fifo : Admittance::per_destination;
  if (dice.one_in(4)) spec.node.admittance_limit = Bytes{packet * dice.from(4, 12)};
  text += fmt::format("{}, speed-up {}, {} B at outputs, {} {}, credits of {} B; ",
                      name_of(spec.switches.architecture), spec.switches.crossbar_speedup,
                      spec.switches.output_memory.value_or(Bytes{-1}).count,
                      name_of(spec.switches.output_arbiter), fmt::join(spec.switches.weights, " "),
                      spec.switches.credit_packet.count);
  text += fmt::format("{} B/ns, {} ns; {}; {}; delay {}; {}; limit {} B; ",
                      spec.network.link.rate.bytes_per_ns.to_double(), spec.network.link.delay.ns.to_double(),
                      name_of(spec.switches.switching), name_of(spec.switches.arbiter),
                      spec.switches.routing_delay.ns.to_double(), name_of(spec.node.admittance),
                      spec.node.admittance_limit.value_or(Bytes{-1}).count);
  spec.traffic.flows.clear();
  const std::uint32_t flows = dice.from(1, 3);
  for (std::uint32_t flow = 0; flow < flows; ++flow)
    spec.traffic.flows.push_back(random_flow(dice, nodes, packet, text));
  return result;
}

// A table over these columns whose values are all random.
InputFile random_table(Dice& dice, const std::vector<std::pair<std::string, std::uint32_t>>& columns,
                       const std::string& value, std::uint32_t most) {
  std::string header, rows;
  std::vector<std::uint32_t> sizes;
  for (const auto& [name, size] : columns) {
    header += name + ' ';
    sizes.push_back(size);
  }
  for (std::vector<std::uint32_t> at(sizes.size(), 0);;) {
    rows += fmt::format("{} {}\n", fmt::join(at, " "), dice.from(0, most));
    std::size_t d = 0;
    while (d < at.size() && ++at[d] == sizes[d]) at[d++] = 0;
    if (d == at.size()) break;
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) rows += "* ";
  return InputFile::in_memory("table", "txt",
                              header + value + '\n' + rows + fmt::format("{}\n", dice.from(0, most)));
}

void add_service_levels(Dice& dice, RandomSpec& drawn) {
  EventSpec& spec = drawn.spec;
  const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
  spec.switches.lanes = dice.from(2, 3);
  for (FlowSpec& flow : spec.traffic.flows)
    if (dice.one_in(2)) flow.service_level = dice.from(0, 4);
  if (dice.one_in(2)) {
    std::vector<std::pair<std::string, std::uint32_t>> columns = {{"destination", nodes}};
    if (dice.one_in(2)) columns.emplace_back("source", nodes);
    spec.switches.service_levels = random_table(dice, columns, "service_level", 4);
  }
  if (dice.one_in(2)) {
    std::vector<std::pair<std::string, std::uint32_t>> columns;
    if (dice.one_in(2)) columns.emplace_back("service_level", 5);
    if (dice.one_in(2)) columns.emplace_back("hop", dice.from(1, 3));
    if (dice.one_in(3)) columns.emplace_back("input", 2);
    if (columns.empty() || dice.one_in(3)) columns.emplace_back("output", 3);
    spec.switches.lane_table =
        random_table(dice, columns, "lane", static_cast<std::uint32_t>(spec.switches.lanes) - 1);
  }
  drawn.description += fmt::format("{} lanes, levels by {}, lanes by {}; ", spec.switches.lanes,
                                   spec.switches.service_levels.named() ? "a table" : "flow",
                                   spec.switches.lane_table.named() ? "a table" : "level");
}

// Classes of some of the lanes, by lanes or, without a lane table, by service levels.
void add_classes(Dice& dice, EventSpec& spec) {
  std::vector<std::vector<std::int64_t>> lanes_of(dice.from(0, 3));
  for (std::int64_t lane = 0; lane < spec.switches.lanes; ++lane)
    if (!lanes_of.empty() && !dice.one_in(4))
      lanes_of[dice.from(0, static_cast<std::uint32_t>(lanes_of.size()) - 1)].push_back(lane);
  std::erase_if(lanes_of, [](const auto& lanes) { return lanes.empty(); });
  for (const std::vector<std::int64_t>& lanes : lanes_of) {
    ClassSpec& of_spec = spec.classes.emplace_back();
    const bool by_table = spec.switches.lane_table.named();
    if (by_table || dice.one_in(2)) of_spec.lanes = lanes;
    if (by_table || of_spec.lanes.empty()) of_spec.service_levels = lanes;  // level s has lane s
    if (spec.switches.lane_turns != TurnsOfLanes::weighted) continue;
    if (dice.one_in(4))
      of_spec.strict = true;
    else if (dice.one_in(2))
      of_spec.weight = dice.from(1, dice.one_in(2) ? 4 : 100);
  }
}

std::string random_vlarb(Dice& dice, std::int64_t lanes) {
  std::string table;
  for (std::uint32_t left = dice.from(1, 5); left > 0; --left)
    table +=
        fmt::format("{}{}:{}", table.empty() ? "" : ",", dice.from(0, static_cast<std::uint32_t>(lanes) - 1),
                    dice.from(0, dice.one_in(2) ? 2 : 255));
  return table;
}

void add_lane_turns(Dice& dice, RandomSpec& drawn) {
  add_service_levels(dice, drawn);
  EventSpec& spec = drawn.spec;
  SwitchSpec& switches = spec.switches;
  switches.output_arbiter = OutputArbiter::arbiter;
  switches.weights.clear();
  if (dice.one_in(4)) switches.lanes = dice.from(2, 5);
  switches.lane_turns = static_cast<TurnsOfLanes>(dice.from(1, 3));
  if (switches.lane_turns == TurnsOfLanes::infiniband) {
    switches.vlarb_high = random_vlarb(dice, switches.lanes);
    switches.vlarb_low = random_vlarb(dice, switches.lanes);
    switches.high_limit = dice.one_in(2) ? dice.from(0, 2) : 255;
  }
  add_classes(dice, spec);
  drawn.description +=
      fmt::format("{} turns, {} classes, high {} low {} limit {}; ", name_of(switches.lane_turns),
                  spec.classes.size(), switches.vlarb_high, switches.vlarb_low, switches.high_limit);
}

void add_cells(Dice& dice, RandomSpec& drawn);

using Addition = void (*)(Dice& dice, RandomSpec& drawn);
// Adds one of these or, if the drawn number of at most `most` is beyond them, none. Returns the number.
std::uint32_t add_one_of(std::uint32_t most, std::initializer_list<Addition> additions, Dice& dice,
                         RandomSpec& drawn) {
  const std::uint32_t number = dice.from(0, most);
  if (number < additions.size()) additions.begin()[number](dice, drawn);
  return number;
}

void add_slow_nodes(Dice& dice, RandomSpec& drawn) {
  if (dice.one_in(3)) add_service_levels(dice, drawn);
  if (dice.one_in(4)) add_cells(dice, drawn);
  EventSpec& spec = drawn.spec;
  const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
  const auto rate = [&] { return dice.one_in(4) ? 1.0 : dice.from(300, 9999) / 10'000.0; };
  if (dice.one_in(2)) spec.node.receive_rate = rate();
  for (std::uint32_t left = dice.from(spec.node.receive_rate ? 0 : 1, 2); left > 0; --left)
    spec.node.receivers.push_back({random_sources(dice, nodes), rate()});
  if (!dice.one_in(3))
    spec.node.receive_memory = Bytes{spec.traffic.packet.count * dice.from(2, 6) + dice.from(0, 9)};
  spec.switches.credit_packet = Bytes{0};
  drawn.description +=
      fmt::format("nodes consume at {}, {} sets, {} B; ", spec.node.receive_rate.value_or(0),
                  spec.node.receivers.size(), spec.node.receive_memory.value_or(Bytes{-1}).count);
}

// With times that suit short runs.
void draw_reaction(Dice& dice, Choice<Reaction>& reaction, std::uint32_t most) {
  const auto set = [&](const char* key, auto value) {
    if (dice.one_in(2)) assign(*reaction, Argument{key, value});
  };
  const auto time = [&](std::uint32_t longest) { return Duration{dice.from(1, longest)}; };
  if (reaction.name == "infiniband") {
    set("ccti_increase", std::int64_t{dice.from(1, 4)});
    set("ccti_min", std::int64_t{dice.from(0, 2)});
    assign(*reaction, Argument{"ccti_timer", time(400)});
    set("cct_shift", std::int64_t{dice.from(0, 3)});
    set("throttle", std::string("service-level"));
  } else if (reaction.name == "window") {
    set("window", Bytes{dice.from(1, most)});
  } else if (reaction.name == "timely") {
    const std::uint32_t low = dice.from(1, 120);
    assign(*reaction, Argument{"t_low", Duration{low}});
    assign(*reaction, Argument{"t_high", Duration{low + dice.from(0, 200)}});
    assign(*reaction, Argument{"min_rtt", time(60)});
    assign(*reaction, Argument{"segment", Bytes{dice.from(1, most / 2)}});
    set("rtt_gain", 1.0 / dice.from(1, 4));
    assign(*reaction, Argument{"decrease", 1.0 / dice.from(1, 20)});
    assign(*reaction, Argument{"additive_increase", 1.0 / dice.from(10, 200)});
    set("least_rate", 1.0 / dice.from(4, 100));
  } else if (reaction.name.starts_with("dcqcn")) {
    const bool is_nic = reaction.name == "dcqcn-nic";
    assign(*reaction, Argument{"alpha_gain", 1.0 / dice.from(1, 16)});
    assign(*reaction, Argument{"notification_interval", Duration{dice.from(0, 60)}});
    assign(*reaction, Argument{"alpha_timer", time(60)});
    assign(*reaction, Argument{"rate_timer", time(60)});
    if (is_nic) assign(*reaction, Argument{"cut_interval", time(40)});
    if (!is_nic) assign(*reaction, Argument{"byte_counter", Bytes{dice.from(1, 8 * most)}});
    set("fast_recovery", std::int64_t{dice.from(0, 3)});
    set("additive_increase", 1.0 / dice.from(4, 100));
    set("hyper_increase", 1.0 / dice.from(4, 20));
    set("least_rate", 1.0 / dice.from(4, 100));
  }
}

// A marking and, mostly, a reaction.
void add_control(Dice& dice, RandomSpec& drawn) {
  const std::uint32_t more = add_one_of(3, {add_lane_turns, add_slow_nodes, add_service_levels}, dice, drawn);
  EventSpec& spec = drawn.spec;
  if (more == 3 && dice.one_in(2)) {
    spec.switches.scheme = choose(schemes(), dice.one_in(2) ? "fbicm" : "recn-iq",
                                  {{"detection_threshold", std::int64_t{dice.from(0, 2)}},
                                   {"stop_threshold", std::int64_t{dice.from(1, 4)}},
                                   {"go_threshold", std::int64_t{1}}});
    spec.switches.virtual_channels = 1;
    spec.switches.architecture = Architecture::iq;
    spec.switches.queue_memory = std::nullopt;
    spec.switches.input_memory = Bytes{spec.traffic.packet.count * dice.from(8, 20)};
    spec.switches.output_arbiter = OutputArbiter::arbiter;
    spec.switches.weights.clear();
  }
  const bool isolates = spec.switches.scheme->isolation().has_value();
  spec.node.admittance = Admittance::per_destination;
  const char* markings_of[] = {"red", "infiniband", "isolation", "isolation-red"};
  const auto marks = isolates && dice.one_in(2) ? dice.from(2, 3) : dice.from(0, 1);
  spec.switches.marking = choose(markings(), markings_of[marks]);
  const auto set = [&](auto& choice, const char* key, auto value) {
    if (dice.one_in(2)) assign(*choice, Argument{key, value});
  };
  const auto most = static_cast<std::uint32_t>(8 * spec.traffic.packet.count);
  Choice<Marking>& marking = spec.switches.marking;
  if (marking.name == "red") {
    assign(*marking, Argument{"k_min", Bytes{dice.from(0, most)}});
    assign(*marking, Argument{"k_max", Bytes{most + dice.from(1, most)}});
    set(marking, "p_max", 1.0 / dice.from(1, 4));
    set(marking, "mark_at", std::string("arrival"));
    set(marking, "roots_only", dice.one_in(2));
  } else if (marking.name == "infiniband") {
    assign(*marking, Argument{"threshold", std::int64_t{dice.from(0, 15)}});
    set(marking, "marking_rate", std::int64_t{dice.from(0, 3)});
    set(marking, "packet_size", Bytes{dice.from(0, most / 8)});
    set(marking, "victim_mask", std::string(dice.one_in(2) ? "all" : "nodes"));
  } else if (marking.name == "isolation-red") {
    assign(*marking, Argument{"k_min", Bytes{dice.from(0, most / 4)}});
    assign(*marking, Argument{"k_max", Bytes{most / 4 + dice.from(1, most)}});
    set(marking, "p_max", 1.0 / dice.from(1, 4));
  } else {
    set(marking, "congested_above", std::int64_t{dice.from(1, 4)});
    set(marking, "marking_rate", std::int64_t{dice.from(0, 3)});
  }
  static constexpr const char* kReactions[] = {"dcqcn",  "dcqcn-nic", "infiniband",
                                               "timely", "window",    "none"};
  Choice<Reaction>& reaction = spec.node.reaction;
  reaction = choose(reactions(), kReactions[dice.from(0, 5)]);
  draw_reaction(dice, reaction, most);
  const bool acts_on_delay = reaction.name == "timely" || reaction.name == "window";
  if (acts_on_delay && dice.one_in(2)) marking = choose(markings(), "none");
  if (reaction.name != "none" && dice.one_in(3)) {
    if (spec.switches.lanes == 1) spec.switches.lanes = 2;
    spec.node.notification_packet =
        Bytes{dice.from(1, static_cast<std::uint32_t>(spec.traffic.packet.count))};
    spec.node.notification_service_level = dice.one_in(2) ? 15 : 1;
    for (FlowSpec& flow : spec.traffic.flows)
      if (flow.service_level == spec.node.notification_service_level) flow.service_level = 0;
  } else if (reaction.name != "none" && dice.one_in(2)) {
    spec.node.notification_delay = Duration{dice.from(0, 100)};
  }
  drawn.description += fmt::format("marking {}, reaction {}; ", marking.name, reaction.name);
}

void add_cells(Dice& dice, RandomSpec& drawn) {
  EventSpec& spec = drawn.spec;
  spec.switches.cell = Bytes{dice.from(1, static_cast<std::uint32_t>(spec.traffic.packet.count))};
  drawn.description += fmt::format("cells of {} B; ", spec.switches.cell->count);
}

// Lanes that pause their senders, often at low thresholds, mostly together with something else.
void add_pauses(Dice& dice, RandomSpec& drawn) {
  add_one_of(5, {add_lane_turns, add_slow_nodes, add_service_levels, add_control, add_cells}, dice, drawn);
  EventSpec& spec = drawn.spec;
  SwitchSpec& switches = spec.switches;
  const std::int64_t packet = spec.traffic.packet.count;
  switches.virtual_channels = 1;
  switches.queue_memory = std::nullopt;
  switches.input_memory = Bytes{packet * dice.from(8, 400) * switches.lanes};
  spec.node.injection_memory = Bytes{packet * dice.from(40, 80)};
  if (spec.node.receive_memory) spec.node.receive_memory = Bytes{packet * dice.from(8, 100)};
  if (!dice.one_in(3)) switches.credit_packet = Bytes{0};
  switches.flow_control = choose(link_flow_controls(), dice.one_in(2) ? "pfc-shared" : "pfc");
  const auto set = [&](const char* key, auto value) { assign(*switches.flow_control, Argument{key, value}); };
  const bool shares = switches.flow_control.name == "pfc-shared", loses = dice.one_in(4);
  const std::int64_t xoff = dice.from(1, 6);
  if (loses) {
    const std::int64_t headroom = dice.from(shares ? 1 : 0, 2);
    switches.input_memory = Bytes{packet * (headroom + dice.from(2, 5)) * switches.lanes};
    set("losses", true);
    set("headroom", Bytes{packet * headroom});
  } else if (!shares && !dice.one_in(4)) {
    set("xoff", Bytes{packet * xoff});
  }
  if (shares)
    set("alpha", 1.0 / dice.from(1, loses ? 8 : 64));
  else if (!dice.one_in(4))
    set("xon", Bytes{packet * dice.from(0, static_cast<std::uint32_t>(xoff) - 1)});
  if (switches.credit_packet.count == 0 && dice.one_in(3)) set("pause_delay", Duration{dice.from(1, 40)});
  drawn.description +=
      fmt::format("{} in {} B, {} B of credits; ", switches.flow_control.name,
                  switches.input_memory.value_or(Bytes{-1}).count, switches.credit_packet.count);
}

// Queues that share the memory of their lane, mostly together with something else.
void add_lane_credits(Dice& dice, RandomSpec& drawn) {
  add_one_of(5, {add_lane_turns, add_slow_nodes, add_service_levels, add_control, add_cells}, dice, drawn);
  EventSpec& spec = drawn.spec;
  SwitchSpec& switches = spec.switches;
  switches.virtual_channels = 1;
  switches.queue_memory = std::nullopt;
  switches.input_memory = Bytes{spec.traffic.packet.count * dice.from(2, 40) * switches.lanes};
  spec.node.injection_memory = Bytes{spec.traffic.packet.count * dice.from(40, 80)};
  if (switches.architecture == Architecture::cioq) switches.output_queues = OutputQueues::one;
  switches.flow_control = choose(link_flow_controls(), "lane-credits");
  drawn.description += fmt::format("credits of lanes in {} B; ", switches.input_memory->count);
}

// Packets that choose on arrival, mostly with queues of their outputs.
void add_choices_on_arrival(Dice& dice, RandomSpec& drawn) {
  add_one_of(4, {add_pauses, add_lane_credits, add_lane_credits, add_control}, dice, drawn);
  EventSpec& spec = drawn.spec;
  const std::int64_t packet = spec.traffic.packet.count;
  spec.switches.architecture = Architecture::iq;
  spec.routing.algorithm = choose(routings(), "adaptive", {{"choose", "arrival"}});
  if (dice.one_in(2)) assign(*spec.routing.algorithm, Argument{"cycles", "allow"});
  const auto set = [&](const char* key, std::int64_t bytes) {
    if (dice.one_in(2)) assign(*spec.routing.algorithm, Argument{key, Bytes{bytes}});
  };
  set("free_load", packet * dice.from(0, 4));
  set("load_step", std::max<std::int64_t>(1, packet * dice.from(0, 3)));
  static constexpr const char* kSelections[] = {"auto", "mc", "rp", "ff", "cp", "sadp"};
  spec.routing.selection = choose(selections(), kSelections[dice.from(0, 5)]);
  static constexpr const char* kSchemes[] = {"1q", "voqsw", "obqa", "voqnet", "dbbm"};
  if (!dice.one_in(3)) spec.switches.scheme = choose(schemes(), kSchemes[dice.from(0, 4)]);
  if (spec.switches.scheme.name == "voqsw" && dice.one_in(2)) spec.switches.architecture = Architecture::oq;
  drawn.description += fmt::format("on arrival by {}; ", spec.routing.selection.name);
}

// Switches whose memory serves all outputs at once, mostly together with something else.
void add_output_queues(Dice& dice, RandomSpec& drawn) {
  const std::uint32_t more =
      add_one_of(5, {add_lane_turns, add_slow_nodes, add_control, add_pauses, add_lane_credits}, dice, drawn);
  SwitchSpec& switches = drawn.spec.switches;
  switches.architecture = Architecture::oq;
  switches.scheme = choose(schemes(), "voqsw");
  switches.virtual_channels = 1;
  if (more == 5) {
    switches.queue_memory = Bytes{drawn.spec.traffic.packet.count * dice.from(2, 6)};
    switches.input_memory = std::nullopt;
  }
  drawn.description += "output-queued; ";
}

// Headers and padding: packets are as long as before, but carry less.
void add_frames(Dice& dice, RandomSpec& drawn) {
  add_one_of(6, {add_lane_turns, add_slow_nodes, add_control, add_cells, add_pauses, add_output_queues}, dice,
             drawn);
  TrafficSpec& traffic = drawn.spec.traffic;
  const auto frame = static_cast<std::uint32_t>(traffic.packet.count);
  traffic.header = Bytes{dice.one_in(6) ? 0 : dice.from(0, frame - 1)};
  traffic.packet.count -= traffic.header.count;
  if (traffic.header.count == 0 || dice.one_in(2)) traffic.minimum_frame = Bytes{dice.from(1, frame)};
  drawn.description += fmt::format("headers of {}, frames of {} at least; ", to_string(traffic.header),
                                   to_string(traffic.minimum_frame));
}

// Links between switches of two rates, mostly together with something else.
void add_degraded_links(Dice& dice, RandomSpec& drawn) {
  add_one_of(7,
             {add_lane_turns, add_slow_nodes, add_control, add_cells, add_pauses, add_choices_on_arrival,
              add_output_queues},
             dice, drawn);
  LinkFaults& faults = drawn.spec.network.faults;
  faults.slow.part = dice.from(2, 8) / 10.0;
  faults.slow.seed = dice.from(1, 1000);
  faults.slow_rate = dice.one_in(2) ? 0.5 : 0.25;
  drawn.description +=
      fmt::format("{} of the links at {}, seed {}; ", faults.slow.part, faults.slow_rate, faults.slow.seed);
}

// Mostly together with something else.
void add_node_links(Dice& dice, RandomSpec& drawn) {
  add_one_of(9,
             {add_lane_turns, add_slow_nodes, add_control, add_cells, add_pauses, add_choices_on_arrival,
              add_output_queues, add_degraded_links, add_frames},
             dice, drawn);
  drawn.spec.routing.node_link = static_cast<LinkRule>(dice.from(0, 2));
  drawn.description += fmt::format("{} links by {}; ", drawn.spec.network.topology->links_of_nodes(),
                                   name_of(drawn.spec.routing.node_link));
}

// Links that go down or get a lower rate during the run, mostly together with something else.
void add_events(Dice& dice, RandomSpec& drawn) {
  add_one_of(11,
             {add_lane_turns, add_slow_nodes, add_control, add_cells, add_pauses, add_choices_on_arrival,
              add_output_queues, add_degraded_links, add_frames},
             dice, drawn);
  EventSpec& spec = drawn.spec;
  const Graph graph = spec.network.topology->build(spec.network.link);
  for (std::uint32_t left = dice.from(1, 4); left > 0; --left) {
    LinkEventSpec event;
    const std::uint32_t sw = dice.from(0, graph.switches() - 1);
    const std::uint32_t port = dice.from(0, graph.radix(sw) - 1);
    if (graph.peer_of(graph.port(sw, port)) == kNone || dice.one_in(3))
      event.node = std::to_string(dice.from(0, graph.nodes_of_spec() - 1));
    else if (dice.one_in(4))
      event.sw = std::to_string(sw);
    else
      event.link = fmt::format("{}:{}", sw, port);
    event.at = Duration{dice.from(0, 700)};
    if (!dice.one_in(5)) event.lasts = Duration{dice.from(1, 250)};
    if (event.lasts && dice.one_in(3)) event.every = Duration{event.lasts->ns + Rational(dice.from(1, 200))};
    if (dice.one_in(4)) event.rate = dice.one_in(2) ? 0.5 : 0.25;
    spec.events.push_back(event);
  }
  if (!spec.measure.warmup) spec.measure.warmup = Duration{0};
  if (dice.one_in(2)) spec.routing.reroute_after = Duration{dice.from(0, 80)};
  if (dice.one_in(3)) spec.switches.down_links = DownLinks::lose;
  drawn.description += fmt::format("{} events, {}, new routes after {} ns; ", spec.events.size(),
                                   name_of(spec.switches.down_links),
                                   spec.routing.reroute_after.value_or(Duration{-1}).ns.to_double());
}

// A job whose data switches reduce and multicast, beside flows and mostly together with something else.
void add_switch_collective(Dice& dice, RandomSpec& drawn) {
  add_one_of(10,
             {add_slow_nodes, add_control, add_cells, add_pauses, add_choices_on_arrival, add_output_queues,
              add_degraded_links, add_frames},
             dice, drawn);
  EventSpec& spec = drawn.spec;
  const auto nodes = static_cast<std::uint32_t>(spec.network.topology->nodes());
  for (std::uint32_t left = dice.from(1, 2); left > 0; --left) {
    JobSpec& job = spec.traffic.jobs.emplace_back();
    const char* const names[] = {"all-reduce", "broadcast", "reduce", "barrier", "training-step"};
    const std::string name = names[dice.from(0, 4)];
    job.program = choose(programs(), name);
    assign(*job.program, {"algorithm", std::string("in-network")});
    const std::int64_t packet = spec.traffic.packet.count;
    if (name != "barrier")
      assign(*job.program,
             {"segment", Bytes{std::max<std::int64_t>(1, dice.from(1, 2) * packet - dice.from(0, 1))}});
    if (name == "training-step") {
      assign(*job.program, {"gradient_bytes", std::vector<std::int64_t>{dice.from(1, 4) * packet}});
      assign(*job.program, {"activations", Bytes{packet}});
      assign(*job.program, {"tensor", 2});
    } else if (name != "barrier") {
      assign(*job.program, {"size", Bytes{dice.from(1, 4) * packet}});
      if (name != "broadcast" && dice.one_in(3))
        assign(*job.program, {"reduction", Rate{Rational(dice.from(1, 4))}});
    }
    job.ranks = dice.from(1, std::min(8U, nodes));
    if (dice.one_in(2)) job.placement = Placement::random;
    if (dice.one_in(4)) job.ranks_per_node = 2;
    if (dice.one_in(4)) job.background = true;
    if (dice.one_in(4)) job.overhead = Duration{dice.from(1, 20)};
    if (dice.one_in(4)) job.rendezvous = Bytes{dice.from(0, 2) * packet};
    if (dice.one_in(3)) job.sends = SendsComplete::buffered;
    job.iterations = dice.from(1, 3);
    job.start = Duration{dice.from(0, 50)};
    drawn.description += fmt::format("{} of {} ranks in switches; ", name, *job.ranks);
  }
}

// Choices for flowlets and messages, at heads and on arrival, and messages and labels that draw paths.
void add_choices_of_flows(Dice& dice, RandomSpec& drawn) {
  if (dice.one_in(3)) add_events(dice, drawn);
  EventSpec& spec = drawn.spec;
  const std::uint32_t kind = dice.from(0, 7);  // many are heads, because few networks are trees
  const bool arrival = kind == 0, heads = kind > 2;
  if (arrival) {
    add_choices_on_arrival(dice, drawn);
  } else {
    add_one_of(5, {add_lane_turns, add_slow_nodes, add_control, add_pauses, add_cells}, dice, drawn);
    spec.routing.algorithm = choose(routings(), heads ? "adaptive" : "spray");
    if (heads && !dice.one_in(3)) spec.switches.scheme = choose(schemes(), dice.one_in(2) ? "1q" : "dbbm");
  }
  RoutingSpec& routing = spec.routing;
  if (arrival || heads) {
    routing.choose_per = dice.one_in(3) ? ChoosePer::message : ChoosePer::flowlet;
    if (routing.choose_per == ChoosePer::flowlet) routing.flowlet_gap = Duration{dice.from(0, 300)};
    if (dice.one_in(2)) routing.flow_table = dice.from(1, 16);
  } else {
    if (dice.one_in(2)) routing.choose_per = ChoosePer::message;
    if (dice.one_in(2)) assign(*routing.algorithm, Argument{"paths", std::int64_t{dice.from(1, 5)}});
  }
  const std::int64_t packet = spec.traffic.packet.count;
  for (FlowSpec& flow : spec.traffic.flows)
    if (dice.one_in(2))
      flow.sizes = choose(message_sizes(), "fixed",
                          {{"message", Bytes{dice.from(1, static_cast<std::uint32_t>(9 * packet))}}});
  drawn.description +=
      fmt::format("{} for each {}, gap {}, {} entries; ", routing.algorithm.name, name_of(routing.choose_per),
                  to_string(routing.flowlet_gap.value_or(Duration{-1})), routing.flow_table.value_or(-1));
}

// By dice of their own, so that the specs are otherwise those that they were without these keys.
void add_choices_of_heads(std::uint64_t number, RandomSpec& drawn) {
  Dice dice(~number);
  RoutingSpec& routing = drawn.spec.routing;
  if (dice.one_in(2)) routing.cp_counts = CpCounts::routed;
  if (!dice.one_in(3)) return;
  routing.none_free = NoneFree::preferred;
  if (!mistakes_of(drawn.spec).empty()) routing.none_free = NoneFree::wait;  // packets have escapes
}

// By dice of their own, too.
void add_choice_limits(std::uint64_t number, RandomSpec& drawn) {
  Dice dice(mix64(number));
  Choice<Routing>& routing = drawn.spec.routing.algorithm;
  if (routing.name != "adaptive" || dice.one_in(3)) return;
  const Choice<Routing> before = routing;
  if (dice.one_in(2)) assign(*routing, Argument{"choose_in", std::vector<std::int64_t>{dice.from(0, 2)}});
  if (dice.one_in(2)) assign(*routing, Argument{"choose_among", dice.from(1, 3)});
  if (mistakes_of(drawn.spec).empty())
    drawn.description += "limited choices; ";
  else
    routing = before;  // no tree, or one that they do not fit
}

RandomSpec valid_spec(std::uint64_t number, const std::function<NamedNetwork(Dice&)>& network,
                      void (*add)(Dice&, RandomSpec&) = nullptr) {
  Dice dice(number);
  for (;;) {
    RandomSpec drawn = draw(dice, network(dice));
    if (add != nullptr) add(dice, drawn);
    drawn.spec.seed = number;
    if (!mistakes_of(drawn.spec).empty()) continue;
    add_choices_of_heads(number, drawn);
    add_choice_limits(number, drawn);
    return drawn;
  }
}

}  // namespace

RandomSpec random_spec(std::uint64_t number) { return valid_spec(number, any_network); }

RandomSpec random_spec_with_events(std::uint64_t number) {
  return valid_spec(number, any_network, add_events);
}

RandomSpec random_spec_with_service_levels(std::uint64_t number) {
  return valid_spec(number, any_network, add_service_levels);
}

RandomSpec random_spec_with_lane_turns(std::uint64_t number) {
  return valid_spec(number, any_network, add_lane_turns);
}

RandomSpec random_spec_with_control(std::uint64_t number) {
  return valid_spec(number, any_network, add_control);
}

RandomSpec random_spec_with_pauses(std::uint64_t number) {
  return valid_spec(number, any_network, add_pauses);
}

RandomSpec random_spec_with_lane_credits(std::uint64_t number) {
  return valid_spec(number, any_network, add_lane_credits);
}

RandomSpec random_spec_with_choices_on_arrival(std::uint64_t number) {
  return valid_spec(number, any_network, add_choices_on_arrival);
}

RandomSpec random_spec_with_choices_of_flows(std::uint64_t number) {
  return valid_spec(number, any_network, add_choices_of_flows);
}

RandomSpec random_spec_with_output_queues(std::uint64_t number) {
  return valid_spec(number, any_network, add_output_queues);
}

RandomSpec random_spec_with_frames(std::uint64_t number) {
  return valid_spec(number, any_network, add_frames);
}

RandomSpec random_spec_with_node_links(std::uint64_t number) {
  return valid_spec(number, network_of_node_links, add_node_links);
}

RandomSpec random_spec_with_switch_collectives(std::uint64_t number) {
  return valid_spec(number, number % 3 == 0 ? network_of_node_links : any_network, add_switch_collective);
}

RandomSpec random_spec_with_degraded_links(std::uint64_t number) {
  return valid_spec(number, any_network, add_degraded_links);
}

RandomSpec random_spec_with_slow_nodes(std::uint64_t number) {
  return valid_spec(number, any_network, add_slow_nodes);
}

RandomSpec random_spec_with_cells(std::uint64_t number) { return valid_spec(number, any_network, add_cells); }

RandomSpec random_spec(std::uint64_t number, const Choice<Topology>& topology,
                       const Choice<Routing>& routing) {
  return valid_spec(number, [&](Dice&) { return NamedNetwork{topology, routing, ""}; });
}

void drain(EventSpec& spec, Duration stop) {
  const std::int64_t packet = spec.traffic.packet.count;
  for (FlowSpec& flow : spec.traffic.flows) {
    if (flow.start) flow.start = Duration{flow.start->ns / Rational(2)};
    flow.stop = stop;
    const SizeDistribution sizes = flow.sizes->build(packet);
    if (sizes.fixed() && sizes.mean() == static_cast<double>(packet)) continue;
    const std::int64_t message = (static_cast<std::int64_t>(sizes.mean()) / packet + 1) * packet;
    flow.sizes = choose(message_sizes(), "fixed", {{"message", Bytes{message}}});
    if (std::optional<Bytes>& limit = spec.node.admittance_limit)
      limit->count = std::max(limit->count, message);
  }
}

}  // namespace headway::test
