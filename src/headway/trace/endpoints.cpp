// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/endpoints.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/rng.h"

namespace headway {

std::string Endpoints::place(const TraceRecord& record, PlacedMessages& placed) {
  placed.count = 0;
  const auto add = [&](TraceTime time, NodeId source, NodeId destination, std::uint64_t bytes) {
    placed.messages[placed.count++] = {time, source, destination, bytes};
  };
  if (record.operation == Operation::message) {
    const std::uint64_t from = record.from.value_or(0);
    if (!rules_.wrap_nodes && std::max(from, record.to) >= rules_.nodes)
      return fmt::format(
          "node {} does not exist; the network has nodes 0 to {} (node_numbers = \"modulo\" maps higher "
          "numbers to these)",
          std::max(from, record.to), rules_.nodes - 1);
    add(record.time, static_cast<NodeId>(from % rules_.nodes), static_cast<NodeId>(record.to % rules_.nodes),
        record.bytes);
    return "";
  }
  if (rules_.devices == EndpointRules::Spread::in_turn && storage_.size() >= kMostNumbers)
    return fmt::format(
        "there are more than {} devices; use device_nodes = \"hash\", which does not store them",
        kMostNumbers);
  if (rules_.processes == EndpointRules::Spread::in_turn && hosts_.size() >= kMostNumbers)
    return fmt::format(
        "there are more than {} processes; use process_nodes = \"hash\", which does not store them",
        kMostNumbers);
  // Choice: a request without a process comes from a random host, drawn from the seed and the record number
  const NodeId host =
      record.from ? node_of(*record.from, rules_.processes, rules_.hosts, hosts_)
                  : node_of(mix64(seed_) ^ record.number, EndpointRules::Spread::hash, rules_.hosts, hosts_);
  const NodeId storage = node_of(record.to, rules_.devices, rules_.storage, storage_);
  const TraceTime response = record.response.value_or(rules_.service);
  if (record.operation == Operation::write) {
    add(record.time, host, storage, record.bytes);
    if (rules_.acknowledgement > 0) add(record.time + response, storage, host, rules_.acknowledgement);
  } else {
    if (rules_.request > 0) add(record.time, host, storage, rules_.request);
    add(record.time + response, storage, host, record.bytes);
  }
  return "";
}

NodeId Endpoints::node_of(std::uint64_t number, EndpointRules::Spread spread,
                          const std::vector<NodeId>& nodes, Turns& turns) {
  if (spread == EndpointRules::Spread::hash) return nodes[(mix64(number) >> 32) * nodes.size() >> 32];
  const auto turn = turns.try_emplace(number, 0);
  if (turn.second) turn.first->second = nodes[(turns.size() - 1) % nodes.size()];
  return turn.first->second;
}

std::vector<NodeId> Endpoints::senders(const EndpointRules& rules) {
  std::vector<NodeId> all = rules.hosts;
  all.insert(all.end(), rules.storage.begin(), rules.storage.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace headway
