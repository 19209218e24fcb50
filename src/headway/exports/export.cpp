// SPDX-License-Identifier: Apache-2.0
#include "headway/exports/export.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/config/row_reader.h"
#include "headway/config/toml.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/reach.h"
#include "headway/spec/job_copies.h"
#include "headway/spec/spec_files.h"
#include "headway/spec/write_spec.h"
#include "headway/topology/link_faults.h"

namespace headway {
namespace {

constexpr const char *kNetworkFile = "network.toml", *kRoutesFile = "routes.txt", *kQueuesFile = "queues.txt";

std::string link_text(const Link& link, const Link& usual) {
  std::string text;
  if (link.rate != usual.rate) text += fmt::format("rate = \"{}\"\n", to_string(link.rate));
  if (link.delay != usual.delay) text += fmt::format("delay = \"{}\"\n", to_string(link.delay));
  return text;
}

std::string name_text(const std::string& name, std::uint32_t number) {
  return name == std::to_string(number) ? "" : fmt::format("name = {}\n", to_text(Document(name)));
}

// The routes as sets of ports, at the switches that traffic reaches.
class ExportedRoutes {
 public:
  ExportedRoutes(const Graph& graph, const RouteTable& table)
      : graph_(graph), table_(table), ranges_(std::size_t{graph.switches()} * graph.nodes()) {
    Reach reach(graph, table);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      reach.follow(node, [&](PortId, PortId input) { add(graph.switch_of(input), node); });
    if (sets_.ports().empty()) return;
    if (fits_ && is_as(true))
      per_pair_ = true;
    else
      fits_ &= is_as(false);
  }

  bool fits() const { return fits_; }  // the file format can represent the routes
  bool per_pair() const { return per_pair_; }
  bool has_several() const { return !sets_.ports().empty(); }  // some destination has several ports
  RouteTable table(bool per_pair) const {
    RouteTable result = RouteTable::from_sets(graph_.nodes(), ranges_, sets_.ports(), per_pair);
    result.take_hash_of(table_);
    return result;
  }

  std::string text() const {
    std::string text = "# Output ports by destination, switch by switch.\n";
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      text += fmt::format("switch {}\n", sw);
      for (NodeId first = 0; first < graph_.nodes();) {
        const PortRange range = at(sw, first);
        NodeId next = first + 1;
        while (next < graph_.nodes() && at(sw, next) == range) ++next;
        if (range.count > 0)
          text += next == first + 1 ? fmt::format("{} {}\n", first, ports_text(range))
                                    : fmt::format("{}-{} {}\n", first, next - 1, ports_text(range));
        first = next;
      }
    }
    return text;
  }

 private:
  PortRange at(SwitchId sw, NodeId node) const { return ranges_[std::size_t{sw} * graph_.nodes() + node]; }

  void add(SwitchId sw, NodeId node) {
    const PortRange candidates = table_.at(sw, node);
    std::vector<std::uint16_t> ports;
    for (std::uint32_t i = 0; i < candidates.count; ++i)
      ports.push_back(static_cast<std::uint16_t>(table_.port(sw, node, candidates, i)));
    const std::optional<PortRange> range = sets_.range_of(std::move(ports));
    fits_ &= range.has_value();
    ranges_[std::size_t{sw} * graph_.nodes() + node] = range.value_or(PortRange{});
  }

  // Returns true if routes read from the file choose among several ports in the same way.
  bool is_as(bool per_pair) const {
    const RouteTable file = table(per_pair);
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      for (NodeId node = 0; node < graph_.nodes(); ++node) {
        if (at(sw, node).count < 2) continue;
        for (NodeId source = 0; source < graph_.nodes(); ++source) {
          const PortRange here = table_.of_pair(sw, source, node), there = file.of_pair(sw, source, node);
          if (here.count != there.count || table_.port(sw, node, here, 0) != file.port(sw, node, there, 0))
            return false;
        }
      }
    return true;
  }

  std::string ports_text(PortRange range) const {
    std::string text = std::to_string(range.count == 1 ? range.first : sets_.ports()[range.first]);
    for (std::uint32_t i = 1; i < range.count; ++i)
      text += fmt::format(",{}", sets_.ports()[range.first + i]);
    return text;
  }

  const Graph& graph_;
  const RouteTable& table_;
  std::vector<PortRange> ranges_;  // [switch * nodes + destination]
  PortSets sets_;
  bool fits_ = true;
  bool per_pair_ = false;
};

class Exporter {
 public:
  explicit Exporter(const EventSpec& spec)
      : spec_(spec),
        plan_(plan_of_network_alone(spec)),
        graph_(*plan_.graph),
        whole_(whole_graph(spec.network)) {}

