// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/service_levels.h"

#include <map>
#include <string>
#include <utility>

#include "headway/base/error.h"
#include "headway/routing/dependencies.h"

namespace headway {
namespace {

using Step = LaneRules::Step;

// The properties of a link that lane rules with service levels use: its class in the routing, and the numbers
// of its ports if the lane table depends on them.
struct LinkKind {
  std::uint8_t link_class = 0;
  bool from_node = false;
  std::uint32_t input = 0;   // of the switch that it leads to
  std::uint32_t output = 0;  // of the switch that it leaves
  friend auto operator<=>(const LinkKind&, const LinkKind&) = default;
};

class Composition {
 public:
  Composition(const Graph& graph, const LaneRules& base, const ServiceLevels& services)
      : graph_(graph), base_(base), services_(services), table_(services.table) {
    added_.lanes = services.lanes;
    added_.lane_of.clear();
    for (std::uint32_t s = 0; s < table_.levels; ++s)
      added_.lane_of.push_back(
          static_cast<std::uint8_t>(table_.varies() ? s % services.lanes : table_.at(s, 0, 0, 0)));
    added_.of_pair = services.of_pair;
    added_.named = services.named;
    added_.level_stride = table_.hops * table_.levels;
    find_kinds();
  }

  std::uint32_t levels() const { return base_.levels() * table_.hops * table_.levels; }
  std::uint32_t lanes() const { return base_.lanes() * services_.lanes; }
  std::size_t kinds() const { return kinds_.size(); }

  LaneRules rules() {
    for (std::uint32_t level = 0; level < levels(); ++level)
      added_.after_waypoint.push_back(with_base(level, base_.after_waypoint(base_level(level))));
    const auto step = [this](std::uint32_t level, std::uint32_t came, std::uint32_t goes) {
      return this->step(level, *kind_[came], *kind_[goes]);
    };
    return base_.with_services(lanes(), levels(), static_cast<std::uint32_t>(kinds()), added_, step);
  }

 private:
  // A level is ((level of the routing * hops) + hop) * service levels + service level.
  std::uint8_t base_level(std::uint32_t level) const {
    return static_cast<std::uint8_t>(level / added_.level_stride);
  }
  std::uint8_t with_base(std::uint32_t level, std::uint32_t base) const {
    return static_cast<std::uint8_t>(base * added_.level_stride + level % added_.level_stride);
  }

  Step step(std::uint32_t level, const LinkKind& came, const LinkKind& goes) const {
    const Step of_routing = base_.step(base_level(level), came.link_class, goes.link_class);
    const std::uint32_t service = level % table_.levels, hop = level / table_.levels % table_.hops;
    std::uint32_t lane = added_.lane_of[service], next = level;
    if (!goes.from_node) {
      lane = table_.at(service, hop, came.input, goes.output);
      if (hop + 1 < table_.hops) next += table_.levels;
    }
    return {static_cast<std::uint8_t>(of_routing.lane * services_.lanes + lane),
            with_base(next, of_routing.level)};
  }

  void find_kinds() {
    added_.kind_came_by.resize(graph_.ports());
    added_.kind_goes_by.resize(graph_.ports());
    for (PortId port = 0; port < graph_.ports(); ++port) {
      const PortId peer = graph_.peer_of(port);
      if (peer == kNone) continue;
      LinkKind came{base_.class_of(port), table_.varies() && graph_.is_node_port(port)}, goes = came;
      if (table_.inputs > 1 && !graph_.is_node_port(peer)) came.input = graph_.local(peer);
      if (table_.outputs > 1 && !graph_.is_node_port(port)) goes.output = graph_.local(port);
      added_.kind_came_by[port] = number_of(came);
      added_.kind_goes_by[port] = number_of(goes);
    }
    for (const auto& [kind, number] : kinds_) {
      if (kind_.size() <= number) kind_.resize(number + 1);
      kind_[number] = &kind;
    }
  }
  std::uint8_t number_of(const LinkKind& kind) {
    return static_cast<std::uint8_t>(kinds_.emplace(kind, kinds_.size()).first->second);
  }

  const Graph& graph_;
  const LaneRules& base_;
  const ServiceLevels& services_;
  const LaneTable& table_;
  LaneRules::WithServices added_;
  std::map<LinkKind, std::size_t> kinds_;
  std::vector<const LinkKind*> kind_;  // [number]
};

// Returns true if packets can wait for each other in a cycle. Otherwise the lanes of the routing have no
// cycle, and service levels only divide these lanes.
bool can_have_cycles(const Graph& graph, const Routes& routes, const ServiceLevels& services) {
  const bool loses_bubbles = services.table.varies() && graph.has_rings() && !routes.lanes.break_rings();
  return (loses_bubbles && routes.cycles != Cycles::accepted) || routes.cycles == Cycles::left_to_services;
}

}  // namespace

LaneTable LaneTable::modulo(std::uint32_t levels, std::uint32_t lanes) {
  LaneTable table;
  table.levels = levels;
  for (std::uint32_t level = 0; level < levels; ++level)
    table.lane.push_back(static_cast<std::uint8_t>(level % lanes));
  return table;
}

Routes with_service_levels(Routes routes, const Graph& graph, const ServiceLevels& services) {
  const bool must_look = can_have_cycles(graph, routes, services);
  if (services.lanes > 1) {
    if (routes.choices && services.table.varies())
      throw SpecError("switch.lane_table_file",
                      "packets that choose among ports cannot change their lanes by hop or port",
                      "give the lane by service_level alone");
    Composition composition(graph, routes.lanes, services);
    const auto limit = [](const char* key, std::size_t number, const std::string& of) {
      if (number > kMostLevels)
        throw SpecError(key, "makes " + std::to_string(number) + ' ' + of,
                        "at most " + std::to_string(kMostLevels));
    };
    limit("switch.lanes", composition.lanes(), "lanes, with those that the routing needs");
    limit("switch.lane_table_file", composition.levels(), "levels of routing, hops and service levels");
    limit("switch.lane_table_file", composition.kinds(), "kinds of links, told apart by their ports");
    routes.lanes = composition.rules();
    if (services.table.varies()) routes.lanes = std::move(routes.lanes).breaking_rings();
  }
  if (!must_look) return routes;
  const bool left = routes.cycles == Cycles::left_to_services;
  if (const auto cycle = find_dependency_cycle(graph, routes); !cycle.empty())
    throw SpecError(left ? "routing.file" : "switch.lane_table_file",
                    "packets can wait for each other in a cycle, so the network can deadlock: " +
                        to_text(cycle, graph, routes.lanes),
                    left ? "switch.lane_table_file must break every cycle"
                         : "there is no bubble in a ring where packets change their lanes");
  return routes;
}

}  // namespace headway
