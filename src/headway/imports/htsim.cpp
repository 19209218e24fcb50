// SPDX-License-Identifier: Apache-2.0
// htsim: a topology (.topo) of a fat-tree, tier by tier, and a connection matrix (.cm), which a job reads as
// it is (docs/program-files.md). Words of a topology are names and values, in any case; # begins a comment.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "headway/base/small_letters.h"
#include "headway/config/assign.h"
#include "headway/imports/formats.h"
#include "headway/imports/network_draft.h"
#include "headway/imports/settings.h"
#include "headway/topology/topology.h"

namespace headway::imports {
namespace {

bool is_matrix(const Source& source) { return is_htsim_matrix(source.text); }

// Settings of a tier are "tier 1 radix_up".
std::vector<Setting> settings_of_topology(const Source& source, Mistakes& mistakes) {
  std::vector<Setting> settings;
  std::istringstream lines(source.text);
  std::string line, tier;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, value, more;
    if (!(words >> name)) continue;
    const std::string where = fmt::format("{}:{}", source.path, number);
    if (!(words >> value) || words >> more) {
      mistakes.add({name, "is not followed by one value", "write for example Radix_Up 8", where});
      continue;
    }
    name = in_small_letters(name);
    if (name == "tier") {
      tier = fmt::format("tier {} ", value);
      if (value != "0" && value != "1" && value != "2")
        mistakes.add({"Tier", value + " is no tier", "tiers are 0, 1 and 2", where});
    } else {
      settings.push_back({tier + name, value, where});
    }
  }
  return settings;
}

class HtsimImporter {
 public:
  HtsimImporter(const Request& request, const Source& topology, Mistakes& mistakes)
      : request_(request),
        path_(topology.path),
        mistakes_(mistakes),
        settings_(settings_of_topology(topology, mistakes), topology.path, mistakes) {}

