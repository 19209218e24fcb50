// SPDX-License-Identifier: Apache-2.0
#include "headway/view/stored_run.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "headway/base/input_file.h"
#include "headway/base/plural.h"
#include "headway/base/visible.h"
#include "headway/compile/load.h"
#include "headway/compile/plan.h"
#include "headway/config/toml.h"
#include "headway/observe/snapshots.h"
#include "headway/run/results_dir.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHowToKeep =
    "simulate again with --set observe.waiting=true --set observe.keep=true --out";

std::string shown_name(const fs::path& directory) { return visible(directory.string()); }

std::string read_snapshots(const fs::path& directory, std::size_t point) {
  const auto file = snapshots_of(directory, point);
  if (!file)
    throw NoResult(fmt::format("{} has no snapshots of point {}; {} {}", shown_name(directory), point + 1,
                               kHowToKeep, shown_name(directory)));
  return read_text(*file);
}

EventSpec spec_of(const fs::path& directory, std::size_t point, std::size_t points) {
  const Experiment experiment =
      check_experiment(read_toml(directory / "spec.toml"), {}, {.purpose = Purpose::read});
  if (point >= experiment.points.size())
    throw NoResult(fmt::format("{} is damaged: its spec.toml has {} points and its results.json has {}",
                               shown_name(directory), experiment.points.size(), points));
  const Spec spec = experiment.points[point].spec();
  const auto* event = std::get_if<EventSpec>(&spec);
  if (event == nullptr)
    throw NoResult(
        fmt::format("{} is of a {} network, which has no snapshots", shown_name(directory), kernel_of(spec)));
  return *event;
}

bool same_wiring(const Graph& a, const Graph& b) {
  if (a.nodes() != b.nodes() || a.switches() != b.switches() || a.ports() != b.ports()) return false;
  for (SwitchId sw = 0; sw < a.switches(); ++sw)
    if (a.radix(sw) != b.radix(sw)) return false;
  for (PortId port = 0; port < a.ports(); ++port)
    if (a.peer_of(port) != b.peer_of(port)) return false;
  return true;
}

// The keys in which the networks of two resolved specs differ.
std::string difference(const Document& a, const Document& b) {
  const auto network_of = [](const Document& spec) {
    const Document* network = spec.member("network");
    return network == nullptr ? Document() : *network;
  };
  const Document in_a = network_of(a), in_b = network_of(b);
  std::string text;
  for (const std::string& key : differing_keys(in_a, in_b)) {
    const auto value = [&](const Document& of) {
      const Document* found = of.find(key);
      return found == nullptr ? std::string("not given") : to_text(*found);
    };
    text += fmt::format("{}network.{}: {} and {}", text.empty() ? "" : ", ", key, value(in_a), value(in_b));
  }
  return text.empty() ? "their files describe other links" : text;
}

void check_same_network(const StoredRun& a, const StoredRun& b) {
  if (same_wiring(*a.graph, *b.graph)) return;
  throw NoResult(fmt::format("{} and {} are of different networks ({}); one page shows runs of one network",
                             visible(a.viewed.name), visible(b.viewed.name),
                             difference(a.viewed.spec, b.viewed.spec)));
}

}  // namespace

StoredRun stored_run(const fs::path& directory, std::size_t point) {
  std::vector<PointResult> points = results_in(directory);
  if (point >= points.size())
    throw NoResult(fmt::format("{} has {}, so there is no point {}", shown_name(directory),
                               plural(points.size(), "point"), point + 1));
  std::string snapshots = read_snapshots(directory, point);
  const EventSpec spec = spec_of(directory, point, points.size());
  Document written = resolved(spec);
  const Plan plan = plan_of(spec);
  return {.viewed = {.name = directory.lexically_normal().string(),
                     .point = point,
                     .spec = std::move(written),
                     .result = std::move(points[point]),
                     .pooled = plan.options.is_pooled(),
                     .lanes = plan.options.lanes,
                     .snapshots = std::move(snapshots)},
          .graph = plan.graph,
          .points = points.size()};
}

std::string view_page(std::vector<StoredRun> runs) {
  if (runs.empty()) throw NoResult("a page needs a run");
  for (const StoredRun& run : runs) check_same_network(runs.front(), run);
  std::vector<ViewedRun> viewed;
  for (StoredRun& run : runs) viewed.push_back(std::move(run.viewed));
  try {
    return view_page(*runs.front().graph, viewed);
  } catch (const BadSnapshots& problem) {
    throw NoResult(
        fmt::format("cannot read the snapshots: {}; {} of the directory", problem.what(), kHowToKeep));
  }
}

}  // namespace headway
