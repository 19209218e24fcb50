// SPDX-License-Identifier: Apache-2.0
// The "Arbitrate" part of docs/modelling.md: which requests an output can serve, and which one it serves.
#include <algorithm>
#include <map>
#include <set>

#include "tests/reference/reference.h"

namespace headway::reference {

// The output ports that are free and requested by some head, ascending.
std::vector<PortId> Reference::wanted_outputs(std::uint32_t device) const {
  std::set<PortId> outputs;
  for (const PortId input : ports_of(device))
    for (const Queue& queue : ports_[input].queues)
      if (!queue.packets.empty()) outputs.insert(output_of(queue.packets.front(), device));
  outputs.erase(kNone);
  std::erase_if(outputs, [&](PortId output) { return is_taken(output); });
  return {outputs.begin(), outputs.end()};
}

std::vector<Reference::Request> Reference::eligible_requests(std::uint32_t device) const {
  std::vector<Request> requests;
  for (const PortId input : ports_of(device)) {
    for (std::uint32_t queue = 0; queue < ports_[input].queues.size(); ++queue) {
      const Queue& waiting = ports_[input].queues[queue];
      if (waiting.packets.empty()) continue;
      const Packet& head = waiting.packets.front();
      const PortId output = output_of(head, device);
      const bool has_room = head.output != kNone && counts_credits(wired(output).peer);
      if (output != kNone && (has_room || room_for(head, input, output)) && !is_refused(queue, head, output))
        requests.push_back(
            {input, queue, output, age_of(head, input), waiting.head_number, group_of(head, output)});
    }
  }
  return requests;
}

// The time that arbiters by age compare.
Tick Reference::age_of(const Packet& head, PortId input) const {
  const bool by_injection = rules_.arbiter == ArbiterKind::oldest_injected && !is_node(input);
  return by_injection ? head.injected : head.switchable;
}

bool Reference::is_refused(std::uint32_t queue, const Packet& head, PortId output) const {
  if (!isolation_ || (queue == 0 && rules_.isolation->pass_when_full)) return false;
  return isolation_->refuses(output, head.destination);
}

// Keeps the request of each input whose queue is next in turn.
void Reference::keep_one_per_input(std::vector<Request>& requests) const {
  const auto turn = [&](const Request& request) {
    const PortState& port = ports_[request.input];
    const auto queues = static_cast<std::uint32_t>(port.queues.size());
    const auto pointer = port.queue_pointer.find(request.output);
    return (request.queue + queues - (pointer == port.queue_pointer.end() ? 0 : pointer->second)) % queues;
  };
  std::map<PortId, Request> first;
  for (const Request& request : requests) {
    const auto [found, is_new] = first.insert({request.input, request});
    if (!is_new && turn(request) < turn(found->second)) found->second = request;
  }
  requests.clear();
  for (const auto& [input, request] : first) requests.push_back(request);
}

// `requests` are the eligible requests of free inputs for this output; there is at least one.
Reference::Request Reference::winner(PortId output, std::uint32_t of_class,
                                     const std::vector<Request>& requests, std::uint32_t& pointer) {
  std::vector<Request> candidates = requests;
  if (is_pooled()) keep_one_per_input(candidates);
  const Request named = first_from(
      output, candidates,
      rules_.arbiter == ArbiterKind::random ? drawn_input(wired(output).device, candidates) : pointer);
  pointer = behind(named.input);
  Request won = named;
  if (rules_.arbiter == ArbiterKind::round_robin && named.group) {
    std::uint32_t& next = ports_[output].group_pointer[*named.group];
    std::erase_if(candidates, [&](const Request& request) { return request.group != named.group; });
    won = first_from(output, candidates, next);
    next = behind(won.input);
  }
  if (watch_) watch_({output, of_class, requests, won});
  return won;
}

std::uint32_t Reference::drawn_input(std::uint32_t device, const std::vector<Request>& requests) {
  std::set<std::uint32_t> asking;
  for (const Request& request : requests) asking.insert(wired(request.input).local);
  const auto choices = static_cast<std::uint32_t>(asking.size());
  return *std::next(asking.begin(), choices == 1 ? 0 : devices_[device].random.below(choices));
}

std::uint32_t Reference::behind(PortId input) const {
  return (wired(input).local + 1) % static_cast<std::uint32_t>(ports_of(wired(input).device).size());
}

// The group of queues behind the output in which the head needs room; none if it needs no room, or has
// reserved it. A port with pooled memory is one group. Slow nodes have one for each lane.
std::optional<std::uint32_t> Reference::group_of(const Packet& head, PortId output) const {
  const PortId next = wired(output).peer;
  if (is_node(next)) return is_slow(head.destination) ? std::optional(receive_lane(head)) : std::nullopt;
  if (head.output != kNone && counts_credits(next)) return std::nullopt;
  return is_pooled() ? 0 : channels_at(head, next).first;
}

// The oldest request, with arbiters by age; otherwise the first in the order of inputs from this one on.
Reference::Request Reference::first_from(PortId output, const std::vector<Request>& requests,
                                         std::uint32_t first) const {
  const auto inputs = static_cast<std::uint32_t>(ports_of(wired(output).device).size());
  const auto behind_first = [&](const Request& request) {
    return (wired(request.input).local + inputs - first) % inputs;
  };
  return *std::min_element(requests.begin(), requests.end(), [&](const Request& a, const Request& b) {
    const bool by_age =
        rules_.arbiter == ArbiterKind::oldest_first || rules_.arbiter == ArbiterKind::oldest_injected;
    if (by_age && !takes_turns(a.input) && a.since != b.since) return a.since < b.since;
    if (behind_first(a) != behind_first(b)) return behind_first(a) < behind_first(b);
    return a.head_number < b.head_number;
  });
}

}  // namespace headway::reference