  void network() {
    const std::int64_t nodes = settings_.whole("nodes", 0, 2, 1'000'000'000);
    const std::int64_t tiers = settings_.whole("tiers", 2, 2, 3);
    const std::int64_t pod = settings_.whole("podsize", nodes, 1);
    spec_.table("[network]");
    std::vector<std::int64_t> children, parents{1}, links{1};
    for (std::int64_t tier = 0; tier < tiers; ++tier) {
      const std::int64_t bundle = of_tier(tier, "bundle", 1, 1);
      children.push_back(of_tier(tier, "radix_down", 0, 1) / bundle);
      if (tier > 0) {
        parents.push_back(of_tier(tier - 1, "radix_up", 0, 1) / bundle);
        links.push_back(bundle);
      }
    }
    std::int64_t product = 1, of_pod = 1;
    for (std::size_t tier = 0; tier < children.size(); ++tier) {
      product *= children[tier];
      if (tier + 1 < children.size() || tiers == 2) of_pod *= children[tier];
    }
    if (product != nodes)
      settings_.wrong("nodes", fmt::format("the tiers have {} nodes, not {}", product, nodes),
                      "Radix_Down / Bundle of all tiers, multiplied");
    if (tiers == 3 && of_pod != pod)
      settings_.wrong("podsize", fmt::format("a pod of the lower tiers has {} nodes, not {}", of_pod, pod));
    const auto speeds = of_tiers(tiers, "downlink_speed_gbps", 1);
    const auto latencies = of_tiers(tiers, "downlink_latency_ns", 0);
    const bool alike = are_alike(speeds) && are_alike(latencies);
    if (alike) {
      spec_.set("topology", "pgft", fmt::format("{} tiers", tiers));
      spec_.set("children", list_of(children), "Radix_Down / Bundle of every tier");
      spec_.set("parents", list_of(parents), "Radix_Up of the tier below / Bundle");
      spec_.set("links", list_of(links), "Bundle");
      spec_.set("link.rate", fmt::format("{} Gbit/s", speeds.front()), "Downlink_Speed_Gbps");
      spec_.set("link.delay", fmt::format("{} ns", latencies.front()), "Downlink_Latency_ns");
    } else if (mistakes_.empty()) {
      write_links({children, parents, links}, speeds, latencies);
    }
    for (std::int64_t tier = 0; tier < tiers; ++tier)
      if (const Setting* over = settings_.take(name_of(tier, "oversubscribed")))
        spec_.without(fmt::format("tier {} Oversubscribed {}", tier, over->value),
                      "follows from the radices");
    spec_.table("[routing]");
    spec_.set("algorithm", alike ? "random-up" : "spray",
              "htsim sprays packets over all paths, or keeps the path of a flow (-strat)");
    spec_.table("[switch]");
    spec_.set("routing_delay", fmt::format("{} ns", same(tiers, "switch_latency_ns", 0)),
              "Switch_Latency_ns");
    set_output_queued(spec_, "packets of htsim wait at outputs, and move on when they are complete");
    spec_.set("flow_control", "lane-credits", "the queues of a port share its memory");
    spec_.set("input_memory", "256 KiB", "htsim's command line gives the length of queues (-q)");
  }

  void traffic(const std::string& matrix) {
    spec_.table("[traffic]");
    spec_.set("packet", "4 KiB",
              "htsim's command line gives the MTU (-mtu), which has the header, but for RoCE");
    spec_.set("header", "64 B", "of htsim's transports");
    if (matrix.empty()) {
      spec_.table("[[traffic.flow]]");
      spec_.set("pattern", "uniform", "no connection matrix was given");
      spec_.set("load", 0.5, "likewise");
    } else {
      spec_.table("[[traffic.job]]");
      spec_.set("name", "flows", "");
      spec_.set("program", "htsim", "the connection matrix, with its triggers");
      spec_.set("file", matrix, "");
    }
    spec_.without(
        "transport",
        "the command line of htsim chooses it. Here packets wait for credits and nothing is lost, as with "
        "its lossless queues; for RoCE set switch.flow_control = \"pfc\" and node.reaction = "
        "\"dcqcn\", for Swift "
        "\"timely\" is nearest, and for NDP and EQDS \"window\", without their trimming");
  }

  Import made() { return {text(path_), std::move(files_)}; }

 private:
  std::string text(const std::string& path) {
    const std::array<Without, 1> without = {
        {{"an output of htsim has a memory of its own; here it is that of the inputs (switch.input_memory)",
          {"tier 0 queue_up", "tier 1 queue_up", "tier 0 queue_down", "tier 1 queue_down",
           "tier 2 queue_down"}}}};
    settings_.name_others(without, spec_);
    return spec_.text(path + ", a topology of htsim");
  }

  static std::string name_of(std::int64_t tier, std::string_view name) {
    return fmt::format("tier {} {}", tier, name);
  }

  std::int64_t of_tier(std::int64_t tier, std::string_view name, std::int64_t otherwise, std::int64_t least) {
    const std::string full = name_of(tier, name);
    const std::int64_t value = settings_.whole(full, otherwise, least, 65535);
    if (value < least) settings_.wrong(full, "is missing");
    return std::max(value, std::int64_t{1});
  }

  // One value for each tier: that of tier 0 where it has none of its own.
  std::vector<std::int64_t> of_tiers(std::int64_t tiers, std::string_view name, std::int64_t least) {
    std::vector<std::int64_t> values{settings_.whole(name_of(0, name), least, least)};
    for (std::int64_t tier = 1; tier < tiers; ++tier)
      values.push_back(settings_.whole(name_of(tier, name), values.front(), least));
    return values;
  }

  // Tiers whose links differ: a file with every link. A link belongs to the tier of its upper end.
  struct Tree {
    std::vector<std::int64_t> children, parents, links;
  };
  void write_links(const Tree& tree, const std::vector<std::int64_t>& speeds,
                   const std::vector<std::int64_t>& latencies) {
    Choice<Topology> pgft = choose(topologies(), "pgft");
    assign(*pgft, Argument{"children", tree.children});
    assign(*pgft, Argument{"parents", tree.parents});
    assign(*pgft, Argument{"links", tree.links});
    if (static_cast<std::size_t>(pgft->nodes()) > NetworkDraft::kMostVertices)
      return settings_.wrong("nodes", "has too many nodes whose links differ",
                             fmt::format("at most {}", NetworkDraft::kMostVertices));
    pgft->check(mistakes_);
    if (!mistakes_.empty()) return;
    const Graph graph = pgft->build({});
    NetworkDraft draft;
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      draft.vertices.push_back({.name = fmt::format("switch{}", sw), .where = path_});
    for (NodeId node = 0; node < graph.nodes(); ++node)
      draft.vertices.push_back({.name = fmt::format("node{}", node), .where = path_, .is_host = true});
    const auto add = [&](std::size_t lower, SwitchId upper, std::size_t tier) {
      draft.links.push_back(
          {lower, upper, fmt::format("{} Gbit/s", speeds[tier]), fmt::format("{} ns", latencies[tier])});
    };
    for (NodeId node = 0; node < graph.nodes(); ++node)
      add(graph.switches() + node, graph.switch_of(graph.peer_of(graph.node_port(node))), 0);
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      const PortId peer = graph.peer_of(port);
      if (peer == kNone || graph.is_node_port(peer)) continue;
      const SwitchId lower = graph.switch_of(port), upper = graph.switch_of(peer);
      if (graph.stage_of(lower) < graph.stage_of(upper))
        add(lower, upper, static_cast<std::size_t>(graph.stage_of(upper)));
    }
    const NetworkFile network = network_text_of(draft, path_, mistakes_);
    const std::string file = request_.beside("network.toml");
    spec_.set("topology", "file", fmt::format("{} tiers, whose links differ", speeds.size()));
    spec_.set("file", file, "every link with its rate and delay");
    files_.push_back({file, network.text, path_, false});
  }

