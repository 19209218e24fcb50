// SPDX-License-Identifier: Apache-2.0
// Servers of accelerators: within a server, every GPU has links to the scale-up switches; beyond it, GPU g of
// each server has a NIC on rail g. A rail has leaf switches; spines join the leaves, of all rails or of one,
// and cores join the spines of pods. A plane is a copy of all this, with a NIC of every GPU. Sources: NVIDIA,
// "DGX SuperPOD: reference architecture", 2023 (rail-optimised leaves and spines); Wang et al., "Rail-only: a
// low-cost high-performance network for training LLMs with trillion parameters", HOTI 2024 (rails that are
// not joined); Qian et al., "Alibaba HPN: a data center network for large language model training", SIGCOMM
// 2024 (two planes).
//
// Choice: what leaves a leaf upwards is spread evenly over the spines, and likewise from spines to cores,
// whose links are as many as those to the leaves.
#include <algorithm>
#include <cmath>
#include <string>

#include "headway/config/limits.h"
#include "headway/topology/parts.h"

namespace headway {
namespace {

// Choice: most links of a GPU to scale-up switches, and most NICs of it.
constexpr double kMostLinks = 64;

class Rails final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    const auto count = [&](std::string_view name, std::string_view help, auto& value, double least = 1,
                           double most = kMostSwitchPorts) {
      parameters.field({.name = name, .help = help, .bounds = Bounds::from(least, most)}, value);
    };
    count("servers", "number of servers: scale-up domains", servers_);
    count("gpus", "GPUs of a server; each is a node", gpus_);
    count("scale_up_switches",
          "switches in a server, such as NVSwitches; every GPU has a link to each of them",
          scale_up_switches_, 0, kMostLinks);
    parameters.field({.name = "scale_up_rate",
                      .help = "rate of the links of a GPU to these switches, together",
                      .bounds = Bounds::over(0, limits::kRate)},
                     scale_up_rate_);
    parameters.field({.name = "scale_up_delay",
                      .help = "delay of these links; default: that of network.link",
                      .bounds = Bounds::from(0, limits::kTime)},
                     scale_up_delay_);
    count("rails",
          "number of rails; the NIC of GPU g is on rail g modulo this number; default: a rail per GPU",
          rails_);
    count("planes", "NICs of a GPU, each in a network of its own", planes_, 1, kMostLinks);
    count("servers_per_leaf", "servers at a leaf switch of a rail; default: all servers of a pod",
          servers_per_leaf_);
    count(
        "spines",
        "spine switches, of a pod; 0: the leaves are not joined, so that every rail is a network of its own; "
        "default: one for every link up from a leaf",
        spines_, 0);
    parameters.field({.name = "separate_rails",
                      .help = "true: every rail has its own spines and cores, and does not reach the others"},
                     separate_rails_);
    count("pods", "groups of servers with leaves and spines of their own; several need cores", pods_);
    count("cores",
          "core switches, which join the spines of pods; default: one for every link up from a spine",
          cores_);
    parameters.field({.name = "oversubscription",
                      .help = "links down from a leaf switch per link up; default: 1",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     oversubscription_);
  }

  void check(Mistakes& mistakes) const override {
    const auto divides = [&](std::string_view key, std::int64_t part, std::int64_t whole,
                             const std::string& what) {
      if (part > 0 && whole % part == 0) return;
      mistakes.add("network." + std::string(key), std::to_string(part) + " does not divide " + what,
                   "use a divisor of " + std::to_string(whole));
    };
    divides("rails", rails(), gpus_, "the " + std::to_string(gpus_) + " GPUs of a server");
    divides("pods", pods_, servers_, "the " + std::to_string(servers_) + " servers");
    if (!mistakes.empty()) return;
    divides("servers_per_leaf", servers_per_leaf(), servers_ / pods_,
            "the " + std::to_string(servers_ / pods_) + " servers of a pod");
    const double up = static_cast<double>(down_of_leaf()) / oversubscription();
    if (up != std::floor(up))
      mistakes.add("network.oversubscription",
                   "gives a leaf with " + std::to_string(down_of_leaf()) + " links down no whole number up",
                   "use a divisor of " + std::to_string(down_of_leaf()));
    if (!mistakes.empty()) return;
    if (has_spines())
      divides("spines", spines(), up_of_leaf(),
              "the " + std::to_string(up_of_leaf()) + " links up from a leaf");
    else if (pods_ > 1)
      mistakes.add("network.pods", "pods are joined over spines, and there are none",
                   "use one pod, or spines");
    if (pods_ == 1 && cores_)
      mistakes.add("network.cores", "cores join pods, and there is one", "omit it, or use several pods");
    if (mistakes.empty() && pods_ > 1)
      divides("cores", cores(), down_of_spine(),
              "the " + std::to_string(down_of_spine()) + " links up from a spine");
    if (!mistakes.empty()) return;
    for (const std::int64_t ports :
         {gpus_, down_of_leaf() + up_of_leaf(), 2 * down_of_spine(), ports_of_core()})
      if (ports > kMostSwitchPorts)
        return mistakes.add("network.servers", "a switch has " + std::to_string(ports) + " ports",
                            "at most " + std::to_string(kMostSwitchPorts));
    if (links_of_nodes() > kMostNodes || switch_ports() > kMostNetworkPorts)
      mistakes.add("network.servers",
                   "a network of more than " + std::to_string(kMostNodes) + " links of nodes",
                   "use fewer servers, or fewer GPUs");
  }