  std::vector<ExportedFile> files() {
    check();
    const ExportedRoutes routes(graph_, plan_.routes.table);
    if (!routes.fits())
      mistakes_.add(
          "routing.algorithm",
          fmt::format("\"{}\" chooses among several ports in a way that a file of routes cannot express",
                      spec_.routing.algorithm.name));
    mistakes_.throw_if_any();
    EventSpec changed = spec_;
    std::vector<ExportedFile> files = {{kNetworkFile, network_text()}, {kRoutesFile, routes.text()}};
    write_shifts_as_permutations(changed);
    changed.network.topology = choose(topologies(), "file", {{"file", kNetworkFile}});
    changed.network.faults = {};
    changed.network.faults.failed.at = failed_links();
    changed.network.faults.unreachable = spec_.network.faults.unreachable;
    changed.routing.algorithm =
        choose(routings(), "table",
               {{"file", kRoutesFile},
                {"cycles", cycle_rule(routes)},
                {"choice", routes.per_pair() || !routes.has_several() ? "pair" : "packet"}});
    if (const auto salt = plan_.routes.table.own_salt(); salt && routes.per_pair())
      assign(*changed.routing.algorithm, Argument{"salt", *salt});
    if (const auto queues = queues_text()) {
      files.push_back({kQueuesFile, *queues});
      changed.switches.scheme =
          choose(schemes(), "table",
                 {{"file", kQueuesFile}, {"queues", spec_.switches.scheme->build(graph_).queues}});
    }
    for (const auto& [key, file] : file_keys_of(Spec(changed)))
      if (file.content() != nullptr) files.push_back({file.path(), *file.content()});
    files.push_back({"spec.toml", write_toml(resolved(Spec(changed)))});
    return files;
  }

 private:
  // The network with its slow links, before links fail. The file describes it, and the spec names the links
  // that have failed, so that results report the same pairs as cut off.
  static Graph whole_graph(const NetworkSpec& network) {
    Graph graph = network.topology->build(network.link);
    LinkFaults slow = network.faults;
    slow.failed = {};
    apply(slow, graph);
    return graph;
  }
  std::vector<std::string> failed_links() const {
    std::vector<std::string> links;
    for_each_link([&](PortId port, PortId) {
      if (graph_.peer_of(port) == kNone) links.push_back(place(port));
    });
    return links;
  }
  // Calls visit(port, peer) for the links between switches.
  template <class Visit>
  void for_each_link(Visit&& visit) const {
    for (PortId port = 0; port < whole_.switch_ports(); ++port)
      if (const PortId peer = whole_.peer_of(port);
          peer != kNone && !whole_.is_node_port(peer) && port < peer)
        visit(port, peer);
  }

  // Lanes of service levels stay as the spec says them.
  const char* cycle_rule(const ExportedRoutes& routes) const {
    if (find_dependency_cycle(graph_, routes.table(true)).empty()) return "refuse";
    return plan_.routes.cycles == Cycles::accepted ? "allow" : "lanes";
  }

  void check() {
    if (!graph_.hosts().none())  // a file of routes knows nodes with one link
      mistakes_.add("network.topology", "its nodes have several links",
                    "networks of such nodes are not exported");
    const std::string routing = fmt::format("the routes of \"{}\" ", spec_.routing.algorithm.name);
    const char* hint = "files have routes with one lane and no detours, chosen when a packet arrives";
    if (spec_.routing.algorithm->adaptive())
      mistakes_.add("routing.algorithm", routing + "are chosen by a selection function", hint);
    if (const std::uint32_t lanes = plan_.routes.lanes.lanes() / plan_.routes.lanes.service_lanes();
        lanes > 1)
      mistakes_.add("routing.algorithm", fmt::format("{}use {} lanes", routing, lanes), hint);
    if (plan_.routes.detours) mistakes_.add("routing.algorithm", routing + "take detours", hint);
    for (std::size_t job = 0; job < spec_.traffic.jobs.size(); ++job)
      if (spec_.traffic.jobs[job].uses_switches())
        mistakes_.add(key_of_job(spec_.traffic, job),
                      "switches reduce for it, and a file of queues has none for them",
                      "choose another algorithm than \"in-network\", or --ibsim for the network alone");
    if (plan_.options.changes_routes())
      mistakes_.add("routing.reroute_after", routing + "change during the run", "omit it");
    if (plan_.options.needs_bubbles(graph_))
      mistakes_.add("network.topology",
                    "its rings need bubble flow control, which a network from a file does not have",
                    "\"up-down\" routes it without them");
    if (!graph_.links_go_both_ways())
      mistakes_.add("network.topology", "the topology has unidirectional links",
                    "links of a file go both ways");
    check_names(graph_.switches(), "switch",
                [&](std::uint32_t number) { return graph_.switch_name(number); });
    check_names(graph_.nodes(), "node", [&](std::uint32_t number) { return graph_.node_name(number); });
  }

  // The files refer to nodes and switches by number. A name takes precedence over an equal number.
  template <class NameOf>
  void check_names(std::uint32_t count, const char* what, NameOf&& name_of) {
    const NumberedNames numbers(what, count);
    for (std::uint32_t number = 0; number < count; ++number)
      if (const std::string name = name_of(number); name != std::to_string(number) && numbers.find(name))
        return mistakes_.add(
            "network.topology",
            fmt::format("the name \"{}\" of {} {} is the number of another", name, what, number));
  }

