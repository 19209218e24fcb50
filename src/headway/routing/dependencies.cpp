// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/dependencies.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "headway/base/cancel_scope.h"
#include "headway/base/flat_map.h"
#include "headway/base/work_scope.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

// [output] the first output of the ring to which it belongs, or the output itself.
std::vector<PortId> ring_of(const Graph& graph, bool has_rings) {
  std::vector<PortId> first_of(graph.ports(), kNone);
  for (PortId output = 0; output < graph.ports(); ++output)
    for (PortId next = output; first_of[next] == kNone;) {
      first_of[next] = output;
      if (!has_rings || graph.ring_input(next) == kNone) break;
      // the next link of the ring: the output that continues from the input of this link
      const PortId input = graph.peer_of(next);
      const SwitchId sw = graph.switch_of(input);
      for (std::uint32_t local = 0; local < graph.radix(sw); ++local)
        if (graph.ring_input(graph.port(sw, local)) == input) next = graph.port(sw, local);
    }
  return first_of;
}

// The channels that wait for each other. A channel has the number output * lanes + lane. Links of nodes close
// no cycle: nothing waits for the link from a node, and the link to a node waits for nothing. So one node
// stands for all that have the same routes and lanes.
//
// Packets are followed switch by switch: those of a level that came over links of one kind continue in the
// same way, and the channels that they hold wait for the same ones. So the work is proportional to
// destinations (leaves, where the routes to their nodes are the same) times the links on the ways to them,
// not times the pairs of links that meet at switches.
class Dependencies {
 public:
  Dependencies(const Graph& graph, const Routes& routes)
      : graph_(graph),
        routes_(routes),
        lanes_(routes.lanes.lanes()),
        has_rings_(graph.has_rings() && !routes.lanes.break_rings()),
        ring_of_(ring_of(graph, has_rings_)),
        row_of_(std::size_t{graph.ports()} * lanes_, kNoRow),
        seen_(row_of_.size() * routes.lanes.levels() * 2) {
    std::vector<std::vector<std::uint8_t>> kinds(graph.switches());  // of links from nodes
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const PortId adapter = graph.node_port(node);
      if (graph.peer_of(adapter) == kNone) continue;  // a node that is cut off
      std::vector<std::uint8_t>& known = kinds[switch_from(graph, node)];
      const std::uint8_t kind = routes.lanes.came_by(adapter);
      if (!routes.lanes.by_node() && std::ranges::find(known, kind) != known.end()) continue;
      known.push_back(kind);
      sources_.push_back(node);
    }
  }

  void follow_all() {
    const bool turns_later = routes_.detours && routes_.detours->kind == Detour::progressive;
    const std::vector<NodeId> destinations =
        destinations_apart(graph_, routes_.table.by_switch() && !routes_.lanes.by_node());
    std::vector<Place> turning, turned;  // packets on the way to their waypoints, and after them
    for (const NodeId destination : destinations) {
      const std::vector<Place> sources = sources_to(destination);
      if (routes_.detours) turning.insert(turning.end(), sources.begin(), sources.end());
      follow(sources, routes_.table, destination, [&](const Place& place) {
        if (turns_later && place.at_first_part) turning.push_back(place);
        return false;
      });
      sort_out(turning);
    }
    if (!routes_.detours) return;
    const Detours& detours = *routes_.detours;
    for (std::uint32_t via = 0; via < detours.waypoints; ++via)
      follow(turning, detours.to_waypoint, via, [&](const Place& place) {
        if (detours.waypoint_of[graph_.switch_of(graph_.peer_of(place.output))] != via) return false;
        turned.push_back(place);
        turned.back().level = routes_.lanes.after_waypoint(place.level);
        return true;
      });
    sort_out(turned);
    for (const NodeId destination : destinations)
      follow(turned, routes_.table, destination, [](const Place&) { return false; });
  }

  std::vector<Channel> cycle() const {
    const std::vector<std::vector<std::uint32_t>> waits_for = all_waits();
    const std::vector<std::uint32_t> waiting = waiting_forever(waits_for);
    const auto stuck = std::ranges::find_if(waiting, [](std::uint32_t count) { return count > 0; });
    if (stuck == waiting.end()) return {};
    std::vector<std::uint32_t> path = {static_cast<std::uint32_t>(stuck - waiting.begin())};
    for (;;) {
      const auto next = std::ranges::find_if(waits_for[path.back()],
                                             [&](std::uint32_t channel) { return waiting[channel] > 0; });
      const auto met = std::ranges::find(path, *next);
      if (met == path.end()) {
        path.push_back(*next);
        continue;
      }
      std::vector<Channel> result;
      for (auto channel = met; channel != path.end(); ++channel)
        result.push_back({*channel / lanes_, *channel % lanes_});
      return result;
    }
  }

 private:
  // A place where packets can be: behind this output, in this lane, with this level.
  struct Place {
    PortId output;
    std::uint8_t lane;
    std::uint8_t level;
    bool at_first_part;  // still in the part of their source (Detours)
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::uint32_t number_of(PortId output, std::uint32_t lane) const {
    return ring_of_[output] * lanes_ + lane;
  }
  std::size_t number_of(const Place& place) const {
    const std::size_t channel = std::size_t{place.output} * lanes_ + place.lane;
    return (channel * routes_.lanes.levels() + place.level) * 2 + (place.at_first_part ? 1 : 0);
  }

  std::vector<Place> sources_to(NodeId destination) const {
    std::vector<Place> sources;
    for (const NodeId node : sources_)
      routes_.lanes.for_each_service(node, destination, [&](std::uint8_t service) {
        const PortId adapter = graph_.node_port(node);
        const std::uint8_t level = routes_.lanes.first_level(switch_from(graph_, node), destination, service);
        sources.push_back(place_behind(level, adapter, adapter));
      });
    if (routes_.choices) add_escapes_to(destination, sources);
    return sources;
  }

  // A packet can escape at any switch, and then begins at its first level.
  void add_escapes_to(NodeId destination, std::vector<Place>& sources) const {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      const PortId output = graph_.port(sw, routes_.table.at(sw, destination).first);
      for (std::uint32_t service = 0; service < routes_.lanes.services(); ++service)
        sources.push_back(place_behind(static_cast<std::uint8_t>(service), graph_.node_port(0), output));
    }
  }

  // The place of a packet of this level that came by one link and went by another, in the part of its source.
  Place place_behind(std::uint8_t level, PortId came, PortId goes) const {
    const LaneRules::Step step =
        routes_.lanes.step(level, routes_.lanes.came_by(came), routes_.lanes.goes_by(goes));
    return {goes, step.lane, step.level, true};
  }

  static void sort_out(std::vector<Place>& places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  // Follows packets from places to a destination or waypoint, but not beyond places where `ends` returns
  // true.
  template <class Ends>
  void follow(const std::vector<Place>& from, const RouteTable& table, std::uint32_t to, Ends&& ends) {
    poll_cancel();
    ++searches_;
    wanted_.clear();
    std::vector<Place> frontier;
    const auto reach = [&](const Place& place) {
      const PortId input = graph_.peer_of(place.output);
      if (input == kNone || graph_.is_node_port(input)) return;
      if (std::exchange(seen_[number_of(place)], searches_) == searches_) return;
      if (!ends(place)) frontier.push_back(place);
    };
    for (const Place& place : from) reach(place);
    while (!frontier.empty()) {
      const Place place = frontier.back();
      frontier.pop_back();
      const SwitchId sw = graph_.switch_of(graph_.peer_of(place.output));
      const std::size_t words = words_of(sw);
      Way& way = way_of(place, sw);
      count_work(1);
      if (std::exchange(way.search, searches_) != searches_) {
        way.first = wanted_.size();
        wanted_.resize(way.first + words);
        const PortRange candidates = table.at(sw, to);
        for (std::uint32_t c = 0; c < candidates.count; ++c) {
          const std::uint32_t local = table.port(sw, to, candidates, c);
          const PortId wanted = graph_.port(sw, local);
          const LaneRules::Step step = routes_.lanes.step(place.level, routes_.lanes.came_by(place.output),
                                                          routes_.lanes.goes_by(wanted));
          const std::uint32_t bit = local * lanes_ + step.lane;
          wanted_[way.first + bit / 64] |= std::uint64_t{1} << (bit % 64);
          reach({wanted, step.lane, step.level, place.at_first_part && stays_in_part(wanted)});
          count_work(1);
        }
      }
      if (graph_.is_node_port(place.output)) continue;
      std::uint64_t* const row = row_of(place, words);
      for (std::size_t w = 0; w < words; ++w) row[w] |= wanted_[way.first + w];
    }
  }

  // How the packets that arrive at a switch in one way continue: the channels that they want.
  struct Way {
    std::uint32_t search = 0;
    std::size_t first = 0;  // word in wanted_
  };
  // 64 channels of a switch in each word; a channel has the number local output * lanes + lane.
  std::size_t words_of(SwitchId sw) const { return (std::size_t{graph_.radix(sw)} * lanes_ + 63) / 64; }

  Way& way_of(const Place& place, SwitchId sw) {
    const std::uint64_t kind = routes_.lanes.came_by(place.output);
    return ways_.at((std::uint64_t{sw} << 8 | place.level) << 9 | kind << 1 | (place.at_first_part ? 1 : 0),
                    {});
  }
  // The channels of the next switch for which packets in this channel wait.
  std::uint64_t* row_of(const Place& place, std::size_t words) {
    std::size_t& row = row_of_[std::size_t{place.output} * lanes_ + place.lane];
    if (row == kNoRow) {
      row = rows_.size();
      rows_.resize(row + words);
    }
    return &rows_[row];
  }

  // [channel] the channels that it waits for, ascending.
  std::vector<std::vector<std::uint32_t>> all_waits() const {
    std::vector<std::vector<std::uint32_t>> waits(row_of_.size());
    for (PortId output = 0; output < graph_.switch_ports(); ++output)
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        const std::size_t row = row_of_[std::size_t{output} * lanes_ + lane];
        if (row == kNoRow) continue;
        const PortId input = graph_.peer_of(output);
        const SwitchId sw = graph_.switch_of(input);
        std::vector<std::uint32_t>& of_channel = waits[number_of(output, lane)];
        for (std::size_t w = 0; w < words_of(sw); ++w)
          for (std::uint64_t left = rows_[row + w]; left != 0; left &= left - 1) {
            const auto bit =
                static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left));
            const PortId wanted = graph_.port(sw, bit / lanes_);
            if (has_rings_ && graph_.ring_input(wanted) == input) continue;  // continues along the same ring
            of_channel.push_back(number_of(wanted, bit % lanes_));
          }
      }
    for (std::vector<std::uint32_t>& of_channel : waits) {
      std::ranges::sort(of_channel);
      of_channel.erase(std::unique(of_channel.begin(), of_channel.end()), of_channel.end());
    }
    return waits;
  }

  bool stays_in_part(PortId output) const {
    const PortId input = graph_.peer_of(output);
    if (!routes_.detours || input == kNone || graph_.is_node_port(input)) return false;
    const auto& part_of = routes_.detours->waypoint_of;
    return part_of[graph_.switch_of(output)] == part_of[graph_.switch_of(input)];
  }

  // [channel] the number of channels that it waits for, after channels that wait for none were removed
  // repeatedly.
  static std::vector<std::uint32_t> waiting_forever(
      const std::vector<std::vector<std::uint32_t>>& waits_for) {
    std::vector<std::uint32_t> waiting(waits_for.size()), free;
    std::vector<std::vector<std::uint32_t>> waited_by(waits_for.size());
    for (std::uint32_t channel = 0; channel < waiting.size(); ++channel) {
      waiting[channel] = static_cast<std::uint32_t>(waits_for[channel].size());
      if (waiting[channel] == 0) free.push_back(channel);
      for (const std::uint32_t next : waits_for[channel]) waited_by[next].push_back(channel);
    }
    while (!free.empty()) {
      const std::uint32_t channel = free.back();
      free.pop_back();
      for (const std::uint32_t holder : waited_by[channel])
        if (--waiting[holder] == 0) free.push_back(holder);
    }
    return waiting;
  }

  const Graph& graph_;
  const Routes& routes_;
  std::uint32_t lanes_;
  bool has_rings_;
  std::vector<PortId> ring_of_;  // [output]
  std::vector<NodeId> sources_;  // one for all that have the same routes and lanes
  static constexpr std::size_t kNoRow = ~std::size_t{0};
  std::vector<std::size_t> row_of_;  // [channel] its row of words in rows_
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> seen_;  // [place] the last search that reached it
  FlatMap<std::uint64_t, Way> ways_;
  std::vector<std::uint64_t> wanted_;  // in this search
  std::uint32_t searches_ = 0;
};

}  // namespace

std::vector<Channel> find_dependency_cycle(const Graph& graph, const Routes& routes) {
  Dependencies dependencies(graph, routes);
  dependencies.follow_all();
  return dependencies.cycle();
}

std::string to_text(const std::vector<Channel>& cycle, const Graph& graph, const LaneRules& lanes) {
  std::string text;
  for (const auto& [output, lane] : cycle) {
    text += graph.is_node_port(output) ? "node " + graph.node_name(graph.node_of(output))
                                       : "switch " + graph.switch_name(graph.switch_of(output)) + " port " +
                                             std::to_string(graph.local(output));
    if (lanes.lanes() > 1) text += " lane " + std::to_string(lane);
    text += " -> ";
  }
  return text + "...";
}

}  // namespace headway
