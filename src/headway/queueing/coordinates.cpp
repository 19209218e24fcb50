// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/coordinates.h"

#include "headway/topology/members.h"

namespace headway {

Dimensions::Dimensions(const Graph& graph, std::vector<Coordinate> coordinates, std::uint32_t services,
                       const std::vector<std::uint64_t>& sizes)
    : graph_(graph), coordinates_(std::move(coordinates)), services_(services) {
  for (const Coordinate coordinate : coordinates_) {
    const std::string name(name_of(coordinate));
    const auto given = [&](std::uint32_t most) {
      return sizes.empty() ? most : static_cast<std::uint32_t>(sizes[members_.size()]);
    };
    switch (coordinate) {
      case Coordinate::of_switch:
        members_.push_back(switches_of(graph));
        break;
      case Coordinate::stage:
        members_.emplace_back(name, graph.stages());
        break;
      case Coordinate::input:
      case Coordinate::output:
        members_.emplace_back(name, graph.max_radix());
        break;
      case Coordinate::service_level:
        members_.emplace_back("service level", given(kMostServiceLevels));
        break;
      case Coordinate::hop:
        members_.emplace_back(name, given(kMostHops));
        break;
      default:
        members_.push_back(nodes_of(graph, name));
    }
  }
  find_ports();
}

bool Dimensions::exists(const Values& values) const {
  std::uint32_t place = 0;
  bool found = true;
  for (std::size_t d = 0; d < count(); ++d)
    if (is_place(coordinates_[d])) place = values[d];
  for (std::size_t d = 0; d < count(); ++d) {
    if (coordinates_[d] == Coordinate::input) found &= inputs_[port(place, values[d])];
    if (coordinates_[d] == Coordinate::output) found &= outputs_[port(place, values[d])];
    if (coordinates_[d] == Coordinate::service_level) found &= values[d] < services_;
  }
  return found;
}

std::string Dimensions::text(const Values& values) const {
  std::string all;
  for (std::size_t d = 0; d < count(); ++d) {
    const Coordinate coordinate = coordinates_[d];
    std::string value = std::to_string(values[d]);
    if (coordinate == Coordinate::of_switch) value = graph_.switch_name(values[d]);
    if (coordinate == Coordinate::source || coordinate == Coordinate::destination)
      value = graph_.node_name(values[d]);
    all += (d == 0 ? "" : ", ") + std::string(name_of(coordinate)) + ' ' + value;
  }
  return all;
}

QueueMap Dimensions::map(std::vector<std::uint32_t> queue_of, std::uint32_t queues) const {
  QueueMap result;
  result.queues = queues;
  result.queue_of = std::move(queue_of);
  if (coordinates_ == std::vector{Coordinate::output} ||
      coordinates_ == std::vector{Coordinate::destination}) {
    result.key = coordinates_[0] == Coordinate::output ? QueueKey::output : QueueKey::destination;
    return result;
  }
  result.key = QueueKey::table;
  std::uint32_t stride = 1;
  for (std::size_t d = count(); d-- > 0; stride *= size(d)) add(coordinates_[d], stride, result);
  return result;
}

std::uint64_t Dimensions::combinations() const {
  std::uint64_t product = 1;
  for (const NumberedNames& members : members_) {
    product *= members.count();
    if (product > kMostCombinations) return product;
  }
  return product;
}

std::uint32_t Dimensions::place_of(SwitchId sw) const {
  for (const Coordinate coordinate : coordinates_) {
    if (coordinate == Coordinate::of_switch) return sw;
    if (coordinate == Coordinate::stage) return static_cast<std::uint32_t>(graph_.stage_of(sw));
  }
  return 0;
}

void Dimensions::find_ports() {
  inputs_.resize(std::size_t{graph_.switches()} * graph_.max_radix());
  outputs_.resize(inputs_.size());
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
    for (std::uint32_t local = 0; local < graph_.radix(sw); ++local) {
      const PortId id = graph_.port(sw, local);
      if (graph_.source_of(id) != kNone) inputs_[port(place_of(sw), local)] = true;
      if (graph_.peer_of(id) != kNone) outputs_[port(place_of(sw), local)] = true;
    }
}

void Dimensions::add(Coordinate coordinate, std::uint32_t stride, QueueMap& map) const {
  const auto strides = [&](std::uint32_t values) {
    std::vector<std::uint32_t> list(values);
    for (std::uint32_t value = 0; value < values; ++value) list[value] = value * stride;
    return list;
  };
  switch (coordinate) {
    case Coordinate::output:
      map.at_output = strides(graph_.max_radix());
      return;
    case Coordinate::source:
      map.of_source = strides(graph_.nodes());
      return;
    case Coordinate::destination:
      map.of_destination = strides(graph_.nodes());
      return;
    default:
      map.at_input.resize(graph_.switch_ports());
      for (PortId id = 0; id < graph_.switch_ports(); ++id)
        map.at_input[id] +=
            stride * (coordinate == Coordinate::input ? graph_.local(id) : place_of(graph_.switch_of(id)));
  }
}

}  // namespace headway
