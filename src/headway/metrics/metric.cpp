// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/metric.h"

#include <algorithm>
#include <vector>

#include "headway/metrics/cut_off.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/jobs.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/saturation.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/window.h"
#include "headway/metrics/zones.h"

namespace headway {
namespace {

// Metrics of the network's structure (compile/structure.h).
constexpr Metric kStructure[] = {
    {"nodes", "nodes", "number of end nodes"},
    {"switches", "switches", "number of switches"},
    {"radix", "ports", "maximum number of ports of a switch"},
    {"stages", "stages", "number of stages of switches; 0 in networks without stages"},
    {"switch_links", "links", "links between switches; the two directions of a link count once"},
    {"diameter", "links",
     "number of links between switches on the longest of the shortest paths between two nodes"},
    {"bisection_links", "links",
     "minimum number of links, in one direction, between two halves of the nodes: halves of the subtrees of "
     "a tree, of a dimension of a grid, or of the groups of a dragonfly; empty if the network has no such "
     "halves"},
    {"bisection_share", "1",
     "bisection_links over half of the nodes: 1 if all nodes of one half can send to the other at their full "
     "rate"},
};

// Metrics of the queueing scheme (compile/cost.h).
constexpr Metric kCost[] = {
    {"queues_per_port", "queues", "number of queues per input port"},
    {"cam_lines_per_port", "lines",
     "CAM lines per input port: one per congested-flow queue of fbicm and recn-iq; otherwise 0"},
    {"port_memory_bytes", "bytes", "data memory (RAM) of an input port, as given in the spec"},
    {"lanes", "lanes", "virtual lanes that the routing needs; every port has the scheme's queues in each"},
    {"packets_per_queue", "packets",
     "packets of full size that each queue of an input port can hold; with pooled memory, that the port can "
     "hold"},
    {"switch_memory_bytes", "bytes",
     "data memory of all ports of the largest switch, at the inputs and, in CIOQ switches, at the outputs"},
    {"network_memory_bytes", "bytes", "data memory of all switches"},
    {"minimum_memory_bytes", "bytes",
     "memory of an input port with two packets per queue (OBQA, section 4.5)"},
    {"routing_table_bits", "bits",
     "size of the routing table of one switch, including the lists of destinations of fbicm and recn-iq"},
    {"published_area_mm2", "mm2",
     "area of an input port's minimum memory, for schemes and numbers of queues with a published value "
     "(OBQA, Table 3)"},
};

std::vector<Metric> collect() {
  std::vector<Metric> all;
  // `needs`: of those that do not need more
  const auto add_plain = [&](std::span<const Metric> list, Needs needs = Needs::nothing) {
    for (const Metric& metric : list) {
      all.push_back(metric);
      if (metric.needs == Needs::nothing) all.back().needs = needs;
    }
  };
  const auto add = [&](const auto& definitions, Needs needs = Needs::nothing) {
    for (const auto& definition : definitions) add_plain({&definition.metric, 1}, needs);
  };
  add(window_metrics());
  add(trace_metrics());
  add(control_metrics());
  add(message_metrics());
  add(job_metrics());
  add(fairness_metrics());
  add(waiting_metrics(), Needs::waiting);
  add_plain(stall_metrics());
  add_plain(saturation_metrics());
  add_plain(cut_off_metrics());
  add(isolation_metrics(), Needs::isolation);
  add(overflow_metrics());
  add_plain(zone_metrics(), Needs::slotted);
  add_plain(kCost, Needs::cost);
  add_plain(kStructure, Needs::structure);
  for (const TableKind& table : result_tables()) add_plain(table.columns);
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
  if (const auto dot = name.rfind('.'); dot != name.npos && dot > 0 && table.empty()) {
    for (const TableKind& kind : result_tables())
      if (const Metric* const column = column_of_rows(kind, name.substr(dot + 1)); column != nullptr)
        return column;
    return nullptr;
  }
  const auto found = std::ranges::find_if(all_metrics(), [&](const Metric& metric) {
    return metric.table == table && (metric.name == name || covers(metric, name));
  });
  return found == all_metrics().end() ? nullptr : &*found;
}

}  // namespace headway
