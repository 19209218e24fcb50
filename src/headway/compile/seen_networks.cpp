// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/seen_networks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "headway/compile/memory.h"
#include "headway/compile/network_plan.h"
#include "headway/compile/service_plan.h"
#include "headway/config/parameter_visitor.h"
#include "headway/spec/spec_files.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

constexpr std::size_t kMostSources = 1000;  // per network, for different seeds

std::string text_of(const Document& written, std::string_view path) {
  const Document* found = written.find(path);
  return found == nullptr ? "" : to_text(*found);
}

// The content of files. A file can have changed since another spec named it.
std::string contents_of(const std::vector<InputFile>& files) {
  std::string text;
  Mistakes none;  // a reader of the file reports that it cannot be read
  for (const InputFile& file : files)
    text += file.text("", none) == nullptr ? " unreadable" : fmt::format(" {:016x}", file.hash());
  return text;
}

std::string network_key(const EventSpec& spec, const Document& written) {
  return text_of(written, "network") + contents_of(network_files_of(spec));
}

// The keys that determine the routes and their lanes, without the selection function.
class RoutesKey final : public ParameterVisitor<RoutesKey> {
 public:
  RoutesKey(const EventSpec& spec, const Document& written)
      : written_(written), text_(text_of(written, "routing.algorithm")) {
    Choice<Routing> algorithm = spec.routing.algorithm;
    algorithm->describe(*this);
    std::vector<InputFile> tables;
    for (const InputFile& file : {spec.switches.service_levels, spec.switches.lane_table})
      if (file.named()) tables.push_back(file);
    for (const char* key : {"switch.lanes", "switch.service_levels_file", "switch.lane_table_file"})
      text_ += ' ' + text_of(written, key);
    text_ += fmt::format(" {} {}", fmt::join(named_service_levels(spec.traffic), ","), contents_of(tables));
  }
  template <class V>
  void visit(const Parameter& parameter, V&) {
    text_ += ' ' + text_of(written_, "routing." + std::string(parameter.name));
  }
  const std::string& text() const { return text_; }

 private:
  const Document& written_;
  std::string text_;
};

}  // namespace

std::shared_ptr<SeenNetwork> SeenNetworks::network(const EventSpec& spec, const Document& written) {
  std::shared_ptr<SeenNetwork> seen = networks_.get(network_key(spec, written));
  const std::scoped_lock lock(seen->mutex_);
  if (seen->filled_) return seen;
  const Topology& topology = *spec.network.topology;
  Mistakes mistakes;
  topology.check(mistakes);
  seen->wrong = mistakes.list();
  if (seen->wrong.empty()) {
    seen->nodes = static_cast<std::uint32_t>(topology.nodes());
    seen->memory = network_memory(topology);
    if (seen->memory <= machine_memory()) build(spec.network, *seen);
  }
  seen->filled_ = true;
  return seen;
}

void SeenNetworks::build(const NetworkSpec& spec, SeenNetwork& network) {
  const std::uint64_t bytes = graph_memory(*spec.topology);
  if (!may_build(bytes)) {
    left_out_ = true;
    return;
  }
  network.bytes_ = bytes;
  Graph graph = spec.topology->build(spec.link);
  ++graphs_built_;
  try {
    apply(spec.faults, graph);
    network.graph = std::make_shared<const Graph>(std::move(graph));
  } catch (const SpecError& error) {
    network.wrong = error.mistakes();
  }
}

bool SeenNetworks::may_build(std::uint64_t bytes) {
  std::uint64_t left = to_build_;
  while (bytes <= left)
    if (to_build_.compare_exchange_weak(left, left - bytes)) return true;
  return false;
}

std::shared_ptr<SeenRoutes> SeenNetworks::routes(const SeenNetwork& network, const EventSpec& spec,
                                                 const Document& written) {
  std::shared_ptr<SeenRoutes> seen =
      routes_.get(network_key(spec, written) + '\n' + RoutesKey(spec, written).text());
  const std::scoped_lock lock(seen->mutex_);
  if (seen->filled_) return seen;
  try {
    Mistakes mistakes;
    const ServiceLevels services = service_levels_of(spec, *network.graph, mistakes);
    mistakes.throw_if_any();
    seen->routes =
        with_service_levels(spec.routing.algorithm->build(*network.graph, spec.network.faults.unreachable),
                            *network.graph, services);
    seen->bytes_ = seen->routes->bytes();
    ++routes_built_;
  } catch (const SpecError& error) {
    seen->wrong = error.mistakes();
  }
  seen->filled_ = true;
  return seen;
}

const std::vector<std::uint32_t>& SeenRoutes::reachable(const Graph& graph) {
  const std::scoped_lock lock(mutex_);
  if (reachable_.empty()) {
    reachable_ = reachable_inputs(graph, routes->table);
    bytes_ += reachable_.size() * sizeof(std::uint32_t);
  }
  return reachable_;
}

SeenSources SeenNetwork::sources(const EventSpec& spec, const Document& written) {
  std::vector<FlowSources> wanted;
  std::string key = std::to_string(spec.seed);
  for (std::size_t f = 0; f < spec.traffic.flows.size(); ++f) {
    wanted.push_back({spec.traffic.flows[f].sources, fmt::format("traffic.flow[{}].sources", f)});
    key += ' ' + text_of(written, wanted.back().key);
  }
  const std::scoped_lock lock(mutex_);
  if (sources_.size() >= kMostSources) sources_.clear();
  const auto [found, fresh] = sources_.try_emplace(std::move(key));
  SeenSources& seen = found->second;
  if (fresh) {
    Mistakes mistakes;
    for (const auto& of_flow : choose_sources(wanted, nodes, spec.seed, mistakes))
      seen.count.push_back(of_flow.size());
    seen.wrong = mistakes.list();
  }
  return seen;
}

SeenSelection SeenNetwork::selection(const EventSpec& spec, const Document& written) {
  const std::scoped_lock lock(mutex_);
  const auto [found, fresh] = selections_.try_emplace(text_of(written, "routing"));
  SeenSelection& seen = found->second;
  if (!fresh) return seen;
  try {
    seen.rule = selection_of(spec.routing, *graph);
    bytes_ += seen.rule.bytes();
  } catch (const SpecError& error) {
    seen.wrong = error.mistakes();
  }
  return seen;
}

}  // namespace headway
