// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/metric.h"

#include <algorithm>
#include <vector>

#include "headway/metrics/columns.h"
#include "headway/metrics/cut_off.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/flow_waiting.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/result.h"
#include "headway/metrics/saturation.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/waiting_tables.h"
#include "headway/metrics/window.h"
#include "headway/metrics/zones.h"

namespace headway {
namespace {

// Metrics of the network's structure (compile/structure.h).
constexpr Metric kStructure[] = {
    {"nodes", "nodes", "number of end nodes", Needs::structure},
    {"switches", "switches", "number of switches", Needs::structure},
    {"radix", "ports", "maximum number of ports of a switch", Needs::structure},
    {"stages", "stages", "number of stages of switches; 0 in networks without stages", Needs::structure},
    {"switch_links", "links", "links between switches; the two directions of a link count once",
     Needs::structure},
    {"diameter", "links",
     "number of links between switches on the longest of the shortest paths between two nodes",
     Needs::structure},
    {"bisection_links", "links",
     "minimum number of links, in one direction, between two halves of the nodes: halves of the subtrees of "
     "a tree, of a dimension of a grid, or of the groups of a dragonfly; empty if the network has no such "
     "halves",
     Needs::structure},
    {"bisection_share", "1",
     "bisection_links over half of the nodes: 1 if all nodes of one half can send to the other at their full "
     "rate",
     Needs::structure},
};

// Metrics of the queueing scheme (compile/cost.h).
constexpr Metric kCost[] = {
    {"queues_per_port", "queues", "number of queues per input port", Needs::cost},
    {"cam_lines_per_port", "lines",
     "CAM lines per input port: one per congested-flow queue of fbicm and recn-iq; otherwise 0", Needs::cost},
    {"port_memory_bytes", "bytes", "data memory (RAM) of an input port, as given in the spec", Needs::cost},
    {"lanes", "lanes", "virtual lanes that the routing needs; every port has the scheme's queues in each",
     Needs::cost},
    {"packets_per_queue", "packets",
     "packets of full size that each queue of an input port can hold; with pooled memory, that the port can "
     "hold",
     Needs::cost},
    {"switch_memory_bytes", "bytes",
     "data memory of all ports of the largest switch, at the inputs and, in CIOQ switches, at the outputs",
     Needs::cost},
    {"network_memory_bytes", "bytes", "data memory of all switches", Needs::cost},
    {"minimum_memory_bytes", "bytes",
     "memory of an input port with two packets per queue (OBQA, section 4.5)", Needs::cost},
    {"routing_table_bits", "bits",
     "size of the routing table of one switch, including the lists of destinations of fbicm and recn-iq",
     Needs::cost},
    {"published_area_mm2", "mm2",
     "area of an input port's minimum memory, for schemes and numbers of queues with a published value "
     "(OBQA, Table 3)",
     Needs::cost},
};

constexpr Metric kTableColumns[] = {
    {"destination", kNumber, "number of the node", Needs::nothing, "per_destination"},
    {"accepted_load", kLoad, "bytes delivered to the node in the window, divided by the capacity of its link",
     Needs::nothing, "per_destination"},
    {"packets_delivered", "packets", "packets delivered to the node in the window", Needs::nothing,
     "per_destination"},
    {"latency_mean_ns", "ns",
     "mean time from the generation of a message to the delivery of a packet's tail, over the packets "
     "delivered to the node in the window",
     Needs::nothing, "per_destination"},
    {"network_latency_mean_ns", "ns",
     "mean time from the injection of a packet (grant by the adapter) to the delivery of its tail, over the "
     "same packets",
     Needs::nothing, "per_destination"},
    {"offered_load", kLoad,
     "bytes that the flows send to the node at their mean load, divided by the capacity of its link",
     Needs::fairness, "per_destination"},
    {"fair_share", kLoad, "max-min fair share of the node for the routes and the offered loads",
     Needs::fairness, "per_destination"},
    {"victim", kNumber,
     "1 if the node received less than measure.victims_below of its fair share, otherwise 0", Needs::fairness,
     "per_destination"},

    {"time_ns", "ns", "end of the bin", Needs::nothing, "destination_series"},
    {"accepted_load_D", kLoad,
     "for every node D: bytes delivered to it in the bin, divided by the capacity of its link",
     Needs::nothing, "destination_series"},

    {"time_ns", "ns", "end of the bin", Needs::isolation, "port_series"},
    {"cfqs_S_P", "queues",
     "for every port P of every switch S: active congested-flow queues at the end of the bin",
     Needs::isolation, "port_series"},

    {"pair", kNumber, "number of the pair: source times the number of nodes, plus destination",
     Needs::nothing, "per_pair"},
    {"source", kNumber, "number of the sending node", Needs::nothing, "per_pair"},
    {"destination", kNumber, "number of the receiving node", Needs::nothing, "per_pair"},
    {"accepted_load", kLoad,
     "bytes delivered from source to destination in the window, divided by the capacity of the destination's "
     "link",
     Needs::nothing, "per_pair"},
    {"out_of_order_packets", "packets", "delivered packets that a later packet of the pair had overtaken",
     Needs::nothing, "per_pair"},

    {"time_ns", "ns", "end of the bin", Needs::nothing, "pair_series"},
    {"source", kNumber, "number of the sending node", Needs::nothing, "pair_series"},
    {"destination", kNumber, "number of the receiving node", Needs::nothing, "pair_series"},
    {"accepted_load", kLoad,
     "bytes delivered from source to destination in the bin, divided by the capacity of the destination's "
     "link",
     Needs::nothing, "pair_series"},

    {"port", kNumber, "number of the sending port among all ports of the network", Needs::nothing,
     "per_link"},
    {"from_switch", kNumber, "switch of this port; empty for the port of a node", Needs::nothing, "per_link"},
    {"from_node", kNumber, "node of this port; empty for the port of a switch", Needs::nothing, "per_link"},
    {"from_port", kNumber, "number of this port at its switch or node", Needs::nothing, "per_link"},
    {"utilisation", kTime, "fraction of the window in which the link carried data", Needs::nothing,
     "per_link"},

    {"link", kNumber, "position of the links on a path through the last stage; 0 is the link from a node",
     Needs::nothing, "per_stage"},
    {"from_stage", kNumber, "stage at the sending end of the links; -1: nodes", Needs::nothing, "per_stage"},
    {"to_stage", kNumber, "stage at the receiving end of the links; -1: nodes", Needs::nothing, "per_stage"},
    {"links", "links", "number of these links", Needs::nothing, "per_stage"},
    {"utilisation_mean", kTime, "mean fraction of the window in which these links carried data",
     Needs::nothing, "per_stage"},
    {"utilisation_max", kTime, "fraction for the busiest of these links", Needs::nothing, "per_stage"},
    {"utilisation_min", kTime, "fraction for the least busy of these links", Needs::nothing, "per_stage"},
    {"utilisation_deviation", kTime, "standard deviation of the fraction over these links", Needs::nothing,
     "per_stage"},

    {"stage", kNumber, "number of the stage; in networks without stages, 0 stands for all switches",
     Needs::structure, "per_stage"},
    {"destinations_per_switch", "destinations",
     "maximum number of destinations to which a switch of the stage forwards", Needs::structure, "per_stage"},
    {"destinations_per_link", "destinations",
     "maximum number of destinations that share a link towards the nodes", Needs::structure, "per_stage"},
    {"destinations_per_queue", "destinations",
     "maximum number of destinations that share a queue of an input port", Needs::structure, "per_stage"},
    {"queues_used", "queues", "maximum number of queues of an input port that packets can use",
     Needs::structure, "per_stage"},
    {"load_imbalance", "1",
     "ratio of the paths over the most used link to those over the least used one; the larger of the ratios "
     "for up and down links; empty if a link has no paths",
     Needs::structure, "per_stage"},
};

std::vector<Metric> collect() {
  std::vector<Metric> all;
  const auto add = [&](const auto& definitions) {
    for (const auto& definition : definitions) all.push_back(definition.metric);
  };
  const auto add_plain = [&](std::span<const Metric> list) {
    all.insert(all.end(), list.begin(), list.end());
  };
  add(window_metrics());
  add(trace_metrics());
  add(fairness_metrics());
  add(waiting_metrics());
  add_plain(stall_metrics());
  add_plain(saturation_metrics());
  add_plain(cut_off_metrics());
  add(isolation_metrics());
  add(overflow_metrics());
  add_plain(metrics::zone_metrics());
  add_plain(kCost);
  add_plain(kStructure);
  add(series_metrics());
  add(isolation_columns());
  all.push_back({"cfqs_stage_S", "queues",
                 "for every stage S: active congested-flow queues in its switches at the end of the bin",
                 Needs::isolation, "series"});
  for (const OverflowMetric& definition : overflow_metrics()) {
    all.push_back(definition.metric);
    all.back().table = "series";
  }
  for (const FairnessMetric& definition : fairness_metrics())
    if (definition.over_time) {
      all.push_back(definition.metric);
      all.back().table = "destination_series";
    }
  add(waiting_columns());
  add_plain(kTableColumns);
  add_plain(waiting_table_columns());
  add_plain(flow_waiting_columns());
  add_plain(stall_columns());
  add_plain(cut_off_columns());
  const auto place = [](const Metric& metric) {  // first the metrics of runs, then the tables in their order
    const auto tables = result_tables();
    return metric.table.empty() ? -1
                                : std::ranges::find(tables, metric.table, &NamedTable::name) - tables.begin();
  };
  std::ranges::stable_sort(all, {}, place);
  return all;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Removes one or more digits from the front.
bool take_number(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const bool any = end != text.begin();
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return any;
}
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}
// "hotspot", "class_1", or a class in a zone: "cold_5_class_1".
bool take_part(std::string_view& text) {
  if (take(text, "class_")) return take_number(text);
  const bool hot = take(text, "hotspot");
  if (!hot && !take(text, "adjacent") && !(take(text, "cold_") && take_number(text))) return false;
  if (take(text, "_class_")) return take_number(text);
  return hot;
}

}  // namespace

std::string_view to_text(Needs needs) {
  switch (needs) {
    case Needs::nothing:
      return "";
    case Needs::traces:
      return "runs with traces";
    case Needs::fairness:
      return "runs with \"fairness\" in measure.tables";
    case Needs::isolation:
      return "schemes fbicm and recn-iq";
    case Needs::watched_destination:
      return "schemes fbicm and recn-iq, with measure.watch_destination";
    case Needs::overflow:
      return "scheme dbbm-unshared";
    case Needs::waiting:
      return "runs with observe.waiting";
    case Needs::watched_waiting:
      return "runs with observe.waiting and measure.watch_destination";
    case Needs::waiting_flows:
      return "runs with observe.waiting and several flows or traces";
    case Needs::saturation_search:
      return "saturation searches";
    case Needs::cut_off:
      return "runs with network.failures.unreachable = \"reported\"";
    case Needs::cost:
      return "event-driven networks and figures of their structure (on the terminal with \"cost\" in "
             "measure.tables)";
    case Needs::structure:
      return "figures of the network's structure";
    case Needs::slotted:
      return "slotted networks";
  }
  return "";
}

std::span<const Metric> cost_metrics() { return kCost; }

std::span<const Metric> all_metrics() {
  static const std::vector<Metric> all = collect();
  return all;
}

bool covers(const Metric& metric, std::string_view name) {
  std::string_view pattern = metric.name;
  while (!pattern.empty()) {
    if (take(pattern, "PART")) {
      if (!take_part(name)) return false;
    } else if (is_capital(pattern.front())) {
      pattern.remove_prefix(1);
      if (!take_number(name)) return false;
    } else {
      if (name.empty() || name.front() != pattern.front()) return false;
      pattern.remove_prefix(1);
      name.remove_prefix(1);
    }
  }
  return name.empty();
}

const Metric* find_metric(std::string_view name, std::string_view table) {
  const auto found = std::ranges::find_if(all_metrics(), [&](const Metric& metric) {
    return metric.table == table && (metric.name == name || covers(metric, name));
  });
  return found == all_metrics().end() ? nullptr : &*found;
}

}  // namespace headway
