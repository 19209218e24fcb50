// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headway/analysis/packet_routes.h"
#include "headway/compile/plan/parts.h"
#include "headway/config/limits.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

struct BuiltRoutes {
  Routes routes;
  std::shared_ptr<const Bottlenecks> bottlenecks = std::make_shared<const Bottlenecks>();
  std::uint64_t bytes() const { return routes.bytes(); }
};

struct ReachableInputs {
  std::vector<std::uint32_t> count;  // [port]
  std::uint64_t bytes() const { return count.size() * sizeof(std::uint32_t); }
};

// What determines the routes and their lanes, without the selection function.
std::string routes_key(const PlanSource& from) {
  const EventSpec& spec = from.spec;
  Choice<Routing> algorithm = spec.routing.algorithm;
  std::string text =
      fmt::format("{}\n{} {}", from.network, algorithm.name,
                  to_text(written_by([&](SpecFields& fields) { algorithm->describe(fields); })));
  for (const char* key : {"switch.lanes", "switch.service_levels_file", "switch.lane_table_file"})
    text += ' ' + text_of(from.written, key);
  std::vector<FileKey> tables;
  for (const InputFile& file : {spec.switches.service_levels, spec.switches.lane_table})
    if (file.named()) tables.push_back({"", file});
  return text + fmt::format(" {} {}", fmt::join(named_service_levels(spec), ","), contents_of(tables));
}

// Choice: any routing makes routes of this size in a small part of a second.
bool are_quick(const Graph& graph) {
  constexpr std::uint64_t kMost = 1 << 17;  // switches times destinations
  return std::uint64_t{graph.switches()} * graph.nodes() <= kMost;
}

// Reports what is wrong without routes.
void check_routes(const PlanSource& from, Plan& plan) {
  service_levels_of(from.spec, *plan.graph, plan.mistakes);
  try {
    from.spec.routing.algorithm->check(*plan.graph);
  } catch (const SpecError& error) {
    plan.mistakes.add_all(error.mistakes());
  }
}

}  // namespace

bool plan_routes(PlanSource& from, Plan& plan) {
  const Planning& planning = from.planning;
  if ((planning.has_mistakes || !planning.unread.empty() || !plan.mistakes.empty()) &&
      !are_quick(*plan.graph)) {
    check_routes(from, plan);
    return false;
  }
  from.routes = routes_key(from);
  const auto part = shared_part<BuiltRoutes>(from.planning.memo, from.routes, [&](Mistakes& mistakes) {
    BuiltRoutes built;
    const ServiceLevels services = service_levels_of(from.spec, *plan.graph, mistakes);
    if (!mistakes.empty()) return built;
    built.routes = with_service_levels(
        from.spec.routing.algorithm->build(*plan.graph, from.spec.network.faults.unreachable), *plan.graph,
        services);
    return built;
  });
  plan.mistakes.add_all(part->wrong);
  plan.routes = part->value.routes;
  plan.routes.table.follow_seed(from.spec.seed);
  plan.bottlenecks = part->value.bottlenecks;
  return part->wrong.empty();
}

void plan_selection(const PlanSource& from, Plan& plan) {
  const RoutingSpec& routing = from.spec.routing;
  const auto at_arrival = routing.algorithm->at_arrival();
  const std::string key = from.network + '\n' + text_of(from.written, "routing");
  const auto part = shared_part<SelectionRule>(from.planning.memo, key, [&](Mistakes&) {
    SelectionRule rule = at_arrival ? routing.selection->build_for_arrivals(*plan.graph)
                                    : routing.selection->build(*plan.graph);
    rule.free = routing.free_output;
    rule.none_free = routing.none_free;
    rule.cp_counts = routing.cp_counts;
    return rule;
  });
  plan.mistakes.add_all(part->wrong);
  if (!at_arrival) {
    plan.options.selection = part->value;
    return;
  }
  const std::int64_t credit = plan.options.bytes_of_credit();
  const auto credits = [&](const Bytes& bytes) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(bytes.count / credit, UINT32_MAX));
  };
  plan.options.arrival_choice =
      ArrivalChoice{part->value, credits(at_arrival->free_load),
                    std::max(1U, credits(at_arrival->step.value_or(from.spec.traffic.frame())))};
}

// The fair share needs the links of every pair.
void check_fairness(const EventSpec& spec, const Routes& routes, std::uint32_t nodes, Mistakes& mistakes) {
  if (!spec.measure.has("fairness")) return;
  const std::string_view algorithm = spec.routing.algorithm.name;
  const RouteKnowledge known = knowledge_of(routes, spec.routing.algorithm->adaptive());
  if (known == RouteKnowledge::only_bounds)
    mistakes.add("measure.tables",
                 fmt::format("\"fairness\" needs routes that are known before the run; with \"{}\", "
                             "packets choose them by the state of the network",
                             algorithm),
                 "omit it");
  if (known == RouteKnowledge::by_waypoint && nodes > limits::kFairNodesOfWaypoints)
    mistakes.add("measure.tables",
                 fmt::format("\"fairness\" needs the links of all pairs, and with \"{}\" every pair crosses "
                             "most links; at most {} nodes",
                             algorithm, limits::kFairNodesOfWaypoints),
                 "omit it");
}

std::shared_ptr<const std::vector<std::uint32_t>> shared_reachable_inputs(const PlanSource& from,
                                                                          const Plan& plan) {
  auto inputs = from.planning.memo.get<ReachableInputs>(
      from.routes, [&] { return ReachableInputs{reachable_inputs(*plan.graph, plan.routes.table)}; });
  return {inputs, &inputs->count};
}

}  // namespace headway
