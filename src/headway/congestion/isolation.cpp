// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/isolation.h"

#include <algorithm>
#include <utility>

namespace headway {

Isolation::Tables::Tables(const IsolationRules& rules, std::uint32_t ports, std::uint32_t nodes,
                          Routes output_of)
    : rules_(rules),
      nodes_(nodes),
      output_of_(std::move(output_of)),
      ports_(ports),
      lines_(std::size_t{ports} * rules.lines),
      copies_(lines_.size()),
      lines_of_(std::size_t{ports} * nodes),
      copies_of_(lines_of_.size()) {}

std::uint64_t Isolation::Tables::bytes(const IsolationRules& rules, std::uint64_t ports,
                                       std::uint64_t nodes) {
  return ports * (sizeof(Port) + rules.lines * (sizeof(Line) + sizeof(Copy)) + nodes * 2 * sizeof(Mask));
}

Isolation::Isolation(Tables& tables)
    : rules_(tables.rules_),
      nodes_(tables.nodes_),
      output_of_(tables.output_of_),
      ports_(tables.ports_),
      lines_(tables.lines_),
      copies_(tables.copies_),
      lines_of_(tables.lines_of_),
      copies_of_(tables.copies_of_) {}

void IsolationCounts::add(const IsolationCounts& other) {
  active_lines += other.active_lines;
  adapter_lines += other.adapter_lines;
  allocations += other.allocations;
  detections += other.detections;
  false_detections += other.false_detections;
  frees += other.frees;
  refused_allocations += other.refused_allocations;
  stops += other.stops;
  gos += other.gos;
  moves += other.moves;
}

void Isolation::receive(PortId output, std::uint32_t id, PortId first, std::uint32_t count) {
  const Signal& signal = signals_[id];
  const std::uint32_t number = signal.line;
  const auto bit = static_cast<Mask>(1U << number);
  Port& here = ports_[output];
  Copy& copy = copy_at(output, number);
  switch (signal.kind) {
    case Kind::stop:
      here.copies |= bit;
      here.stopped |= bit;
      copy.hops = signal.hops;
      copy.destinations =
          signal
              .destinations;  // destinations of a line are only added, so this list contains the previous one
      for (const NodeId node : copy.destinations) copies_of_[at(output, node)] |= bit;
      break;
    case Kind::go:
      here.stopped &= static_cast<Mask>(~bit);
      break;
    case Kind::free:
      here.copies &= static_cast<Mask>(~bit);
      here.stopped &= static_cast<Mask>(~bit);
      for (const NodeId node : copy.destinations) copies_of_[at(output, node)] &= static_cast<Mask>(~bit);
      copy.destinations.clear();
      // lines created from this copy must not take a later copy with the same number as their parent
      for (PortId port = first; port < first + count; ++port)
        if (const std::uint32_t line = derived_from(port, output, number); line != kNoLine)
          line_at(port, line).parent = kNoLine;
      break;
  }
  free_signals_.push_back(id);
}

Isolation::Answer Isolation::answer_refusal(PortId port, std::uint32_t queue, const Head& head,
                                            bool adapter) {
  Answer answer = Answer::nothing;
  for (std::uint32_t left = refusing(head.output, head.destination); left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    const Copy& copy = copy_at(head.output, number);
    std::uint32_t line = derived_from(port, head.output, number);
    if (line != kNoLine) {
      if ((holding(port, head.destination) >> line & 1) != 0) continue;
      learn_from(port, line, copy);
      return Answer::changed;
    }
    line = free_line(port);
    if (line == kNoLine) {
      answer = Answer::in_vain;
      continue;
    }
    // a line is useless if the head cannot move to it
    if (!is_behind(port, queue, copy.hops + 1U, line)) continue;
    allocate(port, line, head.output, static_cast<std::uint16_t>(copy.hops + 1), adapter).parent =
        static_cast<std::uint8_t>(number);
    learn_from(port, line, copy);
    return Answer::changed;
  }
  return answer;
}

std::uint32_t Isolation::next_line(PortId port, std::uint32_t queue, NodeId destination) const {
  std::uint32_t lines = holding(port, destination);
  if (lines == 0) return kNoLine;
  std::uint32_t best = kNoLine;
  for (; lines != 0; lines &= lines - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(lines));
    const std::uint32_t hops = line(port, number).hops;
    if (is_behind(port, queue, hops, number) && (best == kNoLine || rank(hops) < rank(line(port, best).hops)))
      best = number;
  }
  return best;
}

