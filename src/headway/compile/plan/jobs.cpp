// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/plan/jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "headway/base/rng.h"
#include "headway/base/wide.h"
#include "headway/compile/hosts.h"
#include "headway/compile/machine.h"
#include "headway/compile/tick.h"
#include "headway/config/limits.h"
#include "headway/config/row_reader.h"
#include "headway/programs/builder.h"
#include "headway/programs/compiled_program.h"
#include "headway/programs/placement.h"
#include "headway/programs/switch_tree.h"
#include "headway/routing/paths_left.h"
#include "headway/spec/job_copies.h"
#include "headway/topology/distances.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

std::string job_key(const EventSpec& spec, std::size_t job) { return key_of_job(spec.traffic, job) + "."; }

// The nodes in the order of ranks, from a file; empty if there is a mistake.
std::vector<NodeId> placed_by_file(const JobSpec& job, const Topology& topology, const std::string& key,
                                   Mistakes& mistakes) {
  std::vector<NodeId> nodes;
  const auto count = static_cast<std::uint32_t>(topology.nodes());
  const NumberedNames names("node", count, topology.names().nodes);
  RowReader rows(job.placement_file, key + "placement_file", mistakes);
  while (rows.next()) {
    const std::string_view word = rows.words().front();
    const auto found = names.find(word);
    if (rows.words().size() > 1)
      rows.wrong(fmt::format("{} words", rows.words().size()), "a line has one node");
    else if (!found)
      rows.wrong(names.no_such(word), names.hint(word));
    else
      for (NodeId node = found->first; node <= found->second; ++node) nodes.push_back(node);
  }
  if (nodes.empty() && !rows.any_wrong()) rows.wrong_at(0, "names no nodes");
  rows.finish();
  if (rows.any_wrong()) nodes.clear();
  return nodes;
}

// The nodes that each job may use: of a file in its order, others ascending or as drawn.
std::vector<std::vector<NodeId>> chosen_nodes(const EventSpec& spec, std::uint32_t nodes,
                                              Mistakes& mistakes) {
  std::vector<FlowSources> wanted;
  for (const FlowSpec& flow : spec.traffic.flows) wanted.push_back({flow.sources, "traffic.flow"});
  std::vector<std::vector<NodeId>> by_file;  // [job]
  for (std::size_t j = 0; j < spec.traffic.jobs.size(); ++j) {
    const JobSpec& job = spec.traffic.jobs[j];
    by_file.emplace_back();
    if (job.placement_file.named()) {
      if (job.nodes.kind != NodeSet::Kind::all || job.placement != Placement::linear)
        mistakes.add(job_key(spec, j) + "placement_file", "gives the nodes of the ranks",
                     "omit nodes and placement");
      by_file.back() = placed_by_file(job, *spec.network.topology, job_key(spec, j), mistakes);
    }
    std::set<std::int64_t> numbers(by_file.back().begin(), by_file.back().end());
    const NodeSet of_file{NodeSet::Kind::nodes, 1.0, 0, {numbers.begin(), numbers.end()}};
    wanted.push_back({numbers.empty() ? job.nodes : of_file, job_key(spec, j) + "nodes"});
  }
  Mistakes found;
  auto chosen = choose_sources(wanted, nodes, spec.seed, found);
  for (const Mistake& mistake : found.list())
    if (mistake.key.starts_with("traffic.job")) mistakes.add(mistake);  // flows are checked elsewhere
  chosen.erase(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(spec.traffic.flows.size()));
  for (std::size_t j = 0; j < chosen.size(); ++j)
    if (spec.traffic.jobs[j].placement_file.named()) chosen[j] = std::move(by_file[j]);
  return chosen;
}

void leave_first_of_each(std::vector<NodeId>& nodes) {
  std::set<NodeId> seen;
  std::erase_if(nodes, [&](NodeId node) { return !seen.insert(node).second; });
}

