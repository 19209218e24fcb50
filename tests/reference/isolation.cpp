// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/isolation.h"

#include <algorithm>

namespace headway::reference {

NaiveIsolation::NaiveIsolation(const Setup& setup, const Wiring& wiring)
    : routes_(setup.routes.table),
      wiring_(wiring),
      rules_(setup.rules.isolation.value_or(IsolationRules{})),
      room_of_packet_(setup.rules.cell_bytes == 0
                          ? 1
                          : (setup.rules.packet_bytes + setup.rules.cell_bytes - 1) / setup.rules.cell_bytes),
      lines_(wiring.ports.size()),
      copies_(wiring.ports.size()),
      waiting_(wiring.ports.size()) {}

PortId NaiveIsolation::output_of(PortId input, NodeId destination) const {
  if (is_adapter(input)) return input;
  const SwitchId sw = wiring_.ports[input].device;
  return wiring_.devices[sw][routes_.at(sw, destination).first];
}

NaiveIsolation::Flows NaiveIsolation::derived(PortId input, PortId output, const Copy& copy) const {
  Flows flows = copy.flows;
  std::erase_if(flows.destinations, [&](NodeId node) { return output_of(input, node) != output; });
  flows.path.insert(flows.path.begin(), output);
  return flows;
}

bool NaiveIsolation::holds(const Flows& flows, PortId input, NodeId destination) const {
  if (!by_route()) return flows.destinations.contains(destination);
  for (const PortId output : flows.path) {
    if (output_of(input, destination) != output) return false;
    input = wiring_.ports[output].peer;
  }
  return true;
}

std::pair<std::int64_t, std::uint32_t> NaiveIsolation::place(std::uint32_t hops, std::uint32_t number) const {
  return {rules_.nearest_last ? -std::int64_t{hops} : std::int64_t{hops}, number};
}

std::vector<std::uint32_t> NaiveIsolation::in_order(PortId port) const {
  std::vector<std::pair<std::int64_t, std::uint32_t>> keys;
  for (const auto& [number, line] : lines_[port]) keys.push_back(place(line.hops, number));
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> numbers;
  for (const auto& key : keys) numbers.push_back(key.second);
  return numbers;
}

std::optional<std::uint32_t> NaiveIsolation::free_number(PortId port) const {
  for (std::uint32_t number = 0; number < rules_.lines; ++number)
    if (!lines_[port].contains(number)) return number;
  return std::nullopt;
}

std::vector<std::uint32_t> NaiveIsolation::refusing(PortId output, NodeId destination) const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, copy] : copies_[output])
    if (copy.stopped && holds(copy.flows, wiring_.ports[output].peer, destination)) numbers.push_back(number);
  return numbers;
}

bool NaiveIsolation::refuses(PortId output, NodeId destination) const {
  return !refusing(output, destination).empty();
}

std::set<PortId> NaiveIsolation::receive(Tick now) {
  std::set<PortId> outputs;
  for (; !signals_.empty() && signals_.begin()->first == now; signals_.erase(signals_.begin())) {
    const Signal& signal = signals_.begin()->second;
    outputs.insert(signal.output);
    auto& copies = copies_[signal.output];
    if (signal.kind == Isolation::Kind::stop) copies[signal.number] = {signal.hops, signal.flows, true};
    if (signal.kind == Isolation::Kind::go) copies.at(signal.number).stopped = false;
    if (signal.kind != Isolation::Kind::free) continue;
    copies.erase(signal.number);
    for (const PortId port : wiring_.devices[wiring_.ports[signal.output].device])
      for (auto& [number, line] : lines_[port])
        if (line.output == signal.output && line.parent == signal.number) line.parent = std::nullopt;
  }
  return outputs;
}

std::set<PortId> NaiveIsolation::woken(Tick now) {
  std::set<PortId> ports;
  for (; !wakes_.empty() && wakes_.begin()->first == now; wakes_.erase(wakes_.begin()))
    ports.insert(wakes_.begin()->second);
  return ports;
}

void NaiveIsolation::settle(PortId port, const Queues& queues, Tick now, bool arrived) {
  classify(port, queues, now);
  const bool adapter = is_adapter(port);
  if (arrived && !adapter && queues.room(0) > rules_.detection_threshold * room_of_packet_) {
    const PortId output = output_of(port, queues.head(0));
    const bool known = std::any_of(lines_[port].begin(), lines_[port].end(), [&](const auto& entry) {
      return entry.second.root && entry.second.output == output;
    });
    const auto number = free_number(port);
    if (!known && !number) ++in_vain_;
    if (!known && number) {
      Line& line = lines_[port][*number];
      line.root = true;
      line.hops = 1;
      line.output = output;
      line.flows = {{queues.head(0)}, {output}};
      ++counts_.detections;
      ++counts_.allocations;
      ++counts_.active_lines;
      classify(port, queues, now);
    }
  }
  counts_.refused_allocations += in_vain_;
  if (adapter) return;
  for (auto& [number, line] : lines_[port]) {
    const std::uint64_t room = queues.room(1 + number);
    if (!line.sent_stop && room > rules_.stop_threshold * room_of_packet_)
      send(port, Isolation::Kind::stop, number, now);
    if (line.sent_stop && room <= rules_.go_threshold * room_of_packet_)
      send(port, Isolation::Kind::go, number, now);
  }
}

