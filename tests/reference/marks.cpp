// SPDX-License-Identifier: Apache-2.0
// The marks of switches: the "Congestion control" part of docs/modelling.md.
#include <algorithm>
#include <variant>

#include "tests/reference/reference.h"

namespace headway::reference {

// The bytes of the packets of a switch that will leave by this output in this lane.
std::uint64_t Reference::bytes_waiting(PortId output, std::uint32_t lane) const {
  const SwitchId sw = wired(output).device;
  std::uint64_t bytes = 0;
  for (const PortId input : ports_of(sw))
    for (const Queue& queue : ports_[input].queues)
      for (const Packet& packet : queue.packets)
        if (output_of(packet, sw) == output && lane_over(packet, output) == lane) bytes += packet.bytes;
  if (link_of(output) != output)
    for (const Queue& queue : ports_[link_of(output)].queues)
      for (const Packet& packet : queue.packets)
        if (lane_over(packet, output) == lane) bytes += packet.bytes;
  return bytes;
}

// A packet is about to join its queue at a switch, in a tick whose earlier arrivals do not count.
void Reference::mark_arrival(Packet& packet, PortId input,
                             const std::map<std::pair<PortId, std::uint32_t>, std::uint64_t>& before) {
  const SwitchId sw = wired(input).device;
  const PortId output = output_of(packet, sw);
  const std::uint32_t lane = lane_over(packet, output);
  const auto found = before.find({output, lane});
  packet.marked |= is_marked(packet, output, lane, found == before.end() ? 0 : found->second, true);
}

bool Reference::is_marked(const Packet& packet, PortId output, std::uint32_t lane, std::uint64_t waiting,
                          bool root) {
  const MarkingRules& rules = *rules_.marking;
  if (is_notice(packet)) return false;
  if (packet.bytes < rules.least_bytes || (rules.roots_only && !root)) return false;
  if (const auto* infiniband = std::get_if<InfiniBandMarking>(&rules.own)) {
    if (waiting + packet.bytes <= infiniband->threshold) return false;
  } else {
    if (!is_drawn_by(std::get<Red>(rules.own).thresholds, packet, output, waiting)) return false;
  }
  return is_counted(output, lane);
}

bool Reference::is_drawn_by(const RedThresholds& red, const Packet& packet, PortId output,
                            std::uint64_t waiting) const {
  if (waiting <= red.low) return false;
  return waiting > red.high ||
         draw(packet, ~wired(output).device) < (waiting - red.low) * red.probability / (red.high - red.low);
}

bool Reference::is_counted(PortId output, std::uint32_t lane) {
  std::uint32_t& passed = passed_[{output, lane}];
  if (++passed < rules_.marking->every) return false;
  passed = 0;
  ++marked_;
  return true;
}

// Is there room behind the output for another packet, after this one has taken its own? `link`: the port that
// sends.
bool Reference::is_root(const Packet& packet, PortId link) const {
  const PortId next = wired(link).peer;
  if (rules_.marking->victims == VictimMask::all) return true;
  if (is_node(next)) {
    if (!is_slow(packet.destination) || rules_.marking->victims == VictimMask::nodes) return true;
    if (rules_.pause) return !holding_.contains({next, packet.taken});
    return nodes_[packet.destination].receive_credits[packet.taken] > 0;
  }
  if (is_pooled() && !rules_.pause) return ports_[next].credits[0] > 0;
  const Channels channels = channels_at(packet, next);
  return has_room(next, channels, 1);
}

// A packet has left its switch over a link, and has taken its credits.
void Reference::mark_departure(Packet& packet, PortId link) {
  if (!rules_.marking || rules_.marking->at != MarkAt::departure) return;
  const PortId output = is_output_unit(link) ? wired(link).source : link;
  const std::uint32_t lane = lane_over(packet, output);
  packet.marked |= is_marked(packet, output, lane, bytes_waiting(output, lane), is_root(packet, link));
}

// With marks of isolated packets: a packet has left this queue of an input of a switch.
void Reference::mark_isolated(Packet& packet, PortId input, std::uint32_t queue, PortId output) {
  if (const auto* guided = rules_.marking ? std::get_if<IsolationRed>(&rules_.marking->own) : nullptr) {
    const bool isolated = queue > 0 && isolation_->is_root(input, queue - 1, output);
    const std::uint32_t lane = lane_over(packet, output);
    packet.marked |= isolated && !is_notice(packet) &&
                     is_drawn_by(guided->thresholds, packet, output, bytes_waiting(output, lane)) &&
                     is_counted(output, lane);
    return;
  }
  const auto* rules = rules_.marking ? std::get_if<IsolationMarking>(&rules_.marking->own) : nullptr;
  if (rules == nullptr) return;
  bool many = false, few = true;
  for (const PortId other : ports_of(wired(output).device))
    for (std::uint32_t line = 0; line < rules_.isolation->lines; ++line) {
      if (!isolation_->is_root(other, line, output)) continue;
      const std::size_t packets =
          ports_[other].queues[1 + line].packets.size() + (other == input && queue == 1 + line ? 1 : 0);
      many |= packets > rules->high;
      few &= packets <= rules->low;
    }
  bool& congested = congested_[output];
  congested = many || (congested && !few);
  if (congested && !is_notice(packet) && queue > 0 && isolation_->is_root(input, queue - 1, output) &&
      is_counted(output, lane_over(packet, output)))
    packet.marked = true;
}

}  // namespace headway::reference
