// SPDX-License-Identifier: Apache-2.0
// Plans a spec part by part: first ranges, then the topology, then what depends on them, up to the memory
// that the network needs.
#include "headway/compile/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "headway/compile/machine.h"
#include "headway/compile/plan/jobs.h"
#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"
#include "headway/config/parameter_values.h"
#include "headway/config/parameters.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/spec_fields.h"
#include "headway/spec/what_if.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// Reports fields out of their range. Only a program can set such a value; a spec file is checked when it is
// read.
class Ranges final : public PathVisitor<Ranges> {
 public:
  explicit Ranges(Mistakes& mistakes) : mistakes_(mistakes) {}

  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    if (!in_range(parameter, value))
      mistakes_.add(path(parameter), "is out of range", range_text(parameter, type_words<V>().base));
  }
  template <class V>
  void visit(const Parameter& parameter, const std::optional<V>& value) {
    if (value) visit(parameter, *value);
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    for (const LoadSpec::Point& point : points) visit(parameter, point.load);
    const auto early = [](const auto& a, const auto& b) { return b.at <= a.at; };
    if (points.empty() || points.front().at < Duration{0} ||
        std::ranges::adjacent_find(points, early) != points.end())
      mistakes_.add(path(parameter), "needs times of at least 0, in ascending order");
  }

 private:
  Mistakes& mistakes_;
};

void check_ranges(const EventSpec& spec, Mistakes& mistakes) {
  Spec copy = spec;  // a description needs a mutable spec
  Ranges ranges(mistakes);
  describe(copy, ranges);
}

class Planner {
 public:
  Planner(const EventSpec& spec, const Document& written, const Planning& planning, Plan& plan)
      : from_{spec, written, planning}, spec_(spec), plan_(plan) {}

  void run() {
    if (!is_read({"kernel", "network", "what_if"})) return;  // everything needs the topology
    check_ranges(spec_, plan_.mistakes);
    if (is_read({"traffic"})) check_flow_names(spec_, plan_.mistakes);
    if (is_read({"traffic"})) check_frames(spec_.traffic, plan_.mistakes);
    if (is_read({"traffic"})) check_what_if(spec_, plan_.mistakes);
    if (is_read({"class", "switch", "traffic"})) check_classes(spec_, plan_.mistakes);
    if (!good()) return;
    plan_classes(spec_, plan_);
    plan_network(from_, plan_);
    if (!good()) return;
    if (is_read({"traffic", "measure", "observe", "node", "seed"})) plan_traffic(from_, plan_);
    if (!fits_memory(plan_.need.network, "the network")) return;
    if (good()) check_links_of_nodes(spec_, plan_, plan_.mistakes);
    if (plan_.graph && is_read({"routing", "switch", "class", "traffic", "node", "seed"}, kOfTraffic))
      plan_switches();
  }

 private:
  bool good() const { return plan_.mistakes.empty(); }

  // What says where messages go and how many there are, which no switch depends on.
  static constexpr std::string_view kOfTraffic[] = {"load", "pattern", "arrivals"};

  // Returns true if all given keys of these tables could be read, except those with these names.
  bool is_read(std::initializer_list<std::string_view> tables,
               std::span<const std::string_view> others = {}) const {
    return std::ranges::none_of(from_.planning.unread, [&](const Mistake& mistake) {
      const std::string_view key = mistake.key;
      const std::string_view table = key.substr(0, key.find_first_of(".["));
      const std::string_view name = key.substr(key.rfind('.') + 1);
      return std::ranges::find(tables, table) != tables.end() &&
             std::ranges::find(others, name) == others.end();
    });
  }

  void plan_switches() {
    Mistakes& mistakes = plan_.mistakes;
    plan_jobs(from_, plan_);  // before the routes, which mistakes of jobs make needless
    const bool has_routes = plan_routes(from_, plan_);
    plan_aggregators(from_, has_routes, plan_);
    const Graph& graph = *plan_.graph;
    if (!plan_queues(spec_, plan_)) return;
    const bool is_measured = is_read({"measure", "observe"});
    Mistakes of_times;
    const std::optional<Duration> tick = tick_of(spec_, graph.link_classes(), of_times);
    if (is_measured) mistakes.add_all(of_times.list());
    if (has_routes && tick) check_jobs(spec_, plan_.jobs, graph, plan_.routes.table, *tick, mistakes);
    plan_options(spec_, tick.value_or(Duration{1}), plan_);
    if (has_routes && tick && is_read({"event"}) && is_measured) plan_events(from_, *tick, plan_);
    if (spec_.routing.algorithm->adaptive() && has_routes) plan_selection(from_, plan_);
    check_options(spec_, plan_);
    check_queues(spec_, mistakes);
    if (!is_measured || !is_read({"traffic"})) return;
    if (has_routes) check_fairness(spec_, plan_.routes, plan_.nodes, mistakes);
    check_pair_rows(spec_, graph, mistakes);
    if (!has_routes || !tick || !good()) return;
    std::shared_ptr<const std::vector<std::uint32_t>> inputs;
    const auto reachable = [&]() -> const auto& {
      inputs = shared_reachable_inputs(from_, plan_);
      return *inputs;
    };
    plan_.need = memory_need({spec_, plan_, reachable});
    if (from_.planning.purpose == Purpose::simulate)
      fits_memory(plan_.need.start,
                  fmt::format("this network with scheme \"{}\"", spec_.switches.scheme.name));
  }

  bool fits_memory(std::uint64_t needed, const std::string& what) {
    if (needed <= machine_memory()) return true;
    plan_.mistakes.add("network.topology",
                       fmt::format("{} needs about {} of memory", what, memory_text(needed)),
                       fmt::format("this machine has {}", memory_text(machine_memory())));
    return false;
  }

  PlanSource from_;
  const EventSpec& spec_;
  Plan& plan_;
};

// Adds that numbers cannot express what `make_parts` computes.
template <class MakeParts>
void within_numbers(Mistakes& mistakes, MakeParts&& make_parts) {
  try {
    make_parts();
  } catch (const std::overflow_error&) {
    mistakes.add("", "the quantities of this spec differ too much in magnitude for exact computation",
                 "the longest and the shortest duration can differ by a factor of at most 2^62");
  }
}

}  // namespace

Plan plan(const EventSpec& spec, const Document& written, const Planning& planning) {
  Plan plan;
  const EventSpec simulated = with_changes(spec);
  within_numbers(plan.mistakes, [&] { Planner(simulated, written, planning, plan).run(); });
  return plan;
}

Plan plan(const Spec& spec, const Document& written, const Planning& planning) {
  if (const auto* event = std::get_if<EventSpec>(&spec)) return plan(*event, written, planning);
  Plan plan;
  if (planning.unread.empty())
    within_numbers(plan.mistakes, [&] { other_kernel(spec)->check(plan.mistakes); });
  return plan;
}

static Plan plan_to_read(const EventSpec& spec, bool network_alone) {
  Memo memo;
  Plan plan = headway::plan(spec, resolved(spec),
                            {.memo = memo, .purpose = Purpose::read, .network_alone = network_alone});
  plan.mistakes.throw_if_any();
  return plan;
}

Plan plan_of(const EventSpec& spec) { return plan_to_read(spec, /*network_alone=*/false); }
Plan plan_of_network_alone(const EventSpec& spec) { return plan_to_read(spec, /*network_alone=*/true); }

}  // namespace headway
