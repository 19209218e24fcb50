// SPDX-License-Identifier: Apache-2.0
// The "Choose" part of docs/modelling.md: adaptive routing, by exhaustive search.
#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "tests/reference/reference.h"

namespace headway::reference {

// Is the head of this queue one with several candidates that has not chosen an output yet?
bool Reference::waits_for_output(const Queue& queue, SwitchId sw) const {
  return !queue.packets.empty() && output_of(queue.packets.front(), sw) == kNone;
}

void Reference::choose_outputs(SwitchId sw) {
  const bool now = rules_.selection->free == FreeOutput::now;
  std::vector<PortId> inputs;
  for (const PortId input : ports_of(sw)) {
    const bool asks = std::ranges::any_of(ports_[input].queues,
                                          [&](const Queue& queue) { return waits_for_output(queue, sw); });
    if (asks && (!now || ports_[input].input_busy_until <= now_)) inputs.push_back(input);
  }
  const std::uint64_t place = mix64(static_cast<std::uint64_t>(now_) ^ mix64(~sw)) >> 32;
  const std::size_t start = place * inputs.size() >> 32;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const PortId input = inputs[(start + i) % inputs.size()];
    std::map<std::uint64_t, std::uint32_t> asking;  // number of the queue's head -> queue
    for (std::uint32_t q = 0; q < ports_[input].queues.size(); ++q)
      if (waits_for_output(ports_[input].queues[q], sw)) asking[ports_[input].queues[q].head_number] = q;
    for (const auto& [since, q] : asking) {
      Packet& packet = ports_[input].queues[q].packets.front();
      const PortId output = choose_output(sw, input, packet);
      if (output == kNone) continue;
      const PortId next = wired(output).peer;
      packet.output = output;
      packet.kept = kNone;
      remember(sw, packet, output);
      if (!is_node(next)) {
        // the room is reserved for this packet from now on
        packet.taken = choose_channel(next, channels_at(packet, next), room_of(packet));
        if (counts_credits(next)) ports_[next].credits[packet.taken] -= room_of(packet);
      }
      if (!now) {
        // its request comes after the existing requests for this output
        ports_[input].queues[q].head_number = ++heads_;
        continue;
      }
      ports_[output].input_pointer = behind(input);
      grant({input, q, output, packet.switchable, since});
      break;
    }
  }
}

// The outputs that a head asks for: the one that it keeps to, or all that a selection function chooses among.
std::vector<PortId> Reference::asked_by(const Packet& packet, SwitchId sw) const {
  if (packet.kept != kNone) return {packet.kept};
  return candidates_of(packet, sw);
}

std::vector<PortId> Reference::candidates_of(const Packet& packet, SwitchId sw) const {
  std::vector<PortId> outputs;
  if (choices_) {
    PortList room;
    for (const std::uint16_t port : choices_->at(sw, packet.destination, room))
      outputs.push_back(switch_port(sw, port));
  } else {
    const PortRange range = setup_.routes.table.at(sw, packet.destination);
    for (std::uint32_t i = 0; i < range.count; ++i) outputs.push_back(switch_port(sw, range.first + i));
  }
  return outputs;
}

// The entry of a packet's flow in the table of a switch.
std::pair<SwitchId, std::uint64_t> Reference::place_of_flow(SwitchId sw, const Packet& packet) const {
  const std::uint64_t levels = services_.table.levels;
  const std::uint64_t pair = std::uint64_t{packet.source} * graph_.nodes() + packet.destination;
  const std::uint64_t number = pair * levels + packet.service;
  const std::uint64_t flows = std::uint64_t{graph_.nodes()} * graph_.nodes() * levels;
  const std::uint64_t most = setup_.flow_table;
  return {sw, flows <= most ? number : (mix64(number) >> 32) * most >> 32};
}

// The output that others of its flowlet or message have taken, if its link is up.
PortId Reference::followed(SwitchId sw, const Packet& packet) const {
  if (!rules_.follow_rule) return kNone;
  const auto entry = flows_.find(place_of_flow(sw, packet));
  if (entry == flows_.end() || ports_[link_of(entry->second.output)].is_down) return kNone;
  const bool follows = rules_.follow_rule->by_message
                           ? entry->second.message == std::pair(packet.source, packet.message)
                           : now_ - entry->second.when < rules_.follow_rule->gap;
  return follows ? entry->second.output : kNone;
}

void Reference::remember(SwitchId sw, const Packet& packet, PortId output) {
  if (rules_.follow_rule) flows_[place_of_flow(sw, packet)] = {now_, {packet.source, packet.message}, output};
}