void NaiveIsolation::classify(PortId port, const Queues& queues, Tick now) {
  bool again = true;
  while (again) {
    in_vain_ = 0;
    again = sweep(port, queues) || answer(port, queues) || free_some(port, queues, now);
  }
}

// Makes one move, if one is possible.
bool NaiveIsolation::sweep(PortId port, const Queues& queues) {
  const std::vector<std::uint32_t> order = in_order(port);
  if (queues.length(0) > 0) {
    const NodeId destination = queues.head(0);
    for (const std::uint32_t number : order)
      if (holds(lines_[port][number].flows, port, destination)) {
        queues.move(0, 1 + number);
        ++counts_.moves;
        return true;
      }
    for (auto& [number, line] : lines_[port])
      if (!by_route() && line.root && line.output == output_of(port, destination)) {
        line.flows.destinations.insert(destination);
        return true;
      }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (queues.length(1 + order[i]) == 0) continue;
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (holds(lines_[port][order[j]].flows, port, queues.head(1 + order[i]))) {
        queues.move(1 + order[i], 1 + order[j]);
        ++counts_.moves;
        return true;
      }
  }
  return false;
}

bool NaiveIsolation::answer(PortId port, const Queues& queues) {
  std::vector<std::uint32_t> order = in_order(port);
  order.insert(order.begin(), kNone);
  for (const std::uint32_t at : order) {
    const std::uint32_t queue = at == kNone ? 0 : 1 + at;
    if (queues.length(queue) == 0) continue;
    const NodeId destination = queues.head(queue);
    const PortId output = output_of(port, destination);
    bool in_vain = false;
    for (const std::uint32_t number : refusing(output, destination)) {
      const Copy& copy = copies_[output].at(number);
      Line* derived = nullptr;
      for (auto& [name, line] : lines_[port])
        if (line.output == output && line.parent == number) derived = &line;
      if (derived != nullptr) {
        if (holds(derived->flows, port, destination)) continue;
        derived->flows.destinations.merge(this->derived(port, output, copy).destinations);
        return true;
      }
      const auto free = free_number(port);
      if (!free) {
        in_vain = true;
        continue;
      }
      if (at != kNone && place(copy.hops + 1, *free) < place(lines_[port].at(at).hops, at)) continue;
      Line& line = lines_[port][*free];
      line.parent = number;
      line.hops = copy.hops + 1;
      line.output = output;
      line.flows = this->derived(port, output, copy);
      if (is_adapter(port)) {
        ++counts_.adapter_lines;
      } else {
        ++counts_.allocations;
        ++counts_.active_lines;
      }
      return true;
    }
    in_vain_ += in_vain ? 1 : 0;
  }
  return false;
}

bool NaiveIsolation::free_some(PortId port, const Queues& queues, Tick now) {
  std::vector<std::uint32_t> unused;
  for (auto& [number, line] : lines_[port]) {
    if (queues.length(1 + number) > 0) {
      line.empty_since = -1;
      continue;
    }
    const bool orphan = !line.root && !line.parent;
    if (line.empty_since < 0) {
      line.empty_since = now;
      if (!orphan && rules_.idle > 0) wakes_.insert({now + rules_.idle, port});
    }
    const bool rested = now - line.empty_since >= rules_.idle &&
                        (!line.root || queues.room(0) <= rules_.detection_threshold * room_of_packet_);
    if (orphan || rested) unused.push_back(number);
  }
  for (const std::uint32_t number : unused) {
    const Line line = lines_[port].at(number);
    if (line.sent_stop) send(port, Isolation::Kind::go, number, now);
    if (line.propagated) send(port, Isolation::Kind::free, number, now);
    lines_[port].erase(number);
    if (is_adapter(port)) {
      --counts_.adapter_lines;
      continue;
    }
    --counts_.active_lines;
    ++counts_.frees;
    if (line.root && !line.propagated) ++counts_.false_detections;
  }
  return !unused.empty();
}

void NaiveIsolation::carry_first(PortId input, Tick end) {
  const Tick delay = rules_.signal_delay.value_or(wiring_.ports[input].delay);
  signals_.insert({end + delay, waiting_[input].front()});
  waiting_[input].pop_front();
}

void NaiveIsolation::send(PortId port, Isolation::Kind kind, std::uint32_t number, Tick now) {
  Line& line = lines_[port].at(number);
  const PortId output = wiring_.ports[port].source;
  const Signal signal{kind, output, number, line.hops, line.flows};
  if (rules_.signal_bytes > 0)
    waiting_[port].push_back(signal);
  else
    signals_.insert({now + rules_.signal_delay.value_or(wiring_.ports[output].delay), signal});
  if (kind == Isolation::Kind::stop) {
    line.sent_stop = line.propagated = true;
    ++counts_.stops;
  }
  if (kind == Isolation::Kind::go) {
    line.sent_stop = false;
    ++counts_.gos;
  }
}

}  // namespace headway::reference