// The nodes of each job, in the order in which ranks take them.
std::vector<std::vector<NodeId>> nodes_of_jobs(const EventSpec& spec, const Graph& graph,
                                               Mistakes& mistakes) {
  auto nodes = chosen_nodes(spec, graph.nodes_of_spec(), mistakes);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const JobSpec& job = spec.traffic.jobs[j];
    if (job.exclusive) leave_first_of_each(nodes[j]);
    if (job.placement_file.named()) continue;
    // a list of nodes is in the order of the user
    if (job.placement == Placement::linear && job.nodes.kind == NodeSet::Kind::nodes &&
        nodes[j].size() == job.nodes.nodes.size())
      nodes[j].assign(job.nodes.nodes.begin(), job.nodes.nodes.end());
    const std::uint64_t stream = (std::uint64_t{1} << 32) + j;  // none that flows use
    nodes[j] =
        placed(std::move(nodes[j]), job.placement, graph, Rng(spec.seed, StreamKind::placement, stream));
  }
  return nodes;
}

// The number of ranks of a job; none if there is a mistake. `fixed`: what the program gives.
std::optional<std::uint32_t> ranks_of(const JobSpec& job, std::optional<std::uint32_t> fixed,
                                      std::size_t nodes, const std::string& key, Mistakes& mistakes) {
  const auto most = static_cast<std::int64_t>(nodes) * job.ranks_per_node;
  const std::int64_t ranks = job.ranks.value_or(fixed ? std::int64_t{*fixed} : most);
  const auto* const named = job.ranks ? "ranks" : fixed ? "program" : "ranks_per_node";
  if (!check_rank_count(ranks, key + named, mistakes)) return std::nullopt;
  if (fixed && ranks != *fixed) {
    mistakes.add(key + "ranks", fmt::format("{} ranks, but the program has {}", ranks, *fixed), "omit it");
    return std::nullopt;
  }
  if (ranks > most) {
    mistakes.add(
        key + (job.ranks ? "ranks" : "nodes"),
        fmt::format("{} ranks do not fit on {} nodes with {} ranks each", ranks, nodes, job.ranks_per_node),
        fmt::format("at most {} ranks; more nodes, or a larger ranks_per_node", most));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(ranks);
}

void check_sizes(const CompiledProgram& program, const EventSpec& spec, const std::string& key,
                 Mistakes& mistakes) {
  std::uint64_t most = 0;
  program.for_each_size([&](std::uint64_t bytes, std::uint64_t) { most = std::max(most, bytes); });
  const auto packet = static_cast<std::uint64_t>(spec.traffic.packet.count);
  if (most / packet > static_cast<std::uint64_t>(limits::kPacketsOfMessage))
    mistakes.add(key + "program",
                 fmt::format("a message of {} B is more than {} packets", most, limits::kPacketsOfMessage));
}

void check_control(const JobSpec& job, Bytes packet, const std::string& key, Mistakes& mistakes) {
  if (job.control.count / packet.count > limits::kPacketsOfMessage)
    mistakes.add(key + "control", fmt::format("{} is more than {} packets", to_string(job.control),
                                              limits::kPacketsOfMessage));
}

TickFraction fraction(const Rational& ns, const Duration& tick) {
  const Rational ticks = ns / tick.ns;
  return {ticks.numerator(), ticks.denominator()};
}

// Returns true if every iteration of the rank takes at least a tick.
bool takes_time(const Job& job, std::uint32_t rank) {
  const auto takes_time = [&](std::uint32_t, const RankOp& it) {
    if (job.turn(rank, it.kind, it.amount) > 0) return true;
    if (it.kind == ProgramOpKind::compute) return false;
    const bool waits = it.kind == ProgramOpKind::receive || !job.buffered || job.announces(it.amount);
    return waits && (job.local_delay > 0 || job.nodes[rank] != job.nodes[it.peer]);
  };
  return job.program->operations(rank) == 0 || job.program->any_of(rank, takes_time);
}

bool reaches(const Graph& graph, const RouteTable& routes, NodeId from, NodeId to) {
  return graph.hosts().none() ? has_path(graph, routes, from, to)
                              : graph.hosts().ways(graph.home(from), graph.home(to)) > 0;
}

// One node for all that reach the same nodes: those of a switch or, with several links, those whose links are
// in the same networks.
std::vector<NodeId> one_of_each(const std::vector<NodeId>& nodes, const Graph& graph) {
  const Hosts& hosts = graph.hosts();
  std::map<std::set<std::pair<std::uint32_t, bool>>, NodeId> one_of;
  for (const NodeId node : nodes) {
    std::set<std::pair<std::uint32_t, bool>> place;
    if (hosts.none())
      place.emplace(switch_from(graph, node), false);
    else
      for (NodeId link = hosts.home(node); link < hosts.home(node + 1); ++link)
        place.emplace(hosts.link(link).network, hosts.link(link).scale_up);
    one_of.emplace(std::move(place), node);
  }
  std::vector<NodeId> result;
  for (const auto& each : one_of) result.push_back(each.second);
  return result;
}

// Which nodes a job gets shows in the run.
void check_pool(const std::vector<NodeId>& pool, const Graph& graph, const RouteTable& routes,
                const std::string& key, Mistakes& mistakes) {
  const std::vector<NodeId> from_each = one_of_each(pool, graph);
  for (const NodeId from : from_each)
    for (const NodeId to : graph.hosts().none() ? pool : from_each)
      if (from != to && !reaches(graph, routes, from, to))
        return mistakes.add(key + "nodes",
                            fmt::format("node {} has no path to node {}, and the job can get both", from, to),
                            "choose other nodes");
}

// Gives a program its parts; returns false if it takes none.
bool take_parts(JobSpec& job, const std::string& key, Mistakes& mistakes) {
  if (job.parts.empty() || job.program->take_parts(job.parts)) return true;
  mistakes.add(key + "programs", fmt::format("the program \"{}\" has no parts", job.program.name),
               "program = \"sequence\" has some");
  return false;
}

// Mistakes of a number of ranks that the spec does not give: the program does not suit the network.
std::vector<Mistake> of_default_ranks(std::vector<Mistake> wrong) {
  for (Mistake& mistake : wrong) {
    constexpr std::string_view kRanks = "ranks";
    if (!mistake.key.ends_with(kRanks)) continue;  // also "programs[1].ranks"
    mistake.key.replace(mistake.key.size() - kRanks.size(), kRanks.size(), "program");
    mistake.message += " by default";
    mistake.hint = "set ranks: " + mistake.hint;
  }
  return wrong;
}

std::vector<FileKey> files_of_program(JobSpec job) {
  return file_keys_of([&](SpecFields& fields) {
    job.program->describe(fields);
    for (Choice<ProgramKind>& part : job.parts) part->describe(fields);
  });
}

struct RankCount {
  std::optional<std::uint32_t> ranks;
  std::uint64_t bytes() const { return 0; }
};

// The number of ranks that the program of a job gives. Its files are read once.
std::optional<std::uint32_t> ranks_of_program(const PlanSource& from, const JobSpec& job,
                                              std::size_t number) {
  const std::vector<FileKey> files = files_of_program(job);
  if (files.empty()) return job.program->ranks();
  const std::string key =
      fmt::format("{}\n{}{}", job.program.name,
                  text_of(from.written, job_key(from.spec, number) + "programs"), hashes_of(files));
  return from.planning.memo.get<RankCount>(key, [&] { return RankCount{job.program->ranks()}; })->ranks;
}

// A program with its messages matched.
struct BuiltProgram {
  std::shared_ptr<const CompiledProgram> program;
  std::vector<SwitchId> switches = {};  // of its aggregators, in the order of their ranks
  std::vector<Aggregator> aggregators = {};
  std::uint64_t bytes() const { return program ? program->bytes() : 0; }
};

// Programs whose ranks do the same need the memory and time of one rank. Which ones these are shows when they
// are built: the first operation that names a rank ends the attempt.
ProgramBuilder operations_of(const ProgramKind& kind, std::uint32_t ranks, SwitchTrees& trees,
                             bool is_stored) {
  using Form = ProgramBuilder::Form;
  const std::uint64_t memory = available_memory() / 2;
  if (!is_stored) try {
      ProgramBuilder builder(ranks, memory, Form::alike);
      kind.build(builder);
      return builder;
    } catch (const NeedsEveryRank&) {
    }
  ProgramBuilder builder(ranks, memory, is_stored ? Form::stored : Form::compiled);
  builder.use_switches(&trees);
  kind.build(builder);
  return builder;
}

BuiltProgram built(const JobSpec& job, std::uint32_t ranks, SwitchTrees trees, Mistakes& mistakes) {
  job.program->check(ranks, mistakes);
  if (!mistakes.empty()) return {};
  const bool is_stored = job.program->can_stand_still();
  ProgramBuilder builder = operations_of(*job.program, ranks, trees, is_stored);
  if (builder.size() == 0) mistakes.add("program", "has no operations");
  std::optional<CompiledProgram> program;
  if (!is_stored) {
    program = builder.take_compiled(mistakes);
  } else if (std::optional<Program> stored = builder.take(mistakes)) {
    report_cycle(*stored, job.rendezvous ? static_cast<std::uint64_t>(job.rendezvous->count) : UINT64_MAX,
                 mistakes);
    program = CompiledProgram(*std::move(stored));
  }
  if (!mistakes.empty()) return {};
  program->bus_bytes = job.program->bus_bytes(ranks);
  program->aggregators = static_cast<std::uint32_t>(builder.aggregators().size());
  return {std::make_shared<const CompiledProgram>(*std::move(program)), builder.aggregators(),
          trees.aggregators()};
}

// The number of consecutive ranks that share a server, if servers have as many each; 0 if not.
std::uint32_t ranks_of_server(const Graph& graph, const std::vector<NodeId>& nodes,
                              std::int64_t ranks_per_node, std::uint32_t ranks) {
  if (graph.hosts().none()) return 0;
  const std::vector<std::uint32_t> servers = servers_of(graph);
  const auto server = [&](std::uint32_t rank) {
    return servers[nodes[rank / static_cast<std::uint64_t>(ranks_per_node)]];
  };
  std::uint32_t of_first = 1;
  while (of_first < ranks && server(of_first) == server(0)) ++of_first;
  std::set<std::uint32_t> seen;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (rank % of_first == 0 ? !seen.insert(server(rank)).second : server(rank) != server(rank - 1)) return 0;
  // A node without scale-up links is no server of one.
  const auto scales_up = [&](NodeId node) {
    for (NodeId link = graph.home(node); link < graph.end_of(node); ++link)
      if (graph.hosts().link(link).scale_up) return true;
    return false;
  };
  if (of_first == 1 && !std::ranges::all_of(nodes, scales_up)) return 0;
  return ranks % of_first == 0 ? of_first : 0;
}

// Its mistakes have keys of the job.
std::shared_ptr<const SharedPart<BuiltProgram>> program_of(const PlanSource& from, const JobSpec& job,
                                                           std::size_t number,
                                                           const std::vector<NodeId>& nodes,
                                                           const Graph& graph,
                                                           std::uint32_t ranks_per_server) {
  std::string key = fmt::format("{} {}\n{}{}", nodes.size(), ranks_per_server,
                                text_of(from.written, key_of_job(from.spec.traffic, number)),
                                hashes_of(files_of_program(job)));
  if (job.uses_switches()) key += fmt::format("\n{}{}", from.network, fmt::join(nodes, " "));
  return shared_part<BuiltProgram>(from.planning.memo, key, [&](Mistakes& mistakes) {
    return built(job, static_cast<std::uint32_t>(nodes.size()), SwitchTrees(graph, nodes), mistakes);
  });
}

// The union of what jobs need, by switch.
void add_aggregators(std::vector<Aggregator>& all, const std::vector<Aggregator>& others) {
  std::map<SwitchId, std::set<std::uint32_t>> ports;
  all.insert(all.end(), others.begin(), others.end());
  for (const Aggregator& aggregator : all)
    ports[aggregator.sw].insert(aggregator.ports.begin(), aggregator.ports.end());
  all.clear();
  for (const auto& [sw, its] : ports) all.push_back({sw, {its.begin(), its.end()}});
}

}  // namespace