PortId Reference::choose_output(SwitchId sw, PortId input, Packet& packet) {
  if (!std::exchange(packet.has_asked, true)) {
    const std::vector<PortId> possible = candidates_of(packet, sw);
    if (const PortId output = followed(sw, packet); std::ranges::count(possible, output) > 0) {
      packet.kept = output;
      if (rules_.selection->cp_counts == CpCounts::routed &&
          std::holds_alternative<Cyclic>(rules_.selection->own))
        ++devices_[sw].turn;
    }
  }
  const std::vector<PortId> candidates = asked_by(packet, sw);
  const auto room_of_link = [&](std::size_t candidate) {
    const PortId next = wired(link_of(candidates[candidate])).peer;
    return room_in(next, channels_at(packet, next));
  };
  const std::size_t first =
      preferred(*rules_.selection, sw, packet, static_cast<std::uint32_t>(candidates.size()), room_of_link);
  for (std::size_t tried = 0; tried < candidates.size(); ++tried) {
    const std::size_t candidate = (first + tried) % candidates.size();
    if (!is_free(input, candidates[candidate], packet)) continue;
    if (packet.kept == kNone) pass_turn(*rules_.selection, sw, candidate);
    return candidates[candidate];
  }
  if (rules_.selection->none_free == NoneFree::preferred && packet.kept == kNone) {
    pass_turn(*rules_.selection, sw, first);
    packet.kept = candidates[first];
  }
  if (!choices_) return kNone;
  const PortId escape = routed_output(packet, sw);
  packet.escapes = true;
  if (is_free(input, escape, packet)) return escape;
  packet.escapes = false;
  return kNone;
}

// The packets that arrive at a switch in this tick choose among the outputs of their routes, one after the
// other.
void Reference::choose_at_arrival(SwitchId sw) {
  std::vector<Flight*> arriving;
  const auto [first, last] = flights_.equal_range(now_);
  for (auto flight = first; flight != last; ++flight)
    if (!is_node(flight->second.input) && wired(flight->second.input).device == sw)
      arriving.push_back(&flight->second);
  const std::uint64_t draw_of_tick = mix64(static_cast<std::uint64_t>(now_) ^ mix64(sw)) >> 32;
  std::ranges::stable_sort(arriving, {},
                           [&](const Flight* flight) { return wired(flight->input).local ^ draw_of_tick; });
  const ArrivalChoice& choice = *rules_.arrival_choice;
  std::map<PortId, std::uint64_t> chosen;  // room of the packets that have chosen an output
  for (Flight* const flight : arriving) {
    Packet& packet = flight->packet;
    const bool has_path = routes_now_->table.at(sw, packet.destination).count > 0;
    const RouteTable& routes = has_path ? routes_now_->table : setup_.routes.table;
    const PortRange range = routes.at(sw, packet.destination);
    std::vector<PortId> outputs;
    std::vector<std::uint64_t> loads;
    for (std::uint32_t i = 0; i < range.count; ++i) {
      outputs.push_back(switch_port(sw, routes.port(sw, packet.destination, range, i)));
      loads.push_back(room_ahead(outputs.back()) + chosen[outputs.back()]);
      if (ports_[link_of(outputs.back())].is_down) loads.back() = 0xffffffff;
    }
    packet.lightest = outputs.front();
    const PortId of_flow = range.count > 1 ? followed(sw, packet) : kNone;
    if (std::ranges::count(outputs, of_flow) > 0) {
      packet.lightest = of_flow;
      if (choice.rule.cp_counts == CpCounts::routed && std::holds_alternative<Cyclic>(choice.rule.own))
        ++devices_[sw].turn;
    } else if (range.count > 1) {
      const auto room = [&](std::size_t candidate) {
        return static_cast<std::uint32_t>(0xffffffff - loads[candidate] / choice.step);
      };
      const std::size_t wanted = preferred(choice.rule, sw, packet, range.count, room);
      std::vector<std::size_t> in_order;
      for (std::size_t i = 0; i < outputs.size(); ++i) in_order.push_back((wanted + i) % outputs.size());
      auto taken =
          std::ranges::find_if(in_order, [&](std::size_t i) { return loads[i] <= choice.free_load; });
      if (taken == in_order.end())
        taken = std::ranges::min_element(in_order, {}, [&](std::size_t i) { return loads[i] / choice.step; });
      packet.lightest = outputs[*taken];
      pass_turn(choice.rule, sw, *taken);
    } else if (choice.rule.cp_counts == CpCounts::routed) {
      if (std::holds_alternative<Cyclic>(choice.rule.own)) ++devices_[sw].turn;
    }
    if (range.count > 1) remember(sw, packet, packet.lightest);
    chosen[routed_output(packet, sw)] += rules_.pause ? lane_room_of(packet) : room_of(packet);
  }
}

