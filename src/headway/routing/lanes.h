// SPDX-License-Identifier: Apache-2.0
// Virtual lanes, a part of the result of a routing function. A port has one set of queues of its queueing
// scheme per lane. The lane of a packet on a link depends on its level, on the kind of the link that it
// arrived over, and on the kind of the link that it leaves over:
//
//     switch of the source, destination, service level  ->  level at the source
//     level, kind of the last link, kind of this link   ->  lane on this link, next level
//
// The *class* of a link is what the routing distinguishes, such as local and global links. The *kind* is what
// the table above distinguishes: without service levels the class; with service levels the class and those
// columns of the lane table that name ports. It can differ between packets that arrive over the link and
// packets that leave over it.
//
// The lanes of dateline routing, of hop classes and of service levels are therefore tables of the same form
// (service_levels.h adds service levels to the lanes of a routing). There is no deadlock if the graph in
// which (link, lane) waits for (link, lane) has no cycle (Dally and Seitz, IEEE Trans. Computers 36(5),
// 1987). Service levels and lanes: InfiniBand Architecture Specification 1.3, section 7.6.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/shared_vector.h"

namespace headway {

// The routing state of a packet on its arrival at the next device.
struct Course {
  std::uint32_t via = kNone;   // waypoint that it goes to first; kNone: it goes to its destination
  std::uint8_t level = 0;      // of the lane rules
  std::uint8_t link_kind = 0;  // of the link that it arrived over; at its source, of the adapter
  bool undecided = false;      // a switch still decides whether it goes over its waypoint
  // The lane over the link by which it leaves the device that it is in; kept if EngineShape::ends.
  std::uint8_t lane = 0;
};

// The service levels of packets whose flow sets none: a table whose index is a sum of two indices.
struct PairLevels {
  std::vector<std::uint8_t> level;            // [of_source + of_destination]; empty: all have level 0
  std::vector<std::uint32_t> of_source;       // [node], or empty
  std::vector<std::uint32_t> of_destination;  // [node], or empty

  std::uint8_t at(NodeId source, NodeId destination) const {
    if (level.empty()) return 0;
    return level[(of_source.empty() ? 0 : std::size_t{of_source[source]}) +
                 (of_destination.empty() ? 0 : of_destination[destination])];
  }
  std::uint64_t bytes() const {
    return level.size() + sizeof(std::uint32_t) * (of_source.size() + of_destination.size());
  }
};

class LaneRules {
 public:
  struct Step {
    std::uint8_t lane = 0;
    std::uint8_t level = 0;  // after this link
    friend bool operator==(const Step&, const Step&) = default;
  };

  // Rules with one lane.
  LaneRules() = default;
  // `class_of` is [port of the graph] the class of the link that leaves the port; step(level, came, goes)
  // gives a Step, and must be defined for every level and pair of classes, which are the kinds.
  template <class StepOf>
  LaneRules(std::uint32_t lanes, std::uint32_t levels, std::uint32_t classes,
            std::vector<std::uint8_t> class_of, StepOf&& step)
      : lanes_(lanes),
        levels_(levels),
        classes_(classes),
        class_of_(std::move(class_of)),
        kind_came_by_(class_of_),
        kind_goes_by_(class_of_) {
    for (std::uint32_t level = 0; level < levels; ++level)
      for (std::uint32_t came = 0; came < classes; ++came)
        for (std::uint32_t goes = 0; goes < classes; ++goes)
          steps_.push_back(step(static_cast<std::uint8_t>(level), came, goes));
  }
  // The lane is the level, which no link changes.
  static LaneRules lane_of_level(std::uint32_t lanes) {
    return {lanes, lanes, 1, {}, [](std::uint8_t level, auto, auto) { return Step{level, level}; }};
  }
  // [level] the level after the packet has reached its waypoint.
  LaneRules with_waypoints(std::vector<std::uint8_t> after_waypoint) && {
    after_waypoint_ = std::move(after_waypoint);
    return std::move(*this);
  }
  // The lanes keep packets from waiting for each other around a ring, so no slot of a ring must be kept free.
  LaneRules breaking_rings() && {
    break_rings_ = true;
    return std::move(*this);
  }

  // [switch * nodes + destination] the level at the source of a packet from a node of the switch; default 0.
  LaneRules with_first_levels(std::uint32_t nodes, std::vector<std::uint8_t> levels) && {
    nodes_ = nodes;
    first_levels_ = std::move(levels);
    return std::move(*this);
  }