  static bool are_alike(const std::vector<std::int64_t>& values) {
    return std::ranges::all_of(values, [&](std::int64_t value) { return value == values.front(); });
  }

  // The value of all tiers.
  std::int64_t same(std::int64_t tiers, std::string_view name, std::int64_t least) {
    const std::vector<std::int64_t> values = of_tiers(tiers, name, least);
    for (std::size_t tier = 1; tier < values.size(); ++tier)
      if (values[tier] != values.front())
        settings_.wrong(name_of(static_cast<std::int64_t>(tier), name),
                        "differs from that of tier 0, which has no counterpart here",
                        "all switches have the same routing_delay");
    return values.front();
  }

  const Request& request_;
  const std::string& path_;
  Mistakes& mistakes_;
  Settings settings_;
  SpecText spec_;
  std::vector<ImportedFile> files_;
};

bool recognises_htsim(std::string_view text) {
  const std::string settings = without_comments_of_any(text);
  return has_line(settings, "Tiers") || has_line(settings, "Connections");
}

Import import_htsim(const Request& request, Mistakes& mistakes) {
  const std::vector<Source>& sources = request.sources;
  const auto topology =
      std::ranges::find_if(sources, [](const Source& source) { return !is_matrix(source); });
  const auto matrix = std::ranges::find_if(sources, is_matrix);
  if (topology == sources.end()) {
    mistakes.add({"FILE", "there is no topology", "give the .topo file first, then the connection matrix",
                  sources.front().path});
    return {};
  }
  if (sources.size() > 1 && matrix == sources.end())
    mistakes.add(
        {"MATRIX", "is no connection matrix", "it begins with Nodes and Connections", sources.back().path});
  HtsimImporter importer(request, *topology, mistakes);
  importer.network();
  importer.traffic(matrix == sources.end() ? "" : matrix->named);
  return importer.made();
}

}  // namespace

Format htsim() {
  return {"htsim", "a topology of htsim (.topo), and perhaps a connection matrix (.cm)", recognises_htsim,
          import_htsim, 2};
}

}  // namespace headway::imports
