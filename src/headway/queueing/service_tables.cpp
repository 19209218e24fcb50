// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/service_tables.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "headway/queueing/user_table.h"

namespace headway {
namespace {

using enum Coordinate;

// Removes hops at the end whose lanes are those of the hop before them, because the last hop stands for all
// later ones.
void shorten(LaneTable& table) {
  const std::size_t ports = std::size_t{table.inputs} * table.outputs;
  const auto lanes = [&](std::uint32_t level, std::uint32_t hop, std::uint32_t hops) {
    return std::span(table.lane).subspan((std::size_t{level} * table.hops + hop) * ports, hops * ports);
  };
  const auto is_as_before = [&](std::uint32_t hop) {
    for (std::uint32_t level = 0; level < table.levels; ++level)
      if (!std::ranges::equal(lanes(level, hop, 1), lanes(level, hop - 1, 1))) return false;
    return true;
  };
  std::uint32_t hops = table.hops;
  while (hops > 1 && is_as_before(hops - 1)) --hops;
  std::vector<std::uint8_t> kept;
  for (std::uint32_t level = 0; level < table.levels; ++level)
    std::ranges::copy(lanes(level, 0, hops), std::back_inserter(kept));
  table.lane = std::move(kept);
  table.hops = hops;
}

}  // namespace

std::optional<PairLevels> read_pair_levels(const Graph& graph, const InputFile& file, Mistakes& mistakes) {
  const TableForm form{.file_key = "switch.service_levels_file",
                       .value = "service_level",
                       .most = kMostServiceLevels - 1,
                       .columns = {source, destination},
                       .by_rank = {{destination}, {source, destination}}};
  const std::optional<UserTable> table = read_user_table(graph, file, form, mistakes);
  if (!table) return std::nullopt;
  // A queue map by source and destination has the same form.
  const QueueMap map = table->dimensions.map(table->values, table->highest + 1);
  PairLevels levels;
  levels.level.assign(table->values.begin(), table->values.end());
  levels.of_source = map.of_source;
  levels.of_destination = map.of_destination;
  if (map.key == QueueKey::destination)
    for (NodeId node = 0; node < graph.nodes(); ++node) levels.of_destination.push_back(node);
  return levels;
}

std::optional<LaneTable> read_lane_table(const Graph& graph, const InputFile& file, std::uint32_t lanes,
                                         std::uint32_t services, Mistakes& mistakes) {
  const TableForm form{
      .file_key = "switch.lane_table_file",
      .value = "lane",
      .most = lanes - 1,
      .columns = {service_level, hop, input, output},
      .services = services,
      .by_rank = {{service_level}, {service_level, hop}, {service_level, hop, input, output}}};
  const std::optional<UserTable> read = read_user_table(graph, file, form, mistakes);
  if (!read) return std::nullopt;
  const Dimensions& dimensions = read->dimensions;
  // The number of values of a coordinate, and their distance in the table; 1 and 0 if it has no such column.
  const auto axis_of = [&](Coordinate coordinate) {
    std::size_t distance = 1;
    for (std::size_t d = dimensions.count(); d-- > 0; distance *= dimensions.size(d))
      if (dimensions.coordinates()[d] == coordinate) return std::pair(dimensions.size(d), distance);
    return std::pair(1U, std::size_t{0});
  };
  const auto [levels, of_level] = axis_of(service_level);
  const auto [hops, of_hop] = axis_of(hop);
  const auto [inputs, of_input] = axis_of(input);
  const auto [outputs, of_output] = axis_of(output);
  if (of_level > 0 && levels < services) {
    mistakes.add(
        "switch.lane_table_file",
        "has " + std::to_string(levels) + " service levels, and packets have " + std::to_string(services));
    return std::nullopt;
  }
  LaneTable table{services, hops, inputs, outputs, {}};
  for (std::uint32_t level = 0; level < services; ++level)
    for (std::uint32_t h = 0; h < hops; ++h)
      for (std::uint32_t in = 0; in < inputs; ++in)
        for (std::uint32_t out = 0; out < outputs; ++out)
          table.lane.push_back(static_cast<std::uint8_t>(
              read->values[level * of_level + h * of_hop + in * of_input + out * of_output]));
  shorten(table);
  return table;
}

}  // namespace headway
