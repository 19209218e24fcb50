// SPDX-License-Identifier: Apache-2.0
// A network described in a file, such as a real cluster, with all switches and links.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "headway/base/hash.h"
#include "headway/base/input_file.h"
#include "headway/base/memo.h"
#include "headway/base/paths.h"
#include "headway/topology/fabric.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// What a file says, and its mistakes.
struct FileRead {
  Fabric fabric;
  std::vector<Mistake> wrong;

  std::uint64_t bytes() const {  // estimated
    return sizeof(FileRead) + (fabric.nodes.size() + fabric.links.size()) * sizeof(Wire) * 3;
  }
};

// Files that were read, by their content. A topology is asked many times for the size of its network, and
// every point of a sweep has a topology of its own.
Memo& files_read() {
  static Memo memo(64 << 20, 16);
  return memo;
}

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
      mistakes.add_all(read()->wrong);
  }

  std::int64_t nodes() const override { return static_cast<std::int64_t>(fabric()->node_names.size()); }
  std::int64_t links_of_nodes() const override { return static_cast<std::int64_t>(fabric()->nodes.size()); }
  std::int64_t switch_ports() const override {
    std::int64_t ports = 0;
    const auto fabric = this->fabric();
    for (const std::uint32_t of_switch : fabric->ports) ports += of_switch;
    return ports;
  }

  NetworkNames names() const override {
    const auto fabric = this->fabric();
    return {fabric->switch_names, fabric->node_names};
  }

  Graph build(const Link& link) const override {
    const auto known = this->fabric();
    const Fabric& fabric = *known;
    Graph graph(
        static_cast<NodeId>(fabric.nodes.size()), fabric.ports,
        IrregularShape{fabric.switch_names, names_of_links(fabric), fabric.switch_guids, fabric.node_lids});
    const auto port = [&](const End& end) { return graph.port(end.sw, end.port); };
    const auto link_of = [&](const Wire& wire) {
      return Link{wire.rate.value_or(link.rate), wire.delay.value_or(link.delay)};
    };
    for (NodeId node = 0; node < fabric.nodes.size(); ++node)
      graph.connect(graph.node_port(node), port(fabric.nodes[node].ends[0]), link_of(fabric.nodes[node]));
    for (const Wire& wire : fabric.links)
      graph.connect(port(wire.ends[0]), port(wire.ends[1]), link_of(wire));
    if (!fabric.hosts.empty()) graph.set_hosts(fabric.hosts);
    return graph;
  }

 private:
  std::shared_ptr<const FileRead> read() const {
    Mistakes mistakes;
    const std::string* const text = file_.text("network.file", mistakes);
    if (text == nullptr) return std::make_shared<const FileRead>(FileRead{{}, mistakes.list()});
    const std::string name = short_path(file_.path());
    const std::string key = name + '\n' + std::to_string(text->size()) + ' ' + std::to_string(hash_of(*text));
    return files_read().get<FileRead>(key, [&] {
      const auto reader = is_ibnetdiscover(*text) ? read_ibnetdiscover : read_network_file;
      FileRead result{reader(*text, name, mistakes), {}};
      result.wrong = mistakes.list();
      return result;
    });
  }
  // The names of nodes, which in a graph have one link.
  static std::vector<std::string> names_of_links(const Fabric& fabric) {
    if (fabric.hosts.empty()) return fabric.node_names;
    std::vector<std::string> names;
    for (std::size_t node = 0; node < fabric.hosts.size(); ++node)
      for (std::size_t link = 0; link < fabric.hosts[node].size(); ++link)
        names.push_back(fabric.node_names[node] + ':' + std::to_string(link));
    return names;
  }

  // The network of the file; empty if the file has mistakes.
  std::shared_ptr<const Fabric> fabric() const {
    const std::shared_ptr<const FileRead> known = read();
    return known->wrong.empty() ? std::shared_ptr<const Fabric>(known, &known->fabric)
                                : std::make_shared<const Fabric>();
  }

  InputFile file_;
};

}  // namespace

Entry<Topology> topology_file() {
  return {"file", "network of any shape; switches, nodes and links are read from a file", "Headway",
          make_entry<Topology, File>};
}

}  // namespace headway
