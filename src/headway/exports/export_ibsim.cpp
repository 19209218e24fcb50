// SPDX-License-Identifier: Apache-2.0
#include "headway/exports/export_ibsim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <variant>

#include "headway/base/plural.h"
#include "headway/exports/export.h"
#include "headway/topology/distances.h"
#include "headway/topology/infiniband_speeds.h"
#include "headway/topology/link_faults.h"

namespace headway {
namespace {

constexpr std::uint32_t kMostPorts = 254;    // port numbers of InfiniBand have 8 bits, and 255 is reserved
constexpr std::uint32_t kMostLids = 0xbfff;  // larger ones are of multicast groups
constexpr std::size_t kMostNameBytes = 63;   // of a node description, with the zero at its end 64
constexpr std::size_t kListed = 5;           // links that a note names
constexpr const char* kKey = "network.topology";
// Locally administered, so that they are not those of a vendor.
constexpr std::uint64_t kSwitchGuids = 0x0200'0000'0000'0000, kNodeGuids = 0x0200'0001'0000'0000;
constexpr std::uint64_t kGuidsPerNode = 16;  // the port of a node has the GUID after that of the node

class IbsimFile {
 public:
  explicit IbsimFile(const NetworkSpec& network) : network_(network), graph_(graph_of(network)) {}

  IbsimNetwork network() {
    check();
    mistakes_.throw_if_any();
    number_everything();
    note_order();
    note_failures();
    note_delays();
    std::string text =
        "# Network for ibsim, written by headway export. To run it:\n"
        "#   ibsim -s FILE\n"
        "#   ibsim-run opensm -R ENGINE\n";
    if (first_port_ == 1) text += "# Ports count from 1: port 0 of a switch is port 1 here.\n";
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) text += switch_text(sw);
    for (NodeId node = 0; node < graph_.nodes(); ++node) text += node_text(node);
    return {std::move(text), std::move(notes_)};
  }

 private:
  static Graph graph_of(const NetworkSpec& network) {
    Graph graph = network.topology->build(network.link);
    apply(network.faults, graph);
    return graph;
  }

  void check() {
    if (!graph_.hosts().none())
      mistakes_.add(kKey, "its nodes have several links", "networks of such nodes are not exported");
    if (!graph_.links_go_both_ways())
      mistakes_.add(kKey, "the topology has unidirectional links", "links of InfiniBand go both ways");
    if (graph_.max_radix() > kMostPorts)
      mistakes_.add(kKey, fmt::format("a switch has {} ports", graph_.max_radix()),
                    fmt::format("a switch of InfiniBand has at most {} ports", kMostPorts));
    if (graph_.nodes() + graph_.switches() > kMostLids)
      mistakes_.add(kKey,
                    fmt::format("the network has {} nodes and switches", graph_.nodes() + graph_.switches()),
                    fmt::format("InfiniBand has {} local identifiers", kMostLids));
    check_names(graph_.switches(), "switch", [&](std::uint32_t sw) { return graph_.switch_name(sw); });
    check_names(graph_.nodes(), "node", [&](std::uint32_t node) { return graph_.node_name(node); });
    check_speeds();
  }

  // Names are node descriptions in quotes. ibsim takes "x=" in a line of a port for an option.
  void check_names(std::uint32_t count, const char* what,
                   const std::function<std::string(std::uint32_t)>& name_of) {
    for (std::uint32_t number = 0; number < count; ++number) {
      const std::string name = name_of(number);
      const bool is_plain = std::ranges::none_of(
          name, [](unsigned char c) { return c == '"' || c == '=' || std::iscntrl(c) != 0; });
      if (!is_plain || name.empty() || name.size() > kMostNameBytes)
        mistakes_.add(kKey, fmt::format("the name \"{}\" of a {} cannot be a node description", name, what),
                      fmt::format("it has 1 to {} bytes, without quotes and =", kMostNameBytes));
    }
  }

  void check_speeds() {
    std::set<Rate> rates;
    for (PortId port = 0; port < graph_.ports(); ++port)
      if (graph_.peer_of(port) != kNone) rates.insert(graph_.link(port).rate);
    std::vector<std::string> without_name;
    for (const Rate& rate : rates)
      if (!infiniband_speed(rate)) without_name.push_back(to_string(rate));
    if (without_name.empty()) return;
    if (rates.size() > 1)
      mistakes_.add("network.link",
                    fmt::format("no link of InfiniBand has {}", fmt::join(without_name, ", ")),
                    "4xSDR to 4xXDR have 1, 2, 4, 5, 6.8182, 12.5, 25, 50 and 100 GB/s");
    else
      notes_.push_back(
          fmt::format("no link of InfiniBand has {0}, so the file says no speed; network.link = "
                      "{{ rate = \"{0}\" }} gives it",
                      without_name.front()));
    says_speeds_ = false;
  }

  // Keeps the GUIDs and LIDs of a network that has them, so that its tables still apply.
  void number_everything() {
    if (const auto* names = std::get_if<IrregularShape>(&graph_.shape())) {
      switch_guids_ = names->switch_guids;
      node_lids_ = names->node_lids;
    }
    const auto number = [](auto& numbers, std::size_t count, auto first) {
      const std::set<std::uint64_t> unique(numbers.begin(), numbers.end());
      if (!numbers.empty() && unique.size() == numbers.size() && !unique.contains(0)) return;
      numbers.resize(count);
      std::iota(numbers.begin(), numbers.end(), first);
    };
    number(switch_guids_, graph_.switches(), kSwitchGuids + 1);
    number(node_lids_, graph_.nodes(), 1U);
    const std::set<std::uint32_t> taken(node_lids_.begin(), node_lids_.end());
    for (std::uint32_t lid = 1; switch_lids_.size() < graph_.switches(); ++lid)
      if (!taken.contains(lid)) switch_lids_.push_back(lid);
    // port 0 of InfiniBand is the switch itself
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      if (graph_.radix(sw) == 1 || graph_.peer_of(graph_.port(sw, 0)) != kNone) first_port_ = 1;
  }

