// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/seen_networks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "headway/compile/memory.h"
#include "headway/compile/network_parts.h"
#include "headway/spec/spec_files.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

constexpr std::size_t kMostSources = 1000;  // per network, for different seeds

std::string text_of(const Document& written, std::string_view path) {
  const Document* found = written.find(path);
  return found == nullptr ? "" : to_text(*found);
}

// The files that parameters name. The arguments are copies, because describe needs mutable objects.
template <class T>
std::vector<FileKey> files_of(Choice<T> choice) {
  return file_keys_of([&](SpecFields& fields) { choice->describe(fields); });
}
std::vector<FileKey> files_of_program(JobSpec job) {
  return file_keys_of([&](SpecFields& fields) {
    job.program->describe(fields);
    for (Choice<ProgramKind>& part : job.parts) part->describe(fields);
  });
}

// The content of files. A file can have changed since another spec named it.
std::string contents_of(const std::vector<FileKey>& files) {
  std::string text;
  Mistakes none;  // a reader of the file reports that it cannot be read
  for (const auto& [key, file] : files)
    text += file.text("", none) == nullptr ? " unreadable" : fmt::format(" {:016x}", file.hash());
  return text;
}

// Hashes of files that can be too large for memory.
std::string hashes_of(const std::vector<FileKey>& files) {
  std::string text;
  for (const auto& [key, file] : files) try {
      text += fmt::format(" {:016x}", file.hash());
    } catch (const SpecError&) {
      text += " unreadable";  // its reader reports it
    }
  return text;
}

std::string network_key(const EventSpec& spec, const Document& written) {
  return text_of(written, "network") + contents_of(files_of(spec.network.topology)) +
         contents_of(files_of(spec.routing.algorithm));
}

// What determines the routes and their lanes, without the selection function.
std::string routes_key(const EventSpec& spec, const Document& written) {
  Choice<Routing> algorithm = spec.routing.algorithm;
  std::string text =
      fmt::format("{}\n{} {}", network_key(spec, written), algorithm.name,
                  to_text(written_by([&](SpecFields& fields) { algorithm->describe(fields); })));
  for (const char* key : {"switch.lanes", "switch.service_levels_file", "switch.lane_table_file"})
    text += ' ' + text_of(written, key);
  std::vector<FileKey> tables;
  for (const InputFile& file : {spec.switches.service_levels, spec.switches.lane_table})
    if (file.named()) tables.push_back({"", file});
  return text + fmt::format(" {} {}", fmt::join(named_service_levels(spec), ","), contents_of(tables));
}

// The flow as written, without its load, which does not change its sources and which most sweeps vary.
std::string text_of_flow(const Document& written, std::size_t flow) {
  const Document* const found = written.find(fmt::format("traffic.flow[{}]", flow));
  const auto* const table = found == nullptr ? nullptr : found->get<Document::Table>();
  std::string text;
  if (table == nullptr) return text;
  for (const Document::Member& member : *table)
    if (member.name != "load") text += fmt::format(" {} = {}", member.name, to_text(member.value));
  return text;
}

// The nodes of each flow that send. Reports the mistakes of sources and patterns.
std::vector<std::vector<NodeId>> sources_of(const EventSpec& spec, Mistakes& mistakes) {
  const NodeSpace space = NodeSpace::of(*spec.network.topology);
  std::vector<FlowSources> wanted;
  std::vector<bool> fits;  // [flow] the pattern can be built
  for (const FlowSpec& flow : spec.traffic.flows) {
    const std::string key = fmt::format("traffic.flow[{}].", wanted.size());
    Mistakes of_pattern;
    flow.pattern->check(space, of_pattern);
    fits.push_back(of_pattern.empty());
    mistakes.add_all(of_pattern.list(), key);
    wanted.push_back({flow.sources, key + "sources"});
  }
  auto result = choose_sources(wanted, space.nodes, spec.seed, mistakes);
  for (std::size_t f = 0; f < result.size(); ++f) {
    if (!fits[f] || result[f].empty()) continue;
    const bool all = result[f].size() == space.nodes;
    result[f] = senders(std::move(result[f]), *spec.traffic.flows[f].pattern->build(space, spec.seed));
    if (!result[f].empty()) continue;
    const std::string_view pattern = spec.traffic.flows[f].pattern.name;
    if (all)
      mistakes.add(fmt::format("traffic.flow[{}].pattern", f),
                   fmt::format("no node of this network sends to another one with \"{}\"", pattern));
    else
      mistakes.add(wanted[f].key, fmt::format("none of these nodes sends with pattern \"{}\"", pattern),
                   "choose a source that has another node as its destination");
  }
  return result;
}

}  // namespace

template <class T, class Make>
std::shared_ptr<T> SeenNetworks::made(Kept<T>& all, const std::string& key, Make&& make) {
  std::shared_ptr<T> seen = all.get(key);
  const std::scoped_lock lock(seen->mutex_);
  if (!seen->made_) make(*seen);
  seen->made_ = true;
  return seen;
}

