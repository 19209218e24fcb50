// SPDX-License-Identifier: Apache-2.0
// The coordinates that a number of a user's table can depend on, and their values in a network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/names.h"
#include "headway/config/row_reader.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/service_levels.h"
#include "headway/topology/graph.h"

namespace headway {

// Ports are numbered within their switch. Hops are the switches that a packet has left.
enum class Coordinate : std::uint8_t {
  of_switch,
  stage,
  input,
  output,
  source,
  destination,
  service_level,
  hop
};
constexpr auto names_in_specs(Coordinate) {
  return name_list("switch", "stage", "input", "output", "source", "destination", "service_level", "hop");
}
// The coordinates of queues.
inline constexpr auto kQueueCoordinates = std::span(kNames<Coordinate>).first<6>();

inline constexpr std::uint32_t kMostHops = 16;  // the last stands for all later ones

inline constexpr std::uint64_t kMostCombinations = std::uint64_t{1} << 25;  // with their rows: 400 MiB

using Values = std::vector<std::uint32_t>;  // [dimension]

// The coordinates of a table and the values that they can have in a network.
class Dimensions {
 public:
  // `services`: service levels in use. `sizes`: the sizes of the dimensions, used for service levels and
  // hops, which do not follow from the network; if empty, the maximum.
  Dimensions(const Graph& graph, std::vector<Coordinate> coordinates, std::uint32_t services = 1,
             const std::vector<std::uint64_t>& sizes = {});

  std::size_t count() const { return coordinates_.size(); }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  std::uint32_t size(std::size_t dimension) const { return members_[dimension].count(); }
  const NumberedNames& members(std::size_t dimension) const { return members_[dimension]; }
  std::uint64_t combinations() const;

  // Calls visit(values) for all combinations, in the order of their numbers.
  template <class Visit>
  void for_each(Visit&& visit) const {
    Values values(count(), 0);
    for (std::uint64_t left = combinations(); left > 0; --left) {
      visit(std::as_const(values));
      for (std::size_t d = count(); d-- > 0;) {
        if (++values[d] < size(d)) break;
        values[d] = 0;
      }
    }
  }

  // Returns true if these ports exist and have links, and this service level is in use.
  bool exists(const Values& values) const;

  std::string text(const Values& values) const;  // "switch leaf0, destination 3"

  // The map of a table of queues. `queue_of`: the queues of all combinations, in the order of their numbers.
  QueueMap map(std::vector<std::uint32_t> queue_of, std::uint32_t queues) const;

 private:
  // Ports are distinguished by their place: the switch, the stage, or neither.
  static bool is_place(Coordinate coordinate) {
    return coordinate == Coordinate::of_switch || coordinate == Coordinate::stage;
  }
  std::size_t port(std::uint32_t place, std::uint32_t local) const {
    return std::size_t{place} * graph_.max_radix() + local;
  }
  std::uint32_t place_of(SwitchId sw) const;
  void find_ports();
  void add(Coordinate coordinate, std::uint32_t stride, QueueMap& map) const;

  const Graph& graph_;
  std::vector<Coordinate> coordinates_;
  std::vector<NumberedNames> members_;  // [dimension]
  std::uint32_t services_;
  std::vector<bool> inputs_, outputs_;  // [place * max_radix + port] has a link
};

}  // namespace headway
