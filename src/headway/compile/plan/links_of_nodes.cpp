// SPDX-License-Identifier: Apache-2.0
// Nodes with several links (docs/modelling.md): what cannot be used with them, and whether the traffic of a
// spec has a way.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "headway/compile/hosts.h"
#include "headway/compile/plan/parts.h"

namespace headway {
namespace {

void refuse(std::string key, std::string_view what, std::string_view where, Mistakes& mistakes) {
  mistakes.add(std::move(key), fmt::format("{} cannot be used {}", what, where), "omit it");
}

class Check {
 public:
  Check(const EventSpec& spec, const Plan& plan, Mistakes& mistakes)
      : spec_(spec), plan_(plan), hosts_(plan.graph->hosts()), mistakes_(mistakes) {}

  void run() {
    constexpr std::string_view kWhere = "where nodes have several links";
    refuse_what_needs_one_link(spec_, kWhere, mistakes_);
    if (!files_of(spec_.routing.algorithm).empty())
      refuse("routing.algorithm", "a table of routes", kWhere, mistakes_);
    if (!reach_all(hosts_)) check_flows(), check_traces();
  }

 private:
  void check_flows() {
    const NodeSpace space = NodeSpace::of(*spec_.network.topology);
    for (std::size_t f = 0; f < plan_.senders->size(); ++f) {
      if (spec_.traffic.flows[f].absent) continue;
      const auto pattern = spec_.traffic.flows[f].pattern->build(space, spec_.seed);
      std::optional<NodeId> unreached;
      for (const NodeId source : (*plan_.senders)[f]) {
        pattern->shares(source, [&](NodeId destination, double share) {
          if (share > 0 && !unreached && hosts_.ways(hosts_.home(source), hosts_.home(destination)) == 0)
            unreached = destination;
        });
        if (!unreached) continue;
        mistakes_.add(
            fmt::format("traffic.flow[{}].pattern", f),
            fmt::format("node {} sends to node {}, and no links of theirs are joined", source, *unreached),
            "join the networks of links, or choose other sources");
        break;
      }
    }
  }

  void check_traces() {
    for (std::size_t t = 0; t < spec_.traffic.traces.size(); ++t)
      mistakes_.add(fmt::format("traffic.trace[{}]", t),
                    "the links of some nodes are not joined, and a trace can have messages between them",
                    "join the networks of links");
  }

  const EventSpec& spec_;
  const Plan& plan_;
  const Hosts& hosts_;
  Mistakes& mistakes_;
};

}  // namespace

void refuse_what_needs_one_link(const EventSpec& spec, std::string_view where, Mistakes& mistakes) {
  if (spec.network.faults.unreachable == Unreachable::reported)
    refuse("network.failures.unreachable", "\"reported\"", where, mistakes);
  if (spec.measure.watch_destination)
    refuse("measure.watch_destination", "a watched destination", where, mistakes);
  for (const char* const table : {"fairness", "per-pair", "pair-series", "destination-series"})
    if (spec.measure.has(table)) refuse("measure.tables", fmt::format("\"{}\"", table), where, mistakes);
  if (spec.switches.service_levels.named())
    refuse("switch.service_levels_file", "a table of service levels", where, mistakes);
  if (spec.switches.lane_table.named()) refuse("switch.lane_table_file", "a table of lanes", where, mistakes);
  if (!files_of(spec.switches.scheme).empty()) refuse("switch.scheme", "a table of queues", where, mistakes);
}

void check_links_of_nodes(const EventSpec& spec, const Plan& plan, Mistakes& mistakes) {
  if (plan.graph && !plan.graph->hosts().none()) Check(spec, plan, mistakes).run();
}

}  // namespace headway