bool check_rank_count(std::int64_t ranks, std::string key, Mistakes& mistakes) {
  if (ranks <= limits::kRanks) return true;
  mistakes.add(std::move(key),
               fmt::format("more than {} ranks, the most that a job can have", limits::kRanks));
  return false;
}

std::vector<std::optional<std::uint32_t>> ranks_of_jobs(const EventSpec& spec, Mistakes& mistakes) {
  const auto nodes = chosen_nodes(spec, static_cast<std::uint32_t>(spec.network.topology->nodes()), mistakes);
  std::vector<std::optional<std::uint32_t>> ranks;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    JobSpec job = spec.traffic.jobs[j];
    const bool has_parts = take_parts(job, job_key(spec, j), mistakes);
    ranks.push_back(nodes[j].empty() || !has_parts
                        ? std::nullopt
                        : ranks_of(job, job.program->ranks(), nodes[j].size(), job_key(spec, j), mistakes));
  }
  return ranks;
}

void plan_jobs(const PlanSource& from, Plan& plan) {
  const EventSpec& spec = from.spec;
  Mistakes& mistakes = plan.mistakes;
  if (spec.traffic.jobs.empty()) return;
  const auto nodes = nodes_of_jobs(spec, *plan.placed, mistakes);
  std::vector<std::vector<SwitchId>> switches(spec.traffic.jobs.size());  // [job] of its aggregators
  for (std::size_t j = 0; j < spec.traffic.jobs.size(); ++j) {
    JobSpec job = spec.traffic.jobs[j];
    const std::string key = job_key(spec, j);
    JobPlan& its = plan.jobs.emplace_back();
    check_control(job, spec.traffic.packet, key, mistakes);
    if (nodes[j].empty()) continue;
    if (!take_parts(job, key, mistakes)) continue;
    const std::optional<std::uint32_t> ranks =
        ranks_of(job, ranks_of_program(from, job, j), nodes[j].size(), key, mistakes);
    if (!ranks) continue;
    const std::uint32_t of_server = ranks_of_server(*plan.placed, nodes[j], job.ranks_per_node, *ranks);
    if (of_server > 0) job.program->use_servers(of_server);
    for (std::uint32_t rank = 0; rank < *ranks; ++rank)
      its.nodes.push_back(nodes[j][rank / static_cast<std::uint64_t>(job.ranks_per_node)]);
    if (job.uses_switches() && job.exclusive) {
      mistakes.add(key + "exclusive", "switches that reduce for a job must be known before it gets its nodes",
                   "omit it, or choose another algorithm than \"in-network\"");
      continue;
    }
    const auto part = program_of(from, job, j, its.nodes, *plan.graph, of_server);
    if (!part->wrong.empty()) {
      mistakes.add_all(job.ranks ? part->wrong : of_default_ranks(part->wrong), key);
      continue;
    }
    its.program = part->value.program;
    check_sizes(*its.program, spec, key, mistakes);
    if (job.absent || (from.planning.network_alone && job.uses_switches())) {
      its.program = std::make_shared<const CompiledProgram>(CompiledProgram::without_operations(*ranks));
      continue;
    }
    switches[j] = part->value.switches;
    add_aggregators(plan.aggregators, part->value.aggregators);
    if (!job.exclusive) continue;
    const bool is_as_before = j > 0 && plan.jobs[j - 1].pool && *plan.jobs[j - 1].pool == nodes[j];
    its.pool = is_as_before ? plan.jobs[j - 1].pool : std::make_shared<const std::vector<NodeId>>(nodes[j]);
  }
  for (std::size_t j = 0; j < switches.size(); ++j)
    for (const SwitchId sw : switches[j]) plan.jobs[j].nodes.push_back(plan.nodes + sw);
}

