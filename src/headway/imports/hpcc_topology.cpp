// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/hpcc_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "headway/base/units.h"

namespace headway::imports {

std::string with_unit(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  std::string name = unit == std::string::npos ? "" : text.substr(unit);
  if (name.ends_with("bps")) name = name.substr(0, name.size() - 3) + "bit/s";
  if (name.ends_with("b/s")) name = name.substr(0, name.size() - 3) + "bit/s";
  return text.substr(0, unit) + ' ' + name;
}

HpccTopology topology_of(const Source& source, Mistakes& mistakes) {
  HpccTopology topology;
  std::istringstream words(source.text);
  std::int64_t nodes = 0, switches = 0, links = 0, id = 0;
  words >> nodes >> switches >> links;
  if (nodes > HpccTopology::kMostNodes) {
    mistakes.add({"TOPOLOGY_FILE", fmt::format("{} nodes are too many", nodes),
                  fmt::format("at most {}", HpccTopology::kMostNodes), source.path});
    return topology;
  }
  for (std::int64_t i = 0; i < switches && words >> id; ++i) topology.switches.insert(id);
  for (id = 0; words && id < nodes; ++id)
    if (!topology.is_switch(id)) topology.hosts.push_back(id);
  for (std::int64_t i = 0; i < links; ++i) {
    HpccTopology::Link link;
    double error = 0;
    if (!(words >> link.a >> link.b >> link.rate >> link.delay >> error)) break;
    if (!topology.is_switch(link.b)) std::swap(link.a, link.b);
    link.rate = with_unit(link.rate);
    link.delay = with_unit(link.delay);
    if (!parse_rate(link.rate) || !parse_duration(link.delay) || !topology.is_switch(link.b))
      mistakes.add({"TOPOLOGY_FILE", fmt::format("link {} from {} to {} is not valid", i, link.a, link.b),
                    "write HOST SWITCH 100Gbps 0.001ms 0", source.path});
    topology.loses |= error > 0;
    ++topology.degree[link.a];
    ++topology.degree[link.b];
    topology.links.push_back(std::move(link));
  }
  if (static_cast<std::int64_t>(topology.links.size()) != links || links == 0)
    mistakes.add({"TOPOLOGY_FILE", fmt::format("has {} links, not {}", topology.links.size(), links),
                  "the first line has the numbers of nodes, switches and links", source.path});
  for (const std::int64_t host : topology.hosts)
    if (topology.degree[host] != 1)
      mistakes.add({"TOPOLOGY_FILE", fmt::format("host {} has {} links", host, topology.degree[host]),
                    "a node of Headway has one", source.path});
  return topology;
}

std::optional<std::int64_t> HpccTopology::node_of(std::int64_t id) const {
  const auto found = std::ranges::lower_bound(hosts, id);
  if (found == hosts.end() || *found != id) return std::nullopt;
  return found - hosts.begin();
}

std::string renumbered(const Source& flows, const HpccTopology& topology, Mistakes& mistakes) {
  std::istringstream lines(flows.text);
  std::string line, text;
  std::int64_t count = -1;
  for (std::int64_t number = 1, flow = 0; flow != count && std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::int64_t first = 0, second = 0;
    std::string rest;
    if (!(words >> first)) {
      text += line;  // the reader of flows says what is wrong
    } else if (count < 0) {
      count = first;
      text += line;
    } else {
      const auto from = topology.node_of(first);
      const auto to = words >> second ? topology.node_of(second) : std::nullopt;
      if (!from || !to) {
        mistakes.add({"FLOW_FILE", fmt::format("flow {} of {} is not between two hosts", flow, count),
                      "a line is: source destination group port bytes start",
                      fmt::format("{}:{}", flows.path, number)});
        return text;
      }
      std::getline(words, rest);
      text += fmt::format("{} {}{}", *from, *to, rest);
      ++flow;
    }
    text += '\n';
  }
  return text;
}

std::string network_text(const HpccTopology& topology) {
  std::string text = "# Made by headway import from a topology of HPCC's simulator; names are its numbers.\n";
  for (const std::int64_t id : topology.switches) text += fmt::format("[[switch]]\nname = \"{}\"\n", id);
  std::map<std::int64_t, const HpccTopology::Link*> link_of;
  for (const HpccTopology::Link& link : topology.links) link_of[link.a] = &link;
  for (const std::int64_t host : topology.hosts) {
    const HpccTopology::Link& link = *link_of.at(host);
    text += fmt::format("[[node]]\nat = \"{}\"\nname = \"h{}\"\nrate = \"{}\"\ndelay = \"{}\"\n", link.b,
                        host, link.rate, link.delay);
  }
  for (const HpccTopology::Link& link : topology.links)
    if (topology.is_switch(link.a))
      text += fmt::format("[[link]]\nends = [\"{}\", \"{}\"]\nrate = \"{}\"\ndelay = \"{}\"\n", link.a,
                          link.b, link.rate, link.delay);
  return text;
}

}  // namespace headway::imports
