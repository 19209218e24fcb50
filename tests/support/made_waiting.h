// SPDX-License-Identifier: Apache-2.0
// Results of a run with observe.waiting, made by hand: tests say what waits for which root.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/run/results.h"

namespace headway::test {

class MadeWaiting {
 public:
  static constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();

  struct Flow {
    std::string name;
    double packets = 0, victims = 0;
  };
  struct Root {
    std::string kind = "link";
    double from_switch = 0, from_node = kEmpty, to_switch = kEmpty, to_node = kEmpty;
    double from_stage = kEmpty, to_stage = kEmpty;
    std::vector<Flow> flows;                              // that wait for it
    std::vector<std::pair<double, double>> destinations;  // of packets that cross it
    double utilisation = 1;
    double window_load = kEmpty;
  };

  // A network of 32 nodes with a window from 100 us to 200 us. Packets are on links for 500 ns.
  MadeWaiting() {
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, double>>{{"photographs", 20},
                                                     {"warmup_ns", 100'000},
                                                     {"duration_ns", 100'000},
                                                     {"transit_ns", 500},
                                                     {"packets_delivered", 10'000}})
      set(name, value);
    for (double node = 0; node < 32; ++node) add("per_destination", {{"destination", node}}, {});
  }

  MadeWaiting& set(const std::string& metric, double value) {
    std::erase_if(result().metrics, [&](const auto& each) { return each.first == metric; });
    result().metrics.emplace_back(metric, value);
    return *this;
  }
  MadeWaiting& status(Status status, const std::string& detail) {
    result().status = status;
    result().detail = detail;
    return *this;
  }

  MadeWaiting& root(const Root& root) {
    const double port = next_port_++;
    double packets = 0, victims = 0;
    for (const Flow& flow : root.flows) {
      packets += flow.packets;
      victims += flow.victims;
      if (flow.name.empty()) continue;  // a single flow has no such table
      add("flow_roots", {{"port", port}, {"packets", flow.packets}, {"victim_packets", flow.victims}},
          {{"flow", flow.name}, {"kind", root.kind}});
    }
    for (const auto& [destination, crossing] : root.destinations)
      add("culprits", {{"port", port}, {"destination", destination}, {"packets", crossing}},
          {{"kind", root.kind}});
    add("roots",
        {{"port", port},
         {"from_switch", root.from_switch},
         {"from_node", root.from_node},
         {"from_port", port},
         {"to_switch", root.to_switch},
         {"to_node", root.to_node},
         {"from_stage", root.from_stage},
         {"to_stage", root.to_stage},
         {"packets", packets},
         {"admittance_packets", 0},
         {"victim_packets", victims},
         {"window_load", root.window_load}},
        {{"kind", root.kind}});
    add("per_link", {{"port", port}, {"utilisation", root.utilisation}}, {});
    return *this;
  }

  // Links of the network that are no roots.
  MadeWaiting& idle_links(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      add("per_link", {{"port", next_port_++}, {"utilisation", 0.1}}, {});
    return *this;
  }

  struct FlowRow {
    std::string name;
    double delivered = 1000, waiting = 0, victims = 0, waiting_ns = 0, victim_ns = 0;
    double offered_load = kEmpty, accepted_load = kEmpty;  // not there in earlier results
  };
  MadeWaiting& flow(const FlowRow& row) {
    std::vector<std::pair<std::string, double>> cells = {{"packets_delivered", row.delivered},
                                                         {"waiting_packets", row.waiting},
                                                         {"victim_packets", row.victims},
                                                         {"waiting_ns", row.waiting_ns},
                                                         {"victim_wait_ns", row.victim_ns}};
    if (row.offered_load >= 0) {
      cells.emplace_back("offered_load", row.offered_load);
      cells.emplace_back("accepted_load", row.accepted_load);
    }
    add("per_flow", cells, {{"flow", row.name}});
    return *this;
  }

  // Victims in bins of 10 us from the start of the run on.
  MadeWaiting& victims_over_time(const std::vector<double>& victims) {
    double time = 0;
    for (const double packets : victims)
      add("series", {{"time_ns", time += 10'000}, {"victim_packets", packets}}, {});
    return *this;
  }

  Result& result() { return point_.result; }
  const PointResult& point() const { return point_; }

 private:
  void add(const std::string& table, const std::vector<std::pair<std::string, double>>& numbers,
           const std::vector<std::pair<std::string, std::string>>& words) {
    Table& to = result().tables[table];
    const auto column = [&](const std::string& name) -> Column& {
      for (Column& each : to)
        if (each.name == name) return each;
      to.push_back({name});
      return to.back();
    };
    for (const auto& [name, value] : numbers) column(name).values.push_back(value);
    for (const auto& [name, word] : words) column(name).words.push_back(word);
  }

  PointResult point_;
  double next_port_ = 0;
};

}  // namespace headway::test