// Returns true if a line with these hops and this number is behind the queue in the port's order.
bool Isolation::is_behind(PortId port, std::uint32_t queue, std::uint32_t hops, std::uint32_t number) const {
  if (queue == 0) return true;
  return std::pair(rank(hops), number) > std::pair(rank(line(port, queue - 1).hops), queue - 1);
}

std::uint32_t Isolation::root_for(PortId port, PortId output) const {
  for (std::uint32_t left = ports_[port].active; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    if (line(port, number).root && line(port, number).output == output) return number;
  }
  return kNoLine;
}

std::uint32_t Isolation::derived_from(PortId port, PortId output, std::uint32_t copy) const {
  for (std::uint32_t left = ports_[port].active; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    if (line(port, number).parent == copy && line(port, number).output == output) return number;
  }
  return kNoLine;
}

Isolation::Line& Isolation::allocate(PortId port, std::uint32_t number, PortId output, std::uint16_t hops,
                                     bool adapter) {
  Port& here = ports_[port];
  Line& line = line_at(port, number);
  line.root = line.sent_stop = line.propagated = false;
  line.parent = kNoLine;
  line.hops = hops;
  line.output = output;
  line.idle_since = -1;
  line.destinations.clear();
  auto* const end = here.order.begin() + std::popcount(here.active);
  auto* place = end;
  for (; place != here.order.begin(); --place) {
    if (is_behind(port, 1U + *(place - 1), hops, number)) break;
    *place = *(place - 1);
  }
  *place = static_cast<std::uint8_t>(number);
  here.active |= static_cast<Mask>(1U << number);
  if (adapter) {
    ++counts_.adapter_lines;
  } else {
    ++counts_.allocations;
    ++counts_.active_lines;
  }
  return line;
}

void Isolation::release(PortId port, std::uint32_t number, bool adapter) {
  Port& here = ports_[port];
  Line& line = line_at(port, number);
  const auto bit = static_cast<Mask>(1U << number);
  for (const NodeId node : line.destinations) lines_of_[at(port, node)] &= static_cast<Mask>(~bit);
  line.destinations.clear();
  auto* const end = here.order.begin() + std::popcount(here.active);
  auto* const place = std::find(here.order.begin(), end, static_cast<std::uint8_t>(number));
  std::copy(place + 1, end, place);
  here.active &= static_cast<Mask>(~bit);
  if (adapter) {
    --counts_.adapter_lines;
    return;
  }
  --counts_.active_lines;
  ++counts_.frees;
  if (line.root && !line.propagated) ++counts_.false_detections;
}

void Isolation::learn(PortId port, std::uint32_t number, NodeId destination) {
  const auto bit = static_cast<Mask>(1U << number);
  Mask& lines = lines_of_[at(port, destination)];
  if ((lines & bit) != 0) return;
  lines |= bit;
  line_at(port, number).destinations.push_back(destination);
}

// Choice: takes only those destinations of a copy whose packets use its output from this port; packets for
// the others reach the congestion on another path (the paper copies the whole list).
void Isolation::learn_from(PortId port, std::uint32_t number, const Copy& copy) {
  const PortId output = line(port, number).output;
  for (const NodeId node : copy.destinations)
    if (output_of_(port, node) == output) learn(port, number, node);
}

std::uint32_t Isolation::new_signal() {
  if (free_signals_.empty()) {
    signals_.emplace_back();
    return static_cast<std::uint32_t>(signals_.size() - 1);
  }
  const std::uint32_t id = free_signals_.back();
  free_signals_.pop_back();
  return id;
}

}  // namespace headway
