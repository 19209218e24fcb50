// SPDX-License-Identifier: Apache-2.0
// What nodes generate and admit: phase 3 of docs/modelling.md.
#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "tests/reference/reference.h"

namespace headway::reference {

// Phase 3.
void Reference::generate() {
  if (control_) open_gates();
  std::vector<std::uint32_t> sources(workload_.sources.size());
  std::iota(sources.begin(), sources.end(), 0);
  if (rules_.admittance_limit != UINT64_MAX)
    std::ranges::stable_sort(sources, {},
                             [this](std::uint32_t source) { return tick_of(sources_[source].due); });
  std::vector<bool> has_admitted(nodes_.size());  // any link of a node
  for (NodeId node = 0; node < nodes_.size(); ++node)
    for (const NodeId link : links_of(node))
      has_admitted[node] = has_admitted[node] || nodes_[link].has_admitted;
  for (const std::uint32_t source : sources) {
    bool& stalled = sources_[source].stalled;
    if (stalled && !has_admitted[workload_.sources[source].node]) continue;
    while (may_generate(source)) generate_message(source);
    stalled = wants_to_generate(source) && rules_.admittance_limit != UINT64_MAX;
  }
  generate_traces();
  jobs_.act(now_, [this](std::uint32_t generator, NodeId& from, NodeId& to, std::uint64_t bytes) {
    choose_links(from, to);
    return make_message(generator, from, to, bytes);
  });
  for (const auto& [way, sent] : to_send_) {
    const std::uint32_t serial = make_message(workload_.notifier(), way.first, way.second,
                                              rules_.reaction->notification_bytes - rules_.header_bytes);
    travelling_[{way.first, serial}] = sent;
  }
  to_send_.clear();
  for (NodeState& node : nodes_) node.has_admitted = false;
}

// Flows that may send again join the active lists, in their order.
void Reference::open_gates() {
  control_->act(now_);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    NodeState& node = nodes_[id];
    std::set<NaiveControl::Flow> open;
    for (const Line& line : node.held)
      if (!control_->is_closed(flow_of(id, line), node.line_of[line].front().bytes, now_))
        open.insert(flow_of(id, line));
    for (const NaiveControl::Flow& flow : open) {
      std::deque<Line> lines = std::move(node.held);
      node.held.clear();
      std::deque<Line> joins;
      for (const Line& line : lines) (flow_of(id, line) == flow ? joins : node.held).push_back(line);
      for (const Line& line : joins) {
        join_active(id, line);
        admit(id);
      }
    }
  }
}

std::size_t Reference::limited() const {
  if (!control_->has_window()) return control_->states();
  std::set<NaiveControl::Flow> waiting;
  for (NodeId id = 0; id < nodes_.size(); ++id)
    for (const Line& line : nodes_[id].held) waiting.insert(flow_of(id, line));
  return waiting.size();
}

void Reference::generate_traces() {
  for (std::uint32_t trace = 0; trace < traces_.size(); ++trace)
    for (auto& left = traces_[trace]; !left.empty() && left.front().tick == now_; left.pop_front()) {
      const TimedMessage& message = left.front();
      const auto source = static_cast<std::uint32_t>(workload_.sources.size()) + trace;
      NodeId from = message.source, to = message.destination;
      choose_links(from, to);
      make_message(source, from, to, message.bytes);
      ++counters_.trace_messages;
    }
}

void Reference::draw_size(std::uint32_t source) {
  const Flow& flow = workload_.flows[workload_.sources[source].flow];
  SourceState& state = sources_[source];
  state.bytes = flow.sizes ? flow.sizes->next(state.random)
                           : std::uint64_t{flow.packets - 1} * most_carried() + flow.last_bytes;
}

bool Reference::wants_to_generate(std::uint32_t source) const {
  const Flow& flow = workload_.flows[workload_.sources[source].flow];
  if (sources_[source].silent) return false;
  if (flow.arrivals) return tick_of(sources_[source].due) <= now_;
  return now_ >= flow.start && now_ < flow.stop && sources_[source].waiting_messages < flow.backlog;
}