  // What service levels add to these rules (service_levels.h).
  struct WithServices {
    std::uint32_t lanes = 1;                  // per lane of these rules
    std::vector<std::uint8_t> lane_of = {0};  // [service level] lane where the lane table does not apply
    PairLevels of_pair;
    std::vector<std::uint8_t> named;           // service levels set by flows, for any source and destination
    std::uint32_t level_stride = 1;            // levels per level of these rules
    std::vector<std::uint8_t> kind_came_by;    // [port of the graph]
    std::vector<std::uint8_t> kind_goes_by;    // [port of the graph]
    std::vector<std::uint8_t> after_waypoint;  // [level]
  };
  // `step(level, came, goes)` gets levels of the result and kinds of links.
  template <class StepOf>
  LaneRules with_services(std::uint32_t lanes, std::uint32_t levels, std::uint32_t kinds,
                          WithServices services, StepOf&& step) const {
    LaneRules result(lanes, levels, kinds, {}, step);
    result.break_rings_ = break_rings_;
    result.nodes_ = nodes_;
    result.class_of_ = class_of_;
    result.first_levels_ = first_levels_;
    result.service_lanes_ = services.lanes;
    result.services_ = static_cast<std::uint32_t>(services.lane_of.size());
    result.lane_of_service_ = std::move(services.lane_of);
    result.of_pair_ = std::make_shared<const PairLevels>(std::move(services.of_pair));
    result.named_services_ = std::move(services.named);
    result.level_stride_ = services.level_stride;
    result.kind_came_by_ = std::move(services.kind_came_by);
    result.kind_goes_by_ = std::move(services.kind_goes_by);
    result.after_waypoint_ = std::move(services.after_waypoint);
    return result;
  }

  std::uint32_t lanes() const { return lanes_; }
  std::uint32_t levels() const { return levels_; }
  std::uint32_t services() const { return services_; }
  std::uint32_t service_lanes() const { return service_lanes_; }
  // One of the `service_lanes`, where the lane table does not apply.
  std::uint8_t lane_of(std::uint8_t service) const {
    return lane_of_service_.empty() ? 0 : lane_of_service_[service];
  }
  bool break_rings() const { return break_rings_; }
  std::uint8_t class_of(PortId output) const { return class_of_.empty() ? 0 : class_of_[output]; }
  // The kinds of a link for `step`: for a packet that arrived over it, and for a packet that leaves over it.
  std::uint8_t came_by(PortId output) const { return kind_came_by_.empty() ? 0 : kind_came_by_[output]; }
  std::uint8_t goes_by(PortId output) const { return kind_goes_by_.empty() ? 0 : kind_goes_by_[output]; }
  // The service level of a packet whose flow sets none.
  std::uint8_t service_of(NodeId source, NodeId destination) const {
    return of_pair_ == nullptr ? 0 : of_pair_->at(source, destination);
  }
  std::uint8_t first_level(SwitchId from, NodeId destination, std::uint8_t service) const {
    const std::uint32_t level =
        first_levels_.empty() ? 0 : first_levels_[std::size_t{from} * nodes_ + destination];
    return static_cast<std::uint8_t>(level * level_stride_ + service);
  }
  // Calls visit(service level) for all service levels that packets from `source` to `destination` can have.
  template <class Visit>
  void for_each_service(NodeId source, NodeId destination, Visit&& visit) const {
    visit(service_of(source, destination));
    for (const std::uint8_t service : named_services_) visit(service);
  }
  // Returns true if the lane of a packet can depend on its nodes, not only on their switches and links.
  bool by_node() const { return !first_levels_.empty() || (of_pair_ != nullptr && !of_pair_->level.empty()); }
  std::uint8_t service_of_level(std::uint8_t level) const {
    return static_cast<std::uint8_t>(level % services_);
  }
  Step step(std::uint8_t level, std::uint8_t came, std::uint8_t goes) const {
    return steps_.empty() ? Step{} : steps_[(level * classes_ + came) * classes_ + goes];
  }
  std::uint8_t after_waypoint(std::uint8_t level) const {
    return after_waypoint_.empty() ? level : after_waypoint_[level];
  }
  // Bytes of the tables that copies share.
  std::uint64_t bytes() const {
    const std::uint64_t of_routing = class_of_.bytes() + first_levels_.bytes();
    if (of_pair_ == nullptr) return of_routing;
    return of_routing + kind_came_by_.bytes() + kind_goes_by_.bytes() + of_pair_->bytes();
  }

 private:
  std::uint32_t lanes_ = 1;
  std::uint32_t levels_ = 1;
  std::uint32_t classes_ = 1;
  bool break_rings_ = false;
  std::uint32_t services_ = 1;
  std::uint32_t service_lanes_ = 1;
  std::uint32_t level_stride_ = 1;
  std::uint32_t nodes_ = 0;
  SharedVector<std::uint8_t> class_of_;
  SharedVector<std::uint8_t> kind_came_by_, kind_goes_by_;  // [port]; without service levels, the classes
  std::shared_ptr<const PairLevels> of_pair_;
  std::vector<std::uint8_t> named_services_;
  std::vector<std::uint8_t> lane_of_service_;  // [service level]
  SharedVector<std::uint8_t> first_levels_;
  std::vector<Step> steps_;                   // [(level * classes + came) * classes + goes]
  std::vector<std::uint8_t> after_waypoint_;  // [level]; empty: the level stays as it is
};

}  // namespace headway