  std::int64_t nodes() const override { return servers_ * gpus_; }
  std::int64_t links_of_nodes() const override { return nodes() * (scale_up_switches_ + planes_); }
  std::int64_t switch_ports() const override {
    const std::int64_t of_plane =
        leaves() * (down_of_leaf() + up_of_leaf()) +
        networks() * (pods_ * spines() * (down_of_spine() + up_of_spine()) + cores() * ports_of_core());
    return servers_ * scale_up_switches_ * gpus_ + planes_ * of_plane;
  }

  Graph build(const Link& link) const override {
    std::vector<std::uint32_t> radix;
    IrregularShape shape;
    shape.kind = "a network of rails";
    const auto add = [&](std::int64_t ports, std::string name) {
      radix.push_back(static_cast<std::uint32_t>(ports));
      shape.switch_names.push_back(std::move(name));
    };
    for (std::int64_t server = 0; server < servers_; ++server)
      for (std::int64_t sw = 0; sw < scale_up_switches_; ++sw)
        add(gpus_, numbered("server", server) + numbered(".switch", sw));
    for (std::int64_t plane = 0; plane < planes_; ++plane) add_plane(plane, add);
    std::vector<std::vector<HostLink>> links_of(static_cast<std::size_t>(nodes()));
    const std::int64_t links = scale_up_switches_ + planes_;
    for (std::int64_t node = 0; node < nodes(); ++node)
      for (std::int64_t i = 0; i < links; ++i) {
        const bool scale_up = i < scale_up_switches_;
        links_of[static_cast<std::size_t>(node)].push_back(
            {scale_up, scale_up ? kNone : static_cast<std::uint32_t>(node % gpus_ % rails())});
        if (links > 1) shape.node_names.push_back(std::to_string(node) + numbered(":", i));
      }
    Graph graph(static_cast<std::uint32_t>(links_of_nodes()), radix, std::move(shape));
    connect_nodes(graph, link);
    for (std::int64_t plane = 0; plane < planes_; ++plane) connect_plane(graph, plane, link);
    const bool is_one = rails() == 1 || (has_spines() && !separate_rails_);
    if (links > 1 || !is_one) graph.set_hosts(links_of);
    return graph;
  }

 private:
  std::int64_t rails() const { return rails_.value_or(gpus_); }
  std::int64_t servers_per_leaf() const { return servers_per_leaf_.value_or(servers_ / pods_); }
  std::int64_t blocks() const { return servers_ / servers_per_leaf(); }    // leaves of a rail
  std::int64_t leaves() const { return rails() * blocks(); }               // of a plane
  std::int64_t networks() const { return separate_rails_ ? rails() : 1; }  // with spines, of a plane
  std::int64_t down_of_leaf() const { return servers_per_leaf() * (gpus_ / rails()); }
  double oversubscription() const { return oversubscription_.value_or(1); }
  bool has_spines() const { return spines_.value_or(1) > 0; }
  std::int64_t up_of_leaf() const {
    return has_spines() ? static_cast<std::int64_t>(static_cast<double>(down_of_leaf()) / oversubscription())
                        : 0;
  }
  std::int64_t spines() const { return spines_.value_or(up_of_leaf()); }  // of a network and pod
  std::int64_t leaf_to_spine() const { return has_spines() ? up_of_leaf() / spines() : 0; }
  std::int64_t leaves_of_spine() const { return leaves() / networks() / pods_; }
  std::int64_t down_of_spine() const { return leaves_of_spine() * leaf_to_spine(); }
  std::int64_t up_of_spine() const { return pods_ > 1 ? down_of_spine() : 0; }
  std::int64_t cores() const { return pods_ > 1 ? cores_.value_or(down_of_spine()) : 0; }  // of a network
  std::int64_t spine_to_core() const { return pods_ > 1 ? up_of_spine() / cores() : 0; }
  std::int64_t ports_of_core() const { return pods_ * spines() * spine_to_core(); }

  // The switches of a plane: its leaves, rail by rail; then its spines, network by network and pod by pod;
  // then its cores.
  std::int64_t switches_of_plane() const { return leaves() + networks() * (pods_ * spines() + cores()); }
  SwitchId first_of_plane(std::int64_t plane) const {
    return static_cast<SwitchId>(servers_ * scale_up_switches_ + plane * switches_of_plane());
  }
  SwitchId leaf(std::int64_t plane, std::int64_t rail, std::int64_t block) const {
    return first_of_plane(plane) + static_cast<SwitchId>(rail * blocks() + block);
  }
  SwitchId spine(std::int64_t plane, std::int64_t network, std::int64_t pod, std::int64_t number) const {
    return first_of_plane(plane) +
           static_cast<SwitchId>(leaves() + (network * pods_ + pod) * spines() + number);
  }
  SwitchId core(std::int64_t plane, std::int64_t network, std::int64_t number) const {
    return first_of_plane(plane) +
           static_cast<SwitchId>(leaves() + networks() * pods_ * spines() + network * cores() + number);
  }