bool Reference::may_generate(std::uint32_t source) const {
  if (!wants_to_generate(source)) return false;
  if (rules_.admittance_limit == UINT64_MAX) return true;
  const auto turn_of = [this](std::uint32_t s) { return std::pair(tick_of(sources_[s].due), s); };
  for (std::uint32_t other = 0; other < workload_.sources.size(); ++other)
    if (workload_.sources[other].node == workload_.sources[source].node && turn_of(other) < turn_of(source) &&
        sources_[other].stalled)
      return false;
  std::uint64_t room = 0;
  for (const NodeId link : links_of(workload_.sources[source].node)) room += waiting_room(nodes_[link]);
  for (std::uint64_t left = sources_[source].bytes; left > 0;) {
    const auto packet = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, most_carried()));
    room += room_of(length_of(packet));
    left -= packet;
  }
  return room <= rules_.admittance_limit;
}

void Reference::generate_message(std::uint32_t source) {
  const NodeId id = workload_.sources[source].node;
  const Flow& flow = workload_.flows[workload_.sources[source].flow];
  SourceState& state = sources_[source];
  NodeId destination = flow.destinations->next(id, state.random);
  if (destination == kNone) {
    state.silent = true;
    return;
  }
  if (!flow.arrivals) {
    state.due = instant_of(now_);
  } else {
    const bool stalled = tick_of(state.due) < now_;
    state.due = flow.arrivals->next(stalled ? instant_of(now_) : state.due, state.random);
  }
  NodeId from = id;
  choose_links(from, destination);
  make_message(source, from, destination, state.bytes);
  draw_size(source);
}

// All links of the node that has this one.
std::vector<NodeId> Reference::links_of(NodeId node) const {
  if (graph_.hosts().none()) return {node};
  std::vector<NodeId> links;
  for (NodeId other = 0; other < nodes_.size(); ++other)
    if (graph_.hosts().host_of(other) == graph_.hosts().host_of(node)) links.push_back(other);
  return links;
}

// The pairs of links of docs/modelling.md, "Nodes with several links", in the order of the source's links.
std::vector<std::pair<NodeId, NodeId>> Reference::ways_between(NodeId from, NodeId to) const {
  const Hosts& hosts = graph_.hosts();
  std::vector<std::pair<NodeId, NodeId>> of_cable, scale_up, of_rail, others;
  for (const NodeId a : links_of(from))
    for (const NodeId b : links_of(to)) {
      const HostLink &out = hosts.link(a), &in = hosts.link(b);
      if (out.cable == in.cable && out.cable != kNone) of_cable.emplace_back(a, b);
      if (network_of_[a] != network_of_[b] || out.scale_up != in.scale_up) continue;
      if (out.scale_up)
        scale_up.emplace_back(a, b);
      else
        others.emplace_back(a, b);
      if (!out.scale_up && out.rail == in.rail && out.rail != kNone) of_rail.emplace_back(a, b);
    }
  if (!of_cable.empty()) return of_cable;
  return !scale_up.empty() ? scale_up : !of_rail.empty() ? of_rail : others;
}

void Reference::choose_links(NodeId& from, NodeId& to) {
  const Hosts& hosts = graph_.hosts();
  if (hosts.none()) return;
  const auto ways = ways_between(from, to);
  std::size_t chosen = 0;
  if (ways.size() > 1) {
    const std::uint64_t hash = hash_of_hosts(hosts.host_of(from), hosts.host_of(to), rules_.link_salt);
    chosen = (rules_.link_rule == LinkRule::hash ? hash : link_turns_[hosts.host_of(from)]++) % ways.size();
  }
  const auto is_down = [&](const std::pair<NodeId, NodeId>& way) {
    return ports_[graph_.node_port(way.first)].is_down || ports_[graph_.node_port(way.second)].is_down;
  };
  const auto time_of = [&](NodeId node) -> std::uint64_t {
    if (rules_.link_rule != LinkRule::load) return 0;
    std::uint64_t packets = nodes_[node].waiting_packets;
    for (const Queue& queue : ports_[graph_.node_port(node)].queues) packets += queue.packets.size();
    return packets * static_cast<std::uint64_t>(wired(graph_.node_port(node)).ticks_per_byte);
  };
  const std::size_t first = chosen;
  for (std::size_t i = 1; i < ways.size(); ++i) {
    const std::size_t next = (first + i) % ways.size();
    if (is_down(ways[next]) != is_down(ways[chosen])
            ? is_down(ways[chosen])
            : time_of(ways[next].first) < time_of(ways[chosen].first))
      chosen = next;
  }
  std::tie(from, to) = ways[chosen];
}