void check_jobs(const EventSpec& spec, const std::vector<JobPlan>& plans, const Graph& graph,
                const RouteTable& routes, const Duration& tick, Mistakes& mistakes) {
  for (std::size_t j = 0; j < plans.size(); ++j) {
    const JobPlan& plan = plans[j];
    if (!plan.program) continue;
    const CompiledProgram& program = *plan.program;
    const bool may_lack_paths = graph.has_failures() || (!graph.hosts().none() && !reach_all(graph.hosts()));
    for (std::uint32_t rank = 0; may_lack_paths && rank < program.ranks(); ++rank) {
      const NodeId from = plan.nodes[rank];
      std::uint32_t last = kNone;  // the same peer often comes again
      const auto has_no_path = [&](std::uint32_t, const RankOp& it) {
        if (it.kind != ProgramOpKind::send || it.peer == std::exchange(last, it.peer)) return false;
        const NodeId to = plan.nodes[it.peer];
        if (from == to) return false;
        return !reaches(graph, routes, from, to);
      };
      if (!program.any_of(rank, has_no_path)) continue;
      mistakes.add(
          job_key(spec, j) + "nodes",
          fmt::format("node {} of rank {} has no path to node {} of rank {}{}", from, rank, plan.nodes[last],
                      last,
                      graph.hosts().none() ? " because of failed links" : ": no links of theirs are joined"),
          "choose other nodes");
      break;
    }
    const JobSpec& job = spec.traffic.jobs[j];
    if (plan.pool && may_lack_paths && job.copy == 0)
      check_pool(*plan.pool, graph, routes, job_key(spec, j), mistakes);
    if (!job.background) continue;
    const Job built = build_job(job, plan, tick);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      if (!takes_time(built, rank)) {
        mistakes.add(
            job_key(spec, j) + "background",
            fmt::format("an iteration of rank {} can take no time, so the job would repeat for ever in "
                        "one instant",
                        rank),
            "let the rank compute, receive from another node, or use sends = \"sent\"");
        break;
      }
  }
}