  static std::string numbered(std::string_view name, std::int64_t number) {
    return std::string(name) + std::to_string(number);
  }

  template <class Add>
  void add_plane(std::int64_t plane, const Add& add) const {
    const std::string of_plane = planes_ > 1 ? numbered("plane", plane) + "." : "";
    for (std::int64_t rail = 0; rail < rails(); ++rail)
      for (std::int64_t block = 0; block < blocks(); ++block)
        add(down_of_leaf() + up_of_leaf(), of_plane + numbered("rail", rail) + numbered(".leaf", block));
    const auto of_network = [&](std::int64_t network) {
      return separate_rails_ ? of_plane + numbered("rail", network) + "." : of_plane;
    };
    for (std::int64_t network = 0; network < networks(); ++network)
      for (std::int64_t pod = 0; pod < pods_; ++pod)
        for (std::int64_t number = 0; number < spines(); ++number)
          add(down_of_spine() + up_of_spine(), of_network(network) +
                                                   (pods_ > 1 ? numbered("pod", pod) + "." : "") +
                                                   numbered("spine", number));
    for (std::int64_t network = 0; network < networks(); ++network)
      for (std::int64_t number = 0; number < cores(); ++number)
        add(ports_of_core(), of_network(network) + numbered("core", number));
  }

  static PortId port(const Graph& graph, SwitchId sw, std::int64_t local) {
    return graph.port(sw, static_cast<std::uint32_t>(local));
  }

  void connect_nodes(Graph& graph, const Link& link) const {
    const Link scale_up{
        {scale_up_rate_.bytes_per_ns / Rational(std::max<std::int64_t>(scale_up_switches_, 1))},
        scale_up_delay_.value_or(link.delay)};
    NodeId next = 0;
    for (std::int64_t server = 0; server < servers_; ++server)
      for (std::int64_t gpu = 0; gpu < gpus_; ++gpu) {
        for (std::int64_t sw = 0; sw < scale_up_switches_; ++sw)
          graph.connect(graph.node_port(next++),
                        port(graph, static_cast<SwitchId>(server * scale_up_switches_ + sw), gpu), scale_up);
        const std::int64_t place = server % servers_per_leaf() * (gpus_ / rails()) + gpu / rails();
        for (std::int64_t plane = 0; plane < planes_; ++plane)
          graph.connect(graph.node_port(next++),
                        port(graph, leaf(plane, gpu % rails(), server / servers_per_leaf()), place), link);
      }
  }

  void connect_plane(Graph& graph, std::int64_t plane, const Link& link) const {
    const std::int64_t blocks_of_pod = blocks() / pods_;
    for (std::int64_t rail = 0; rail < rails(); ++rail)
      for (std::int64_t block = 0; block < blocks(); ++block)
        for (std::int64_t s = 0; s < spines(); ++s)
          for (std::int64_t i = 0; i < leaf_to_spine(); ++i) {
            const std::int64_t rail_of_spine = separate_rails_ ? 0 : rail;
            const std::int64_t place = rail_of_spine * blocks_of_pod + block % blocks_of_pod;
            graph.connect(port(graph, leaf(plane, rail, block), down_of_leaf() + s * leaf_to_spine() + i),
                          port(graph, spine(plane, separate_rails_ ? rail : 0, block / blocks_of_pod, s),
                               place * leaf_to_spine() + i),
                          link);
          }
    for (std::int64_t network = 0; network < networks(); ++network)
      for (std::int64_t pod = 0; pod < pods_; ++pod)
        for (std::int64_t s = 0; s < spines(); ++s)
          for (std::int64_t c = 0; c < cores(); ++c)
            for (std::int64_t i = 0; i < spine_to_core(); ++i)
              graph.connect(
                  port(graph, spine(plane, network, pod, s), down_of_spine() + c * spine_to_core() + i),
                  port(graph, core(plane, network, c), (pod * spines() + s) * spine_to_core() + i), link);
  }

  std::int64_t servers_ = 4, gpus_ = 4;
  std::int64_t scale_up_switches_ = 1;
  Rate scale_up_rate_{8};
  std::optional<Duration> scale_up_delay_;
  std::optional<std::int64_t> rails_, servers_per_leaf_, spines_, cores_;
  std::int64_t planes_ = 1, pods_ = 1;
  bool separate_rails_ = false;
  std::optional<double> oversubscription_;
};

}  // namespace

Entry<Topology> rails() {
  return {
      "rails",
      "servers of GPUs with scale-up switches inside, and a rail of NICs for every GPU of a server beyond",
      "NVIDIA DGX SuperPOD, 2023; Wang et al., HOTI 2024; Qian et al., SIGCOMM 2024",
      make_entry<Topology, Rails>};
}

}  // namespace headway