// A packet that has arrived at a switch and has no choice there moves the counter, if all packets do.
void Reference::count_routed(const Packet& packet, SwitchId sw) {
  const bool counts = rules_.selection && rules_.selection->cp_counts == CpCounts::routed &&
                      std::holds_alternative<Cyclic>(rules_.selection->own);
  if (counts && output_of(packet, sw) != kNone) ++devices_[sw].turn;
}

void Reference::pass_turn(const SelectionRule& rule, SwitchId sw, std::size_t taken) {
  std::uint32_t& turn = devices_[sw].turn;
  if (std::holds_alternative<Cyclic>(rule.own)) ++turn;
  if (std::holds_alternative<MostCredits>(rule.own)) turn = static_cast<std::uint32_t>(taken) + 1;
}

// The candidate that a selection function prefers among `count`. `room_of`: the room behind a candidate.
std::uint32_t Reference::preferred(const SelectionRule& rule, SwitchId sw, const Packet& packet,
                                   std::uint32_t count,
                                   const std::function<std::uint32_t(std::size_t)>& room_of) const {
  // For switch <stage, o> of a tree: `ways` counts the switches above the same nodes, `own` is the number of
  // its subtree among its siblings.
  std::uint32_t ways = 1, own = 0;
  NodeId source = packet.source, destination = packet.destination;
  if (const auto* tree = std::get_if<TreeShape>(&graph_.shape())) {
    std::size_t stage = 0;
    std::uint32_t o = sw;
    for (; o >= tree->switches(static_cast<std::uint32_t>(stage)); ++stage)
      o -= tree->switches(static_cast<std::uint32_t>(stage));
    for (std::size_t s = 0; s <= stage; ++s) ways *= tree->levels[s].parents;
    if (stage + 1 < tree->levels.size()) own = o / ways % tree->levels[stage + 1].children;
    if (!tree->place_of.empty()) {
      source = tree->place_of[source];
      destination = tree->place_of[destination];
    }
  }
  const auto drawn = static_cast<std::uint32_t>(draw(packet, sw) * count >> 32);
  const auto is = [&]<class Own>(const Own&) { return std::holds_alternative<Own>(rule.own); };
  if (is(FirstFree())) return 0;
  if (is(Ssp())) return own % count;
  if (is(Sdp())) return destination % count;
  if (is(Sop())) return source % count;
  if (is(Sadp())) return destination / ways % count;
  if (is(Cyclic())) return devices_[sw].turn % count;
  if (is(RandomPort())) return drawn;
  const bool random_ties = std::get<MostCredits>(rule.own).ties == MostCredits::Ties::random;
  const std::uint32_t start = random_ties ? drawn : devices_[sw].turn % count;
  std::uint32_t best = start, most = 0;
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t candidate = (start + step) % count;
    const std::uint32_t room = room_of(candidate);
    if (room > most) best = candidate;
    most = std::max(most, room);
  }
  return best;
}

bool Reference::is_free(PortId input, PortId output, const Packet& packet) const {
  const bool now = rules_.selection->free == FreeOutput::now;
  if (now && is_taken(output)) return false;
  if (ports_[link_of(output)].is_down) return false;
  return has_room_behind(input, output, packet);
}

bool Reference::has_room_behind(PortId input, PortId output, const Packet& packet) const {
  const PortId behind = wired(output).peer;
  if (!is_node(behind) && !has_room(behind, channels_at(packet, behind), room_of(packet))) return false;
  // A packet from a node that does not escape leaves half of the room at the next switch.
  const PortId link = link_of(output);
  if (choices_ && !packet.escapes && is_node(wired(input).source) && !is_node(wired(link).peer)) {
    const std::uint32_t room = room_in(wired(link).peer, channels_at(packet, wired(link).peer));
    if (room <= rules_.capacity * queue_map_.channels / 2) return false;
  }
  if (!is_output_unit(behind)) return true;
  const PortId next = wired(behind).peer;
  if (is_node(next)) return true;
  const std::uint32_t credits = room_in(next, channels_at(packet, next));
  if (!has_room(next, channels_at(packet, next), room_of(packet))) return false;
  if (rules_.selection->free == FreeOutput::room_credit || rules_.pause) return true;
  std::uint64_t waiting = 0;
  const Channels unit = channels_at(packet, behind);
  for (std::uint32_t c = 0; c < unit.count; ++c)
    waiting += room_of(ports_[behind].queues[unit.first + c].packets);
  return waiting + room_of(packet) <= credits;
}

std::uint32_t Reference::room_in(PortId input, Channels channels) const {
  std::uint32_t room = 0;
  for (std::uint32_t c = 0; c < channels.count; ++c) room += ports_[input].credits[channels.first + c];
  return room;
}

}  // namespace headway::reference