  // A network from a file has no coordinates to shift.
  void write_shifts_as_permutations(EventSpec& changed) const {
    const NodeSpace space = NodeSpace::of(*spec_.network.topology);
    for (FlowSpec& flow : changed.traffic.flows) {
      Mistakes without_coordinates;
      flow.pattern->check(NodeSpace(space.nodes), without_coordinates);
      if (without_coordinates.empty()) continue;
      const auto destinations = flow.pattern->build(space, spec_.seed);
      Rng unused(0, 0);
      std::vector<std::int64_t> list;
      for (NodeId node = 0; node < space.nodes; ++node) {
        const NodeId destination = destinations->next(node, unused);
        list.push_back(destination == kNone ? node : destination);
      }
      flow.pattern = choose(patterns(), "permutation", {{"list", list}});
    }
  }

  std::string place(PortId port) const {
    return fmt::format("{}:{}", graph_.switch_name(graph_.switch_of(port)), graph_.local(port));
  }
  std::string quoted_place(PortId port) const { return to_text(Document(place(port))); }

  std::string network_text() const {
    std::string text;
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      text +=
          fmt::format("[[switch]]\n{}ports = {}\n", name_text(graph_.switch_name(sw), sw), graph_.radix(sw));
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      text += fmt::format("[[node]]\nat = {}\n{}{}", quoted_place(graph_.peer_of(graph_.node_port(node))),
                          name_text(graph_.node_name(node), node),
                          link_text(graph_.link(graph_.node_port(node)), spec_.network.link));
    for_each_link([&](PortId port, PortId peer) {
      text += fmt::format("[[link]]\nends = [{}, {}]\n{}", quoted_place(port), quoted_place(peer),
                          link_text(whole_.link(port), spec_.network.link));
    });
    return text;
  }

  // Nullopt for schemes that are more than a table; the exported spec uses them by name.
  std::optional<std::string> queues_text() const {
    const Scheme& scheme = *spec_.switches.scheme;
    const QueueMap map = scheme.build(graph_);
    if (scheme.pools_memory() || map.channels > 1) return std::nullopt;
    if (map.key == QueueKey::table) return table_text(map);
    std::string text = map.key == QueueKey::output ? "output queue\n" : "destination queue\n";
    if (map.key == QueueKey::none) return text + "* 0\n";
    for (std::size_t value = 0; value < map.queue_of.size(); ++value)
      text += fmt::format("{} {}\n", value, map.queue_of[value]);
    return text;
  }

  // A row for every combination of the quantities that the table depends on.
  std::string table_text(const QueueMap& map) const {
    std::vector<std::pair<std::string, std::uint32_t>> rows = {{"", 0}};  // text and place in queue_of
    std::string header;
    const auto add = [&](const char* column, const auto& cells) {
      header += std::string(column) + ' ';
      std::vector<std::pair<std::string, std::uint32_t>> more;
      for (const auto& [text, place] : rows)
        for (const auto& [cell, part] : cells) more.emplace_back(text + cell + ' ', place + part);
      rows = std::move(more);
    };
    const auto by_number = [](const std::vector<std::uint32_t>& parts) {
      std::vector<std::pair<std::string, std::uint32_t>> cells;
      for (std::size_t number = 0; number < parts.size(); ++number)
        cells.emplace_back(std::to_string(number), parts[number]);
      return cells;
    };
    if (!map.at_input.empty()) {
      std::vector<std::pair<std::string, std::uint32_t>> cells;
      for (PortId port = 0; port < graph_.switch_ports(); ++port)
        cells.emplace_back(fmt::format("{} {}", graph_.switch_of(port), graph_.local(port)),
                           map.at_input[port]);
      add("switch input", cells);
    }
    if (!map.at_output.empty()) add("output", by_number(map.at_output));
    if (!map.of_source.empty()) add("source", by_number(map.of_source));
    if (!map.of_destination.empty()) add("destination", by_number(map.of_destination));
    std::string text = header + "queue\n";
    for (const auto& [row, place] : rows) text += fmt::format("{}{}\n", row, map.queue_of[place]);
    return text;
  }

  const EventSpec& spec_;
  Plan plan_;
  const Graph& graph_;
  const Graph whole_;
  Mistakes mistakes_;
};

}  // namespace

std::vector<ExportedFile> export_files(const Spec& spec) {
  const auto* const event = std::get_if<EventSpec>(&spec);
  if (event == nullptr)
    throw SpecError("kernel", fmt::format("a {} network cannot be written as files", kernel_of(spec)));
  refuse_changes(*event);
  return Exporter(*event).files();
}

void refuse_changes(const EventSpec& spec) {
  if (spec.what_if.network.change_links() || !spec.what_if.network.repaired.empty())
    throw SpecError("what_if", "a network with changes of its links cannot be written as files",
                    "omit them: a file describes the network as it is");
}

}  // namespace headway
