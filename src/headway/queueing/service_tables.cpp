// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/service_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "headway/queueing/user_table.h"

namespace headway {
namespace {

using enum Coordinate;

// Removes hops at the end whose lanes are those of the hop before them, because the last hop stands for all
// later ones.
void shorten(LaneTable& table) {
  const std::size_t row = std::size_t{table.inputs} * table.outputs;
  const auto same_as_before = [&](std::uint32_t hop) {
    for (std::uint32_t level = 0; level < table.levels; ++level) {
      const auto at = table.lane.begin() + static_cast<std::ptrdiff_t>((level * table.hops + hop) * row);
      if (!std::equal(at, at + static_cast<std::ptrdiff_t>(row), at - static_cast<std::ptrdiff_t>(row)))
        return false;
    }
    return true;
  };
  while (table.hops > 1 && same_as_before(table.hops - 1)) {
    LaneTable shorter = table;
    --shorter.hops;
    shorter.lane.clear();
    for (std::uint32_t level = 0; level < table.levels; ++level) {
      const auto at = table.lane.begin() + static_cast<std::ptrdiff_t>(level * table.hops * row);
      shorter.lane.insert(shorter.lane.end(), at, at + static_cast<std::ptrdiff_t>(shorter.hops * row));
    }
    table = std::move(shorter);
  }
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
  LaneTable table;
  table.levels = services;
  for (std::size_t d = 0; d < dimensions.count(); ++d) {
    const Coordinate coordinate = dimensions.coordinates()[d];
    if (coordinate == service_level && dimensions.size(d) < services) {
      mistakes.add("switch.lane_table_file", "has " + std::to_string(dimensions.size(d)) +
                                                 " service levels, and packets have " +
                                                 std::to_string(services));
      return std::nullopt;
    }
    if (coordinate == hop) table.hops = dimensions.size(d);
    if (coordinate == input) table.inputs = dimensions.size(d);
    if (coordinate == output) table.outputs = dimensions.size(d);
  }
  table.lane.resize(std::size_t{table.levels} * table.hops * table.inputs * table.outputs);
  auto value = read->values.begin();
  std::uint32_t at[4];  // service level, hop, input, output
  dimensions.for_each([&](const Values& values) {
    std::ranges::fill(at, 0U);
    for (std::size_t d = 0; d < dimensions.count(); ++d) {
      const Coordinate coordinate = dimensions.coordinates()[d];
      at[coordinate == service_level ? 0 : coordinate == hop ? 1 : coordinate == input ? 2 : 3] = values[d];
    }
    const auto lane = static_cast<std::uint8_t>(*value++);
    const bool of_every_level = std::ranges::count(dimensions.coordinates(), service_level) == 0;
    for (std::uint32_t level = at[0]; level < (of_every_level ? services : std::min(services, at[0] + 1));
         ++level)
      table.lane[((std::size_t{level} * table.hops + at[1]) * table.inputs + at[2]) * table.outputs + at[3]] =
          lane;
  });
  shorten(table);
  return table;
}

}  // namespace headway
