// SPDX-License-Identifier: Apache-2.0
// Nodes with several links. In graphs, routes and the engine, a node is an adapter with one link, so a node
// with several links is several such nodes there. A *host* is all of them together: what a spec calls a node.
// Hosts are numbered as the nodes of the spec, and the links of a host follow each other. The first one is
// the *home* of the host: where a message has no link yet, it stands for the host. Aggregators of switches
// (aggregators.h) are hosts, too, after those of the spec.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/memory_parts.h"
#include "headway/base/rng.h"
#include "headway/config/names.h"

namespace headway {

// What says which messages take a link of a host (Hosts::for_each_way).
struct HostLink {
  bool scale_up = false;       // before the others, to hosts with such a link in the same network
  std::uint32_t rail = kNone;  // rather between links of the same rail
  // Links of one network are connected over its switches. Failures do not divide a network.
  std::uint32_t network = 0;
  // Where aggregators are: two links of one cable reach each other directly, and messages take such links.
  std::uint32_t cable = kNone;
  friend bool operator==(const HostLink&, const HostLink&) = default;
};

// Which of the ways of for_each_way a message takes.
enum class LinkRule : std::uint8_t {
  hash,   // of source and destination, the same for all of their messages
  turns,  // of the messages of the source that have a choice
  load,   // the one from whose source least waits, in time; among equal ones by turns
};
constexpr auto names_in_specs(LinkRule) { return name_list("hash", "turns", "load"); }

inline std::uint64_t hash_of_hosts(NodeId from, NodeId to, std::uint64_t salt) {
  return mix64((std::uint64_t{from} << 32 | to) ^ mix64(salt ^ 0x6c696e6b73ULL));  // "links"
}

class Hosts {
 public:
  // Every node has one link.
  Hosts() = default;
  // `links_of`: [host] its links; a node has one at least. The last hosts are `aggregators`.
  explicit Hosts(const std::vector<std::vector<HostLink>>& links_of, std::uint32_t aggregators = 0)
      : aggregators_(aggregators) {
    for (const std::vector<HostLink>& links : links_of) {
      first_.push_back(static_cast<NodeId>(links_.size()));
      host_of_.insert(host_of_.end(), links.size(), static_cast<NodeId>(first_.size() - 1));
      links_.insert(links_.end(), links.begin(), links.end());
    }
    first_.push_back(static_cast<NodeId>(links_.size()));
  }

  bool none() const { return first_.empty(); }
  std::uint32_t count() const { return with_aggregators() - aggregators_; }
  std::uint32_t with_aggregators() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  // The links of a host are the nodes home(host) .. home(host + 1) - 1 of the graph.
  NodeId home(NodeId host) const { return first_[host]; }
  NodeId host_of(NodeId node) const { return host_of_[node]; }
  NodeId home_of(NodeId node) const { return first_[host_of_[node]]; }
  std::uint32_t link_number(NodeId node) const { return node - first_[host_of_[node]]; }
  const HostLink& link(NodeId node) const { return links_[node]; }
  void set_network(NodeId node, std::uint32_t network) { links_[node].network = network; }

  // Calls visit(from, to) for the pairs of links that a message between two hosts can take, of which the
  // nodes are any. These are links of one cable or, if there are none, scale-up links in one network or, if
  // there are none, links of one rail or, if there are none, any others in one network.
  template <class Visit>
  void for_each_way(NodeId from_host, NodeId to_host, Visit&& visit) const {
    const NodeId host = host_of_[from_host], other = host_of_[to_host];
    bool found = false;
    const auto visit_if = [&](auto&& fits) {
      if (found) return;
      for (NodeId from = first_[host]; from < first_[host + 1]; ++from)
        for (NodeId to = first_[other]; to < first_[other + 1]; ++to) {
          if (links_[from].network != links_[to].network || !fits(links_[from], links_[to])) continue;
          found = true;
          visit(from, to);
        }
    };
    visit_if([](const HostLink& a, const HostLink& b) { return a.cable != kNone && a.cable == b.cable; });
    visit_if([](const HostLink& a, const HostLink& b) { return a.scale_up && b.scale_up; });
    visit_if([](const HostLink& a, const HostLink& b) {
      return !a.scale_up && !b.scale_up && a.rail != kNone && a.rail == b.rail;
    });
    visit_if([](const HostLink& a, const HostLink& b) { return !a.scale_up && !b.scale_up; });
  }
  // The number of these pairs.
  std::uint32_t ways(NodeId from_host, NodeId to_host) const {
    std::uint32_t count = 0;
    for_each_way(from_host, to_host, [&](NodeId, NodeId) { ++count; });
    return count;
  }

  // The pair with this number, which is below `ways`.
  std::pair<NodeId, NodeId> way(NodeId from_host, NodeId to_host, std::uint32_t number) const {
    std::pair<NodeId, NodeId> way{from_host, to_host};
    for_each_way(from_host, to_host, [&](NodeId from, NodeId to) {
      if (number-- == 0) way = {from, to};
    });
    return way;
  }
  // Messages between these hosts stay in a scale-up network.
  bool are_close(NodeId from_host, NodeId to_host) const {
    return ways(from_host, to_host) > 0 && link(way(from_host, to_host, 0).first).scale_up;
  }

  std::uint64_t bytes() const { return bytes_taken(first_, host_of_, links_); }

 private:
  std::vector<NodeId> first_;    // [host], and one past the last
  std::vector<NodeId> host_of_;  // [node of the graph]
  std::vector<HostLink> links_;  // [node of the graph]
  std::uint32_t aggregators_ = 0;
};

}  // namespace headway
