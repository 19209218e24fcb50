// SPDX-License-Identifier: Apache-2.0
// A network described in a file, such as a real cluster, with all switches and links.
#include <string>
#include <utility>

#include "headway/base/input_file.h"
#include "headway/base/paths.h"
#include "headway/topology/fabric.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

class File final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "file",
                      .help = "TOML file of switches, nodes and links, or the output of ibnetdiscover "
                              "(docs/files.md); a relative path is relative to the spec"},
                     file_);
  }

  void check(Mistakes& mistakes) const override {
    if (!file_.named())
      mistakes.add("network.file", "no file is given", "write for example file = \"cluster.toml\"");
    else
      read(mistakes);
  }

  std::int64_t nodes() const override { return static_cast<std::int64_t>(fabric().nodes.size()); }
  std::int64_t switch_ports() const override {
    std::int64_t ports = 0;
    for (const std::uint32_t of_switch : fabric().ports) ports += of_switch;
    return ports;
  }

  NetworkNames names() const override {
    Fabric fabric = this->fabric();
    return {std::move(fabric.switch_names), std::move(fabric.node_names)};
  }

  Graph build(const Link& link) const override {
    const Fabric fabric = this->fabric();
    Graph graph(
        static_cast<NodeId>(fabric.nodes.size()), fabric.ports,
        IrregularShape{fabric.switch_names, fabric.node_names, fabric.switch_guids, fabric.node_lids});
    const auto port = [&](const End& end) { return graph.port(end.sw, end.port); };
    const auto link_of = [&](const Wire& wire) {
      return Link{wire.rate.value_or(link.rate), wire.delay.value_or(link.delay)};
    };
    for (NodeId node = 0; node < fabric.nodes.size(); ++node)
      graph.connect(graph.node_port(node), port(fabric.nodes[node].ends[0]), link_of(fabric.nodes[node]));
    for (const Wire& wire : fabric.links)
      graph.connect(port(wire.ends[0]), port(wire.ends[1]), link_of(wire));
    return graph;
  }

 private:
  Fabric read(Mistakes& mistakes) const {
    const std::string* const text = file_.text("network.file", mistakes);
    if (text == nullptr) return {};
    const auto reader = is_ibnetdiscover(*text) ? read_ibnetdiscover : read_network_file;
    return reader(*text, short_path(file_.path()), mistakes);
  }
  // The network of the file; empty if the file has mistakes.
  Fabric fabric() const {
    Mistakes mistakes;
    Fabric result = read(mistakes);
    return mistakes.empty() ? result : Fabric{};
  }

  InputFile file_;
};

}  // namespace

Entry<Topology> topology_file() {
  return {"file", "network of any shape; switches, nodes and links are read from a file", "Headway",
          make_entry<Topology, File>};
}

}  // namespace headway
