// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/run_scope.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"
#include "headway/spec/flow_names.h"

namespace headway {

double bins_of(const EventSpec& spec) {
  if (spec.measure.until == Until::done && !spec.measure.bin)
    return spec.observe.waiting ? 2 * kBinsByDefault : 2;
  return std::ceil((longest_run(spec) / spec.measure.bin_length().ns).to_double());
}

double most_pair_rows(const EventSpec& spec, Rate fastest) {
  const Rational bin = spec.measure.bin_length().ns;
  const Framing framing = spec.traffic.framing();
  std::int64_t smallest =
      spec.traffic.traces.empty() && spec.traffic.jobs.empty() ? spec.traffic.packet.count : 1;
  for (const FlowSpec& flow : spec.traffic.flows)
    if (const SizeDistribution sizes = flow.sizes->build(smallest); !sizes.fixed())
      smallest = 1;
    else if (const std::int64_t rest = static_cast<std::int64_t>(sizes.least()) % spec.traffic.packet.count;
             rest > 0)
      smallest = std::min(smallest, rest);
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  const double packets = 1 + (bin * fastest.bytes_per_ns).to_double() /
                                 framing.frame(static_cast<std::uint32_t>(smallest));  // of a destination
  return bins_of(spec) * nodes * std::min(nodes, packets);
}

double most_pair_rows(const EventSpec& spec, const Graph& graph) {
  Rate fastest{0};
  for (const Link& link : graph.link_classes()) fastest = std::max(fastest, link.rate);
  return most_pair_rows(spec, fastest);
}

namespace {

// The maximum size of a message, in bytes.
double largest_message(const TrafficSpec& traffic) {
  double most = traffic.traces.empty() && traffic.jobs.empty() ? 1 : 1e18;
  for (const FlowSpec& flow : traffic.flows)
    most = std::max(most, static_cast<double>(flow.sizes->build(traffic.packet.count).most()));
  return most;
}

// The maximum number of rows of the table tree_series.
double most_tree_rows(const EventSpec& spec) {
  const double photographs = std::ceil((longest_run(spec) / spec.observe.interval.ns).to_double());
  return std::min(bins_of(spec), photographs) * static_cast<double>(kMostTreesOfABin);
}

}  // namespace

RunScope scope_of(const EventSpec& spec) {
  RunScope scope;
  const auto add = [&](Needs needs, bool met) {
    if (met) scope.add(needs);
  };
  const bool waits = spec.observe.waiting, is_watched = spec.measure.watch_destination.has_value();
  const bool isolates = spec.switches.scheme->isolation().has_value();
  add(Needs::saturation_search, true);
  add(Needs::cost, true);
  add(Needs::traces, !spec.traffic.traces.empty());
  add(Needs::jobs, !spec.traffic.jobs.empty());
  add(Needs::jobs_alone, !spec.traffic.jobs.empty() && spec.measure.alone);
  const bool waits_for_nodes = std::ranges::any_of(spec.traffic.jobs, &JobSpec::exclusive);
  add(Needs::exclusive_jobs, waits_for_nodes);
  add(Needs::exclusive_jobs_alone, waits_for_nodes && spec.measure.alone);
  add(Needs::finished_jobs, spec.measure.until == Until::done);
  add(Needs::critical_path, spec.measure.has("critical-path") && !spec.traffic.jobs.empty());
  add(Needs::fairness, spec.measure.has("fairness"));
  add(Needs::isolation, isolates);
  add(Needs::watched_destination, isolates && is_watched);
  add(Needs::overflow, spec.switches.scheme->overflow(1).has_value());
  add(Needs::waiting, waits);
  add(Needs::watched_waiting, waits && is_watched);
  const bool several = flow_names_in_results(spec).size() > 1;
  add(Needs::several_flows, several);
  add(Needs::node_links, spec.network.topology->links_of_nodes() > spec.network.topology->nodes() ||
                             spec.traffic.uses_switches());
  add(Needs::waiting_flows, waits && several);
  add(Needs::marking, spec.switches.marking->marks());
  const std::optional<ReactionTraits> reaction = spec.node.reaction->traits();
  const bool reacts = reaction.has_value();
  add(Needs::reaction, reacts);
  add(Needs::rates, reaction && reaction->has_rates);
  add(Needs::waiting_reaction, waits && reacts);
  add(Needs::frames, !spec.traffic.framing().is_bare());
  const bool pauses = spec.switches.flow_control->pauses().has_value();
  add(Needs::pauses, pauses);
  add(Needs::waiting_pauses, waits && pauses);
  const bool has_events = !spec.events.empty();
  add(Needs::losses, pauses || has_events);
  add(Needs::events, has_events);
  add(Needs::waiting_events, waits && has_events);
  const bool has_classes = !class_names(spec).empty();
  add(Needs::classes, has_classes);
  add(Needs::waiting_classes, waits && has_classes);
  add(Needs::messages, spec.measure.has("per-message-size") ||
                           largest_message(spec.traffic) > static_cast<double>(spec.traffic.packet.count));
  add(Needs::cut_off, spec.network.faults.unreachable == Unreachable::reported);
  for (const std::string& table : spec.measure.tables) scope.ask(table);
  return scope;
}

TableBounds table_bounds(const EventSpec& spec, double links, double pair_rows) {
  double ranks = 0, iterations = 0;
  for (const JobSpec& job : spec.traffic.jobs) {
    const auto nodes = static_cast<double>(spec.network.topology->nodes() * job.ranks_per_node);
    ranks += job.ranks ? static_cast<double>(*job.ranks) : nodes;
    iterations +=
        std::min(static_cast<double>(job.iterations), static_cast<double>(JobRecord::kMostIterationsKept));
  }
  // an aggregator has at most a link for each port of its switch
  const std::int64_t of_aggregators =
      spec.traffic.uses_switches() ? spec.network.topology->switch_ports() : 0;
  return {.nodes = static_cast<double>(spec.network.topology->nodes()),
          .node_links = static_cast<double>(spec.network.topology->links_of_nodes() + of_aggregators),
          .links = links,
          .lanes = links * static_cast<double>(spec.switches.lanes),
          .switch_ports = static_cast<double>(spec.network.topology->switch_ports()),
          .flows = static_cast<double>(flow_names_in_results(spec).size()),
          .classes = static_cast<double>(class_names(spec).size()),
          .ranks = ranks,
          .iterations = iterations,
          .slowest_messages = static_cast<double>(spec.measure.slowest_messages),
          .size_classes = 1 + std::ceil(std::log2(largest_message(spec.traffic))),
          .bins = bins_of(spec),
          .pair_rows = pair_rows,
          .tree_rows = spec.observe.waiting ? most_tree_rows(spec) : 0,
          .rate_rows = bins_of(spec) * static_cast<double>(kMostRatesOfABin)};
}

double most_numbers(const RunScope& scope, const TableBounds& most) {
  const auto met = [&](std::span<const Metric> metrics, std::string_view table) {
    return static_cast<double>(std::ranges::count_if(
        metrics, [&](const Metric& metric) { return metric.table == table && scope.meets(metric.needs); }));
  };
  double numbers = met(all_metrics(), "");
  for (const TableKind& table : result_tables())
    if (table.is_made(scope)) numbers += table.most_cells(most, met(table.columns, table.name));
  return numbers;
}

}  // namespace headway