  // Files are read with the nodes in the order of switches and ports.
  void note_order() {
    std::vector<NodeId> order(graph_.nodes());
    std::iota(order.begin(), order.end(), NodeId{0});
    std::ranges::sort(order, {}, [&](NodeId node) { return graph_.peer_of(graph_.node_port(node)); });
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      if (order[node] != node) {
        notes_.push_back(
            fmt::format("Headway numbers the nodes of such a file by switch and port; node {} is "
                        "then node {}, for example",
                        graph_.node_name(order[node]), node));
        return;
      }
  }

  void note_failures() {
    if (!graph_.has_failures()) return;
    const Graph whole = network_.topology->build(network_.link);
    std::vector<std::string> failed;
    for (PortId port = 0; port < whole.switch_ports(); ++port)
      if (const PortId peer = whole.peer_of(port);
          peer != kNone && port < peer && graph_.peer_of(port) == kNone)
        failed.push_back(fmt::format("{}:{}", whole.switch_name(whole.switch_of(port)), whole.local(port)));
    const std::size_t listed = std::min(failed.size(), kListed);
    notes_.push_back(
        fmt::format("the file is without {} that failed: {}{}", plural(failed.size(), "link"),
                    fmt::join(failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(listed), ", "),
                    failed.size() > listed ? ", ..." : ""));
    const Distances part = distances_from(graph_, switch_from(graph_, 0));
    if (const std::size_t cut = graph_.switches() - part.order.size(); cut > 0)
      notes_.push_back(fmt::format("node {} has no path to {}; topology \"file\" refuses such a file",
                                   graph_.node_name(0), plural(cut, "switch")));
  }

  void note_delays() {
    for (PortId port = 0; port < graph_.ports(); ++port)
      if (graph_.peer_of(port) != kNone && graph_.link(port).delay != network_.link.delay)
        return notes_.push_back(
            "the file says no delays; topology \"file\" gives all links that of network.link");
  }

  std::uint32_t number(PortId port) const { return graph_.local(port) + first_port_; }
  std::uint64_t guid_of(NodeId node) const { return kNodeGuids + (node + 1) * kGuidsPerNode; }
  std::string id_of(SwitchId sw) const { return fmt::format("S-{:016x}", switch_guids_[sw]); }
  std::string id_of_node(NodeId node) const { return fmt::format("H-{:016x}", guid_of(node)); }
  std::string speed_of(PortId port) const {
    return says_speeds_ ? ' ' + *infiniband_speed(graph_.link(port).rate) : "";
  }

  std::string switch_text(SwitchId sw) const {
    const std::uint64_t guid = switch_guids_[sw];
    std::string text = fmt::format(
        "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{0:x}\nswitchguid=0x{0:x}({0:x})\n"
        "Switch\t{1} \"{2}\"\t\t# \"{3}\" base port 0 lid {4} lmc 0\n",
        guid, graph_.radix(sw) - 1 + first_port_, id_of(sw), graph_.switch_name(sw), switch_lids_[sw]);
    for (std::uint32_t local = 0; local < graph_.radix(sw); ++local) {
      const PortId port = graph_.port(sw, local), peer = graph_.peer_of(port);
      if (peer == kNone) continue;
      if (graph_.is_node_port(peer)) {
        const NodeId node = graph_.node_of(peer);
        text += fmt::format("[{}]\t\"{}\"[1]({:x}) \t\t# \"{}\" lid {}{}\n", number(port), id_of_node(node),
                            guid_of(node) + 1, graph_.node_name(node), node_lids_[node], speed_of(port));
      } else {
        const SwitchId other = graph_.switch_of(peer);
        text += fmt::format("[{}]\t\"{}\"[{}]\t\t# \"{}\" lid {}{}\n", number(port), id_of(other),
                            number(peer), graph_.switch_name(other), switch_lids_[other], speed_of(port));
      }
    }
    return text;
  }

  std::string node_text(NodeId node) const {
    const PortId port = graph_.node_port(node), peer = graph_.peer_of(port);
    const SwitchId sw = graph_.switch_of(peer);
    return fmt::format(
        "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{0:x}\ncaguid=0x{0:x}\n"
        "Ca\t1 \"{1}\"\t\t# \"{2}\"\n"
        "[1]({3:x}) \t\"{4}\"[{5}]\t\t# lid {6} lmc 0 \"{7}\" lid {8}{9}\n",
        guid_of(node), id_of_node(node), graph_.node_name(node), guid_of(node) + 1, id_of(sw), number(peer),
        node_lids_[node], graph_.switch_name(sw), switch_lids_[sw], speed_of(port));
  }

  const NetworkSpec& network_;
  const Graph graph_;
  std::vector<std::uint64_t> switch_guids_;             // [switch]
  std::vector<std::uint32_t> switch_lids_, node_lids_;  // [switch], [node]
  std::uint32_t first_port_ = 0;                        // the number in the file of port 0
  bool says_speeds_ = true;
  std::vector<std::string> notes_;
  Mistakes mistakes_;
};

}  // namespace

IbsimNetwork ibsim_network(const Spec& spec) {
  const auto* const event = std::get_if<EventSpec>(&spec);
  if (event == nullptr)
    throw SpecError("kernel", fmt::format("a {} network cannot be written for ibsim", kernel_of(spec)));
  refuse_changes(*event);
  return IbsimFile(event->network).network();
}

}  // namespace headway