// Cuts a message into full packets and a last packet with the rest.
std::uint32_t Reference::make_message(std::uint32_t source, NodeId from, NodeId to, std::uint64_t bytes) {
  NodeState& node = nodes_[from];
  const std::uint32_t service = service_level(source, from, to);
  const Line line = rules_.admittance == Admittance::fifo ? Line{} : Line{to, service};
  const std::uint32_t first = node.next_serial;
  const auto packets = static_cast<std::uint32_t>((bytes + most_carried() - 1) / most_carried());
  for (std::uint64_t left = bytes; left > 0;) {
    const auto carried = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, most_carried()));
    const std::uint32_t length = length_of(carried);
    left -= carried;
    Packet packet{from, to,     node.next_serial++, source, length, carried, left == 0, first, packets,
                  now_, service};
    plan_detour(packet);
    node.line_of[line].push_back(std::move(packet));
    ++node.waiting_packets;
    if (!workload_.notifies || source != workload_.notifier()) {
      ++counters_.packets_generated;
      counters_.bytes_generated += length;
    }
    ++generated_[source].packets;
    generated_[source].bytes += length;
    if (node.line_of[line].size() == 1) join_active(from, line);
  }
  ++sources_[source].waiting_messages;
  admit(from);
  return first;
}

void Reference::join_active(NodeId node, Line line) {
  const PortId leaf = wired(graph_.node_port(node)).peer;
  const Channels channels = channels_at(nodes_[node].line_of[line].front(), leaf);
  nodes_[node].active[channels.first / channels.count].push_back(line);
}

// New routes can lead lines to other injection queues.
void Reference::join_again(NodeId node) {
  std::deque<Line> lines;
  for (std::deque<Line>& group : nodes_[node].active) {
    lines.insert(lines.end(), group.begin(), group.end());
    group.clear();
  }
  for (const Line& line : lines) join_active(node, line);
  admit(node);
}

void Reference::admit(NodeId node) {
  const PortId adapter = graph_.node_port(node);
  auto& active = nodes_[node].active;
  const std::uint32_t channels = queue_map_.channels;
  for (std::uint32_t group = 0; group < active.size();) {
    if (active[group].empty() || !has_room(adapter, {group * channels, channels},
                                           room_of(nodes_[node].line_of[active[group].front()].front()))) {
      ++group;
      continue;
    }
    const Line line = active[group].front();
    if (control_ && !is_notice(nodes_[node].line_of[line].front()) &&
        control_->is_closed(flow_of(node, line), nodes_[node].line_of[line].front().bytes, now_)) {
      nodes_[node].held.push_back(line);
      active[group].pop_front();
      continue;
    }
    if (isolation_ && isolation_->refuses(adapter, nodes_[node].line_of[line].front().destination)) {
      nodes_[node].aside.push_back(line);
      active[group].pop_front();
      continue;
    }
    admit_first(node, group);
    group = 0;  // the line may have joined the active list of a lower group
  }
}

void Reference::admit_first(NodeId id, std::uint32_t group) {
  NodeState& node = nodes_[id];
  const PortId adapter = graph_.node_port(id);
  const std::uint32_t channels = queue_map_.channels;
  const Line line = node.active[group].front();
  auto& packets = node.line_of[line];
  const std::uint32_t room = room_of(packets.front());
  const std::uint32_t queue = choose_channel(adapter, {group * channels, channels}, room);
  ports_[adapter].credits[queue] -= room;
  --node.waiting_packets;
  node.has_admitted = true;
  if (packets.front().last_of_message) --sources_[packets.front().generator].waiting_messages;
  push(adapter, queue, packets.front());
  ports_[adapter].queues[queue].packets.back().routed_by = {routes_now_};
  if (control_ && !is_notice(packets.front()))
    control_->admit(flow_of(id, line), packets.front().bytes,
                    static_cast<Tick>(packets.front().bytes) * wired(adapter).ticks_per_byte, now_);
  if (is_pooled()) unsettled_.insert({adapter, false});
  packets.pop_front();
  node.active[group].pop_front();
  if (!packets.empty()) join_active(id, line);
}

}  // namespace headway::reference