Tick start_of(const JobSpec& job, std::uint32_t number_in_file, std::uint64_t seed, const Duration& tick) {
  const Tick start = ticks(job.start, tick), gap = ticks(job.interarrival, tick);
  if (job.copies == 1) return start;
  if (job.arrivals == JobArrivals::periodic) return start + job.copy * gap;
  Rng rng(seed, StreamKind::job_start, number_in_file);
  Wide sum = 0;
  for (std::int64_t copy = 0; copy <= job.copy; ++copy)
    sum += Wide{rng.exponential_q32()} * static_cast<std::uint64_t>(gap);
  return start + static_cast<Tick>(sum >> 32);
}

Job build_job(const JobSpec& spec, JobPlan plan, const Duration& tick) {
  Job job;
  job.program = std::move(plan.program);
  job.nodes = std::move(plan.nodes);
  job.pool = std::move(plan.pool);
  job.ranks_per_node = static_cast<std::uint32_t>(spec.ranks_per_node);
  job.iterations = static_cast<std::uint32_t>(spec.iterations);
  job.background = spec.background;
  job.buffered = spec.sends == SendsComplete::buffered;
  if (spec.rendezvous) job.rendezvous = static_cast<std::uint64_t>(spec.rendezvous->count);
  job.control_bytes = static_cast<std::uint64_t>(spec.control.count);
  job.local_delay = ticks(spec.local_delay, tick);
  job.picosecond = spec.computes ? fraction(Rational(1, 1000), tick) : TickFraction{0, 1};
  job.overhead = fraction(spec.overhead.ns, tick);
  job.overhead_per_byte = fraction(spec.overhead_per_byte.ns, tick);
  return job;
}

}  // namespace headway
