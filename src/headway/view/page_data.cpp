// SPDX-License-Identifier: Apache-2.0
#include "headway/view/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "headway/base/version.h"
#include "headway/io/document_json.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"
#include "headway/queueing/scheme.h"
#include "headway/view/layout.h"
#include "headway/view/page_tables.h"

namespace headway {
namespace {

// Tables have a row for everything that was observed; a page has the most important rows.
constexpr std::size_t kMostTrees = 2000;
constexpr std::size_t kMostRoots = 400;
constexpr std::size_t kMostCulprits = 6;  // of a root
constexpr std::size_t kMostLinks = 200'000;

Json places(const std::vector<Place>& all) {
  return {{"x", list_of(all, &Place::x)}, {"y", list_of(all, &Place::y)}};
}

Json layout_data(const NetworkLayout& layout) {
  const auto of_boxes = [&](auto value) { return list_of(layout.switches, value); };
  return {{"switches", Json{{"x", of_boxes([](const Box& box) { return box.centre.x; })},
                            {"y", of_boxes([](const Box& box) { return box.centre.y; })},
                            {"width", of_boxes(&Box::width)},
                            {"height", of_boxes(&Box::height)}}},
          {"nodes", places(layout.nodes)},
          {"sinks", layout.sinks.empty() ? Json(nullptr) : places(layout.sinks)},
          {"sides", layout.sides},
          {"longest", layout.longest},
          {"arc", layout.arc},
          {"stretch", name_of(layout.stretch)},
          {"names", list_of(layout.names, [](const PlaceName& name) {
             return Json{{"text", name.text}, {"x", name.at.x}, {"y", name.at.y}};
           })}};
}

double known(double weight) { return std::isnan(weight) ? 0 : weight; }

using RootKey = std::pair<std::string_view, double>;

// The culprits of these roots with the most packets, at most kMostCulprits per root.
std::vector<std::size_t> culprits_of(const std::vector<CulpritRow>& culprits,
                                     const std::set<RootKey>& roots) {
  std::map<RootKey, std::vector<std::size_t>> rows;
  for (std::size_t row = 0; row < culprits.size(); ++row)
    if (const RootKey root{culprits[row].kind, known(culprits[row].port)}; roots.contains(root))
      rows[root].push_back(row);
  std::vector<std::size_t> kept;
  for (auto& [root, of_root] : rows) {
    std::ranges::stable_sort(of_root, std::greater{},
                             [&](std::size_t row) { return known(culprits[row].packets); });
    of_root.resize(std::min(of_root.size(), kMostCulprits));
    kept.insert(kept.end(), of_root.begin(), of_root.end());
  }
  return kept;
}

// Listed rows of the run with this seed, which the snapshots are of. A run alone has no other rows.
Table rows_of_seed(const Table& table, std::uint64_t seed) {
  const Column* const seeds = find_column(table, kSeed);
  if (seeds == nullptr) return table;
  Table kept;
  for (const Column& column : table) {
    if (column.name == kSeed) continue;
    Column& of_seed = kept.emplace_back(Column{column.name});
    for (std::size_t row = 0; row < seeds->values.size(); ++row) {
      if (seeds->values[row] != static_cast<double>(seed)) continue;
      if (column.words.empty())
        of_seed.values.push_back(column.values[row]);
      else
        of_seed.words.push_back(column.words[row]);
    }
  }
  return kept;
}

void add_waiting(Json& json, const Result& result, std::uint64_t seed) {
  const Table tree_table = rows_of_seed(table_in<TreeRow>(result), seed);
  const std::vector<TreeRow> trees = rows_in<TreeRow>(tree_table);
  const std::vector<RootRow> roots = rows_in<RootRow>(result);
  const std::vector<std::size_t> kept_trees = largest(trees.size(), kMostTrees, [&](std::size_t row) {
    return known(trees[row].packets) * known(trees[row].photographs);
  });
  const std::vector<std::size_t> kept_roots = largest(roots.size(), kMostRoots, [&](std::size_t row) {
    return known(roots[row].packets) + known(roots[row].admittance_packets);
  });
  std::set<RootKey> keys;
  for (const std::size_t row : kept_roots) keys.insert({roots[row].kind, known(roots[row].port)});
  json["trees"] = table_data(tree_table, kept_trees);
  json["trees_left_out"] = trees.size() - kept_trees.size();
  json["roots"] = table_data(table_in<RootRow>(result), kept_roots);
  json["culprits"] = table_data(table_in<CulpritRow>(result), culprits_of(rows_in<CulpritRow>(result), keys));
}

// The series of the run, and those of each flow under names such as "storage.accepted_load".
Json series_of(const Result& result) {
  Json json = table_data(table_in<BinRow>(result));
  const Table& flows = result.table("flow_series");
  std::map<std::string, std::vector<std::size_t>> rows_of_flow;
  for (const Column& column : flows)  // the only names are those of flows
    for (std::size_t row = 0; row < column.words.size(); ++row)
      rows_of_flow[column.words[row]].push_back(row);
  for (const auto& [flow, rows] : rows_of_flow)
    for (const Column& column : flows) {
      if (column.name == metrics::time_ns || !column.words.empty()) continue;
      json.append(metric_of_row(flow, column.name),
                  list_of(rows, [&](std::size_t row) { return column.values[row]; }));
    }
  return json;
}

// The help text of the run's queueing scheme.
std::string scheme_help(const Document& spec) {
  const Document* name = spec.find("switch.scheme");
  const auto* text = name == nullptr ? nullptr : name->get<std::string>();
  const Entry<Scheme>* scheme = text == nullptr ? nullptr : find(schemes(), *text);
  return scheme == nullptr ? "" : std::string(scheme->help);
}

}  // namespace

Json network_data(const Graph& graph) {
  Json radix = Json::array(), peers = Json::array(), rates = Json::array();
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix.push_back(graph.radix(sw));
  for (PortId port = 0; port < graph.ports(); ++port) {
    const PortId peer = graph.peer_of(port);
    peers.push_back(peer == kNone ? -1 : static_cast<std::int64_t>(peer));
    rates.push_back(peer == kNone ? 0 : graph.link(port).rate.bytes_per_ns.to_double());
  }
  std::vector<std::string> switch_names, node_names;
  if (const auto* irregular = std::get_if<IrregularShape>(&graph.shape())) {
    switch_names = irregular->switch_names;
    node_names = irregular->node_names;
  }
  for (NodeId node = 0; graph.nodes_and_aggregators() > graph.nodes_of_spec() && node < graph.nodes();
       ++node) {
    const NodeId host = graph.node_of_spec(node), nodes = graph.nodes_of_spec();
    if (host >= nodes)
      node_names.push_back(
          fmt::format("{} (aggregator of switch {})", host, graph.switch_name(host - nodes)));
    else if (node_names.size() <= node)
      node_names.push_back(std::to_string(node));
  }
  return {{"format", 1},
          {"kind", kind_of(graph.shape())},
          {"nodes", graph.nodes()},
          {"nodes_of_spec", graph.nodes_of_spec()},
          {"radix", std::move(radix)},
          {"peers", std::move(peers)},
          {"bytes_per_ns", std::move(rates)},
          {"switch_names", switch_names},
          {"node_names", node_names},
          {"layout", layout_data(layout_of(graph))}};
}

Json metric_data() {
  Json json = Json::object();
  const auto add = [&](std::string_view table, const Metric& metric) {
    json[table][metric.name] = Json{{"unit", metric.unit}, {"help", metric.help}};
  };
  for (const Metric& metric : all_metrics()) add(metric.table, metric);
  for (const Metric& metric : snapshot_metrics()) add(metric.table, metric);
  return json;
}

Json run_data(const ViewedRun& run, std::size_t every) {
  const Result& result = run.result.result;
  Json json = {{"headway", version()},
               {"name", run.name},
               {"point", run.point + 1},
               {"seed", run.result.seed},
               {"seeds", std::max<std::size_t>(run.result.runs.size(), 1)},
               {"status", name_of(result.status)},
               {"detail", result.detail},
               {"spec", json_of(run.spec)},
               {"scheme_help", scheme_help(run.spec)},
               {"pooled", run.pooled},
               {"lanes", run.lanes},
               {"every", every}};
  json["metrics"] = Json::object();
  for (const auto& [name, value] : result.metrics) json["metrics"].append(name, value);
  json["series"] = series_of(result);
  json["per_destination"] = table_data(table_in<DestinationRow>(result));
  json["per_flow"] = table_data(table_in<FlowRow>(result));
  json["per_link"] = Json::object();
  if (rows_of(table_in<LinkRow>(result)) <= kMostLinks)
    json["per_link"] = table_data(table_in<LinkRow>(result));
  if (const Table& changes = result.table("network_changes"); !changes.empty())
    json["changes"] = table_data(changes);
  add_waiting(json, result, run.result.seed);
  add_jobs(json, run.result);
  add_remedies(json, result);
  return json;
}

}  // namespace headway