std::shared_ptr<SeenNetwork> SeenNetworks::network(const EventSpec& spec, const Document& written) {
  return made(networks_, network_key(spec, written), [&](SeenNetwork& seen) {
    const Topology& topology = *spec.network.topology;
    Mistakes mistakes;
    topology.check(mistakes);
    seen.wrong = mistakes.list();
    if (!seen.wrong.empty()) return;
    seen.nodes = static_cast<std::uint32_t>(topology.nodes());
    seen.memory = network_memory(topology);
    if (seen.memory <= machine_memory()) build(spec.network, seen);
  });
}

void SeenNetworks::build(const NetworkSpec& spec, SeenNetwork& network) {
  const std::uint64_t bytes = graph_memory(*spec.topology);
  if (!may_build(bytes)) {
    left_out_ = true;
    return;
  }
  network.bytes_ = bytes;
  Graph graph = spec.topology->build(spec.link);
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
  return made(routes_, routes_key(spec, written), [&](SeenRoutes& seen) {
    try {
      Mistakes mistakes;
      const ServiceLevels services = service_levels_of(spec, *network.graph, mistakes);
      mistakes.throw_if_any();
      seen.routes =
          with_service_levels(spec.routing.algorithm->build(*network.graph, spec.network.faults.unreachable),
                              *network.graph, services);
      seen.bytes_ = seen.routes->bytes();
    } catch (const SpecError& error) {
      seen.wrong = error.mistakes();
    }
  });
}

std::optional<std::uint32_t> SeenNetworks::ranks(const JobSpec& job, std::size_t number,
                                                 const Document& written) {
  const std::vector<FileKey> files = files_of_program(job);
  if (files.empty()) return job.program->ranks();
  const std::string parts = text_of(written, fmt::format("traffic.job[{}].programs", number));
  const std::string key = fmt::format("{}\n{}{}", job.program.name, parts, hashes_of(files));
  return made(ranks_, key, [&](SeenRanks& seen) { seen.ranks = job.program->ranks(); })->ranks;
}

std::shared_ptr<SeenProgram> SeenNetworks::program(const JobSpec& job, std::size_t number,
                                                   std::uint32_t ranks, const Document& written) {
  const std::string key =
      fmt::format("{}\n{}{}", ranks, text_of(written, fmt::format("traffic.job[{}]", number)),
                  hashes_of(files_of_program(job)));
  return made(programs_, key, [&](SeenProgram& seen) {
    Mistakes mistakes;
    try {
      job.program->check(ranks, mistakes);
      mistakes.throw_if_any();
      ProgramBuilder builder(ranks, available_memory() / 2);
      job.program->build(builder);
      if (builder.size() == 0) mistakes.add("program", "has no operations");
      std::optional<Program> program = builder.take(mistakes);
      const auto most = std::numeric_limits<std::uint64_t>::max();
      if (program)
        report_cycle(*program, job.rendezvous ? static_cast<std::uint64_t>(job.rendezvous->count) : most,
                     mistakes);
      mistakes.throw_if_any();
      seen.bytes_ = program->ops.size() * sizeof(ProgramOp) + program->dependents.size() * sizeof(Dependent);
      program->bus_bytes = job.program->bus_bytes(ranks);
      seen.program = std::make_shared<const Program>(*std::move(program));
    } catch (const SpecError& error) {
      seen.wrong = error.mistakes();
    }
  });
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
  std::string key = std::to_string(spec.seed);
  for (std::size_t f = 0; f < spec.traffic.flows.size(); ++f)
    key += '\n' + text_of_flow(written, f) + contents_of(files_of(spec.traffic.flows[f].pattern));
  const std::scoped_lock lock(mutex_);
  if (const auto found = sources_.find(key); found != sources_.end()) return found->second;
  SeenSources seen;
  Mistakes mistakes;
  for (const auto& of_flow : sources_of(spec, mistakes)) seen.count.push_back(of_flow.size());
  seen.wrong = mistakes.list();
  if (sources_.size() >= kMostSources) sources_.clear();
  return sources_.emplace(std::move(key), std::move(seen)).first->second;
}

SeenSelection SeenNetwork::selection(const EventSpec& spec, const Document& written) {
  std::string key = text_of(written, "routing");
  const std::scoped_lock lock(mutex_);
  if (const auto found = selections_.find(key); found != selections_.end()) return found->second;
  SeenSelection seen;
  try {
    seen.rule = spec.routing.selection->build(*graph);
    seen.rule.free = spec.routing.free_output;
  } catch (const SpecError& error) {
    seen.wrong = error.mistakes();
  }
  bytes_ += seen.rule.bytes();
  return selections_.emplace(std::move(key), std::move(seen)).first->second;
}

}  // namespace headway
