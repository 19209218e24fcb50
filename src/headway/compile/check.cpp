// SPDX-License-Identifier: Apache-2.0
// Finds the mistakes of a spec that the fields do not show by themselves: first ranges, then the topology,
// then what depends on them, up to the memory that the network needs.
#include "headway/compile/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "headway/analysis/packet_routes.h"
#include "headway/compile/illegal_networks.h"
#include "headway/compile/jobs.h"
#include "headway/compile/network_parts.h"
#include "headway/compile/slotted.h"
#include "headway/compile/tick.h"
#include "headway/config/limits.h"
#include "headway/config/parameter_values.h"
#include "headway/config/parameters.h"
#include "headway/engine/network_options.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/spec.h"
#include "headway/spec/spec_fields.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

std::string trace_key(std::size_t trace) { return "traffic.trace[" + std::to_string(trace) + "]."; }
std::string flow_key(std::size_t flow) { return "traffic.flow[" + std::to_string(flow) + "]."; }

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

class Checker {
 public:
  Checker(const EventSpec& spec, const Document& written, SeenNetworks& networks, SeenTraces& traces,
          CancelFlag cancelled, Purpose purpose, Mistakes& mistakes)
      : spec_(spec),
        written_(written),
        networks_(networks),
        traces_(traces),
        cancelled_(cancelled),
        purpose_(purpose),
        mistakes_(mistakes) {}

  void check() {
    Spec copy = spec_;  // a description needs a mutable spec
    Ranges ranges(mistakes_);
    describe(copy, ranges);
    check_flow_names(spec_, mistakes_);
    check_classes(spec_, mistakes_);
    if (any()) return;
    const std::shared_ptr<SeenNetwork> network = networks_.network(spec_, written_);
    mistakes_.add_all(network->wrong);
    if (any()) return;
    nodes_ = network->nodes;
    check_flows();
    check_end();
    const SeenSources sources = network->sources(spec_, written_);
    mistakes_.add_all(sources.wrong);
    check_pairs();
    receive_rates(spec_, nodes_, mistakes_);
    for (std::size_t t = 0; t < spec_.traffic.traces.size(); ++t) check_trace(t);
    if (!fits_memory(network->memory, "network.topology", "the network")) return;
    if (network->graph)
      check_network(*network, sources.count);
    else
      need_.start = need_.network = network->memory;
  }

  const MemoryNeed& need() const { return need_; }
  std::optional<NetworkPlan> take_plan() { return std::move(plan_); }
  std::vector<double> take_compressions() { return std::move(compressions_); }

 private:
  bool any() const { return !mistakes_.empty(); }

  void check_flows() {
    if (spec_.traffic.flows.empty() && spec_.traffic.traces.empty() && spec_.traffic.jobs.empty())
      mistakes_.add("traffic.flow", "there is neither a flow nor a trace nor a job");
    const MeasureSpec& measure = spec_.measure;
    for (std::size_t f = 0; f < spec_.traffic.flows.size(); ++f) {
      const FlowSpec& flow = spec_.traffic.flows[f];
      const std::string key = flow_key(f);
      const double most = flow.arrivals->max_load();
      for (const LoadSpec::Point& point : flow.load.points)
        if (point.load > most)
          mistakes_.add(
              key + "load",
              fmt::format("{} is more than \"{}\" arrivals can generate", point.load, flow.arrivals.name),
              fmt::format("at most {}: the load cannot exceed the rate of the link", most));
      const Duration start = flow.start.value_or(Duration{0});
      if (flow.stop && *flow.stop <= start)
        mistakes_.add(key + "stop",
                      fmt::format("{} is not after the start, {}", to_string(*flow.stop), to_string(start)));
      if (measure.warmup && start.ns >= measure.warmup->ns + measure.duration.ns)
        mistakes_.add(key + "start", fmt::format("{} is after the end of the run", to_string(start)),
                      fmt::format("the run ends at {}, warmup + duration",
                                  to_string(Duration{measure.warmup->ns + measure.duration.ns})));
      check_sizes(flow, key);
    }
    check_warmup();
    if (measure.watch_destination && *measure.watch_destination >= nodes_)
      mistakes_.add("measure.watch_destination",
                    fmt::format("there is no node {}", *measure.watch_destination),
                    fmt::format("at most {}", nodes_ - 1));
    check_observation();
    if (measure.bin) {
      const Rational all = measure.warmup.value_or(Duration{0}).ns + measure.duration.ns;
      if (all / measure.bin->ns > Rational(limits::kBins))
        mistakes_.add("measure.bin",
                      fmt::format("{} gives more than {} bins", to_string(*measure.bin), limits::kBins));
    }
  }

  void check_sizes(const FlowSpec& flow, const std::string& key) {
    Mistakes of_sizes;
    flow.sizes->check(of_sizes);
    mistakes_.add_all(of_sizes.list(), key);
    has_sizes_ &= of_sizes.empty();
    if (!of_sizes.empty()) return;
    const std::int64_t packet = spec_.traffic.packet.count;
    const SizeDistribution sizes = flow.sizes->build(packet);
    const Bytes most{static_cast<std::int64_t>(sizes.most())};
    if (most.count / packet > limits::kPacketsOfMessage)
      mistakes_.add(key + (sizes.fixed() ? "message" : "sizes"),
                    fmt::format("{} is more than {} packets", to_string(most), limits::kPacketsOfMessage));
    if (spec_.node.admittance_limit && *spec_.node.admittance_limit < most)
      mistakes_.add("node.admittance_limit",
                    fmt::format("{} cannot hold a message of {}", to_string(*spec_.node.admittance_limit),
                                to_string(most)),
                    fmt::format("at least {}", to_string(most)));
  }

  void check_observation() {
    if (spec_.observe.keep && !spec_.observe.waiting)
      mistakes_.add("observe.keep", "there are no photographs to keep", "set observe.waiting = true");
    if (!spec_.observe.waiting) return;
    const Duration& duration = spec_.measure.duration;
    const Duration& interval = spec_.observe.interval;
    if (duration < interval)
      mistakes_.add(
          "observe.interval",
          fmt::format("{} is longer than the measured window, {}", to_string(interval), to_string(duration)),
          "use a hundredth of the window, or less");
    if (duration.ns / interval.ns > Rational(limits::kPhotographs))
      mistakes_.add("observe.interval", fmt::format("{} gives more than {} photographs", to_string(interval),
                                                    limits::kPhotographs));
  }

  // The end of a warm-up is detected after the last change of a load.
  void check_warmup() {
    const bool has_others = !spec_.traffic.traces.empty() || !spec_.traffic.jobs.empty();
    if (spec_.measure.warmup || has_others || spec_.traffic.flows.empty()) return;
    const auto ends = [](const FlowSpec& flow) { return flow.stop || flow.load.points.back().load <= 0; };
    const auto ever_sends = [](const FlowSpec& flow) {
      return std::ranges::any_of(flow.load.points,
                                 [](const LoadSpec::Point& point) { return point.load > 0; });
    };
    if (std::ranges::all_of(spec_.traffic.flows, ends) &&
        std::ranges::any_of(spec_.traffic.flows, ever_sends))
      mistakes_.add("measure.warmup",
                    "the end of the warm-up cannot be detected, because no flow sends at the end",
                    "set it; with \"0 us\" the measurement starts immediately");
  }

  void check_end() {
    const MeasureSpec& measure = spec_.measure;
    const bool has_jobs = !spec_.traffic.jobs.empty();
    if (measure.until == Until::done && !spec_.traffic.has_foreground_job())
      mistakes_.add("measure.until", "there is no job that could be done",
                    has_jobs ? "jobs in the background never end; use \"time\"" : "use \"time\"");
    if (measure.alone && !spec_.traffic.has_foreground_job())
      mistakes_.add("measure.alone", "there is no job that could be run alone",
                    has_jobs ? "jobs in the background never end; omit it" : "omit it");
    if (measure.until == Until::done && measure.warmup)
      mistakes_.add("measure.warmup", "a run until jobs are done has no warm-up", "omit it");
    if (measure.has("fairness") && has_jobs)
      mistakes_.add("measure.tables", "\"fairness\" needs flow loads; not available with jobs", "omit it");
    if (spec_.node.admittance_limit && has_jobs)
      mistakes_.add("node.admittance_limit",
                    "cannot be used with jobs; their messages are generated when the program sends them",
                    "omit it");
  }

  void check_pairs() {
    const std::int64_t nodes = nodes_;
    const auto limit = [&](std::string_view table, std::int64_t most) {
      if (spec_.measure.has(table) && nodes > most)
        mistakes_.add("measure.tables",
                      fmt::format("\"{}\" needs all {} x {} pairs of nodes", table, nodes, nodes),
                      fmt::format("at most {} nodes", most));
    };
    limit("fairness", limits::kFairNodes);
    limit("per-pair", limits::kPairNodes);
    limit("pair-series", limits::kPairNodes);
  }

  void check_pair_rows(const Graph& graph) {
    if (!spec_.measure.has("pair-series") || !has_sizes_) return;
    if (const double rows = most_pair_rows(spec_, graph); rows > limits::kPairRows)
      mistakes_.add("measure.tables", fmt::format("\"pair-series\" could have {:.0f} rows", rows),
                    fmt::format("at most {:.0f}: use a shorter duration, longer bins, or a given warm-up",
                                limits::kPairRows));
  }

  void check_trace(std::size_t number) {
    const TraceSpec& trace = spec_.traffic.traces[number];
    const std::string key = trace_key(number);
    const std::size_t before = mistakes_.list().size();
    Mistakes of_format;
    trace.format->check(of_format);
    mistakes_.add_all(of_format.list(), key);
    if (trace.target_load && trace.compression != 1.0)
      mistakes_.add(key + "target_load", "sets the compression, which is also given",
                    "give only one of them");
    if (trace.end && *trace.end <= trace.begin)
      mistakes_.add(key + "end", fmt::format("{} is not after the beginning of the window, {}",
                                             to_string(*trace.end), to_string(trace.begin)));
    const auto whole = [&](std::string_view name, const Duration& time) {
      const Rational picoseconds = time.ns * Rational(kNanosecond);
      if (!picoseconds.is_integer())
        mistakes_.add(key + std::string(name),
                      fmt::format("{} is not a whole number of picoseconds", to_string(time)));
    };
    whole("reorder", trace.reorder);
    whole("begin", trace.begin);
    if (trace.end) whole("end", *trace.end);
    whole("service", trace.service);
    if (spec_.node.admittance_limit)
      mistakes_.add("node.admittance_limit",
                    "cannot be used with traces; messages of a trace are generated at their recorded times",
                    "omit it");
    if (spec_.measure.has("fairness"))
      mistakes_.add("measure.tables", "\"fairness\" needs flow loads; not available with traces", "omit it");
    endpoints_of(trace, nodes_, spec_.seed, key, mistakes_);
    if (mistakes_.list().size() == before) look_into_trace(trace, number);
  }

  void look_into_trace(const TraceSpec& trace, std::size_t number) {
    const Document* table = written_.find(fmt::format("traffic.trace[{}]", number));
    const Rate& link = spec_.network.link.rate;
    const auto [seen, fresh] = traces_.try_emplace(fmt::format(
        "{} {} {} {}", nodes_, to_string(link), spec_.seed, table == nullptr ? "" : to_text(*table)));
    if (fresh) seen->second = look_into(trace, window_of(trace, nodes_, spec_.seed, cancelled_), link);
    mistakes_.add_all(seen->second.wrong, trace_key(number));
    compressions_.push_back(seen->second.compression);
  }

  void check_network(SeenNetwork& network, const std::vector<std::size_t>& sources) {
    const Graph& graph = *network.graph;
    const std::shared_ptr<SeenRoutes> seen = networks_.routes(network, spec_, written_);
    mistakes_.add_all(seen->wrong);
    std::optional<QueueMap> of_scheme = map_of_scheme(graph);
    if (!of_scheme || !check_channels(*of_scheme)) return;
    Routes routes = seen->routes.value_or(Routes{});
    routes.table.follow_seed(spec_.seed);
    if (!check_queues(graph, *of_scheme, routes)) return;
    const std::vector<JobPlan> jobs = plan_jobs(spec_, graph, networks_, written_, mistakes_);
    const std::optional<Duration> tick = tick_of(spec_, graph.link_classes(), mistakes_);
    if (seen->routes && tick) check_jobs(spec_, jobs, graph, seen->routes->table, *tick, mistakes_);
    QueueMap map = with_virtual_channels(spec_.switches, *std::move(of_scheme));
    NetworkOptions options = network_options(spec_, graph, routes, map, tick.value_or(Duration{1}), jobs);
    if (spec_.routing.algorithm->adaptive() && seen->routes) {
      SeenSelection selection = network.selection(spec_, written_);
      mistakes_.add_all(selection.wrong);
      options.selection = std::move(selection.rule);
    }
    check_legal(graph, map, options);
    check_pauses(spec_, options, mistakes_);
    check_control(spec_, map, options, mistakes_);
    check_weights();
    check_pooled();
    check_fairness(seen->routes);
    check_pair_rows(graph);
    if (!seen->routes || !tick || any()) return;
    plan_ =
        NetworkPlan{network.graph, std::move(routes), std::move(map), std::move(options), seen->bottlenecks};
    const auto reachable = [&]() -> const auto& { return seen->reachable(graph); };
    need_ = memory_need({spec_, *plan_, reachable, sources, jobs});
    if (purpose_ == Purpose::read) return;
    fits_memory(need_.start, "network.topology",
                fmt::format("this network with scheme \"{}\"", spec_.switches.scheme.name));
  }

  std::optional<QueueMap> map_of_scheme(const Graph& graph) {
    try {
      return spec_.switches.scheme->build(graph);
    } catch (const SpecError& error) {
      mistakes_.add_all(error.mistakes());
      return std::nullopt;
    }
  }

  // Returns false if the map cannot have the virtual channels.
  bool check_channels(const QueueMap& map) {
    const std::int64_t channels = spec_.switches.virtual_channels;
    if (channels > 1 && map.channels > 1) {
      mistakes_.add(
          "switch.virtual_channels",
          fmt::format("the queues of \"{}\" are already virtual channels", spec_.switches.scheme.name),
          "set it to 1 with this scheme");
      return false;
    }
    return true;
  }

  // Returns false if a port has more queues than the engine can number; then, no other rule is checked.
  bool check_queues(const Graph& graph, const QueueMap& of_scheme, const Routes& routes) {
    NetworkOptions options;
    options.follow(routes);
    options.overflow = spec_.switches.scheme->overflow(graph.nodes());
    const std::int64_t channels = spec_.switches.virtual_channels;
    if (!has_too_many_queues(options, std::uint64_t{of_scheme.queues} * static_cast<std::uint64_t>(channels)))
      return true;
    const bool is_map = !options.overflow;  // channels and lanes repeat the queues of maps only
    const std::uint64_t queues = is_map ? of_scheme.queues : queues_of_port(options, 1);
    struct Factor {
      std::string_view key, what;
      std::uint64_t value;
    };
    const Factor factors[] = {
        {"switch.virtual_channels", "virtual channels", static_cast<std::uint64_t>(channels)},
        {spec_.switches.lanes > 1 ? "switch.lanes" : "routing.algorithm", "lanes", options.lanes}};
    std::string key = "switch.scheme", places, advice;
    std::uint64_t all = queues;
    for (const auto& [key_of_factor, what, value] : factors) {
      if (!is_map || value == 1) continue;
      places += fmt::format("{} {} {}", places.empty() ? " in each of" : " of each of", value, what);
      if (all <= kMostQueuesPerPort) {  // without this factor, the queues can be numbered
        key = key_of_factor;
        const std::uint64_t most = kMostQueuesPerPort / all;
        advice = most == 1 ? " in all"
                           : fmt::format(" in all, so at most {} {} with {} queues each", most, what, all);
      }
      all *= value;
    }
    mistakes_.add(std::move(key),
                  fmt::format("\"{}\" needs {} queues per port in this network{}", spec_.switches.scheme.name,
                              queues, places.empty() ? "" : fmt::format("{}, {} in all", places, all)),
                  fmt::format("at most {}{}", kMostQueuesPerPort, advice));
    return false;
  }

  void check_legal(const Graph& graph, const QueueMap& map, const NetworkOptions& options) {
    for (const IllegalNetwork rule : illegal(graph, map, options))
      report_illegal(rule, spec_, graph, map, options, mistakes_);
    // with too little output memory, the options describe a switch without output queues
    if (has_output_units(spec_.switches) && !options.has_output_units())
      report_illegal(IllegalNetwork::output_room, spec_, graph, map, options, mistakes_);
  }

  void check_weights() {
    const SwitchSpec& switches = spec_.switches;
    if (switches.output_arbiter != OutputArbiter::weighted_round_robin && !switches.weights.empty())
      mistakes_.add("switch.weights", "no arbiter uses weights",
                    "switch.output_arbiter = \"weighted-round-robin\" uses them");
  }

  // Checks the additional rules for schemes whose queues share the memory of a port.
  void check_pooled() {
    spec_.switches.scheme->check(mistakes_);
    if (!spec_.switches.scheme->pools_memory()) return;
    const std::string scheme = fmt::format("scheme \"{}\"", spec_.switches.scheme.name);
    if (spec_.switches.queue_memory)
      mistakes_.add("switch.queue_memory", "the queues of a port share its memory with " + scheme,
                    "use switch.input_memory");
  }

  // The fair share needs the links of every pair.
  void check_fairness(const std::optional<Routes>& routes) {
    if (!routes || !spec_.measure.has("fairness")) return;
    const std::string_view algorithm = spec_.routing.algorithm.name;
    const RouteKnowledge known = knowledge_of(*routes, spec_.routing.algorithm->adaptive());
    if (known == RouteKnowledge::only_bounds)
      mistakes_.add("measure.tables",
                    fmt::format("\"fairness\" needs routes that are known before the run; with \"{}\", "
                                "packets choose them by the state of the network",
                                algorithm),
                    "omit it");
    if (known == RouteKnowledge::by_waypoint && nodes_ > limits::kFairNodesOfWaypoints)
      mistakes_.add(
          "measure.tables",
          fmt::format("\"fairness\" needs the links of all pairs, and with \"{}\" every pair crosses "
                      "most links; at most {} nodes",
                      algorithm, limits::kFairNodesOfWaypoints),
          "omit it");
  }

  bool fits_memory(std::uint64_t needed, std::string key, const std::string& what) {
    if (needed <= machine_memory()) return true;
    mistakes_.add(std::move(key), fmt::format("{} needs about {} of memory", what, memory_text(needed)),
                  fmt::format("this machine has {}", memory_text(machine_memory())));
    return false;
  }

  const EventSpec& spec_;
  const Document& written_;  // the resolved spec
  SeenNetworks& networks_;
  SeenTraces& traces_;
  CancelFlag cancelled_;
  Purpose purpose_;
  Mistakes& mistakes_;
  std::uint32_t nodes_ = 0;
  bool has_sizes_ = true;  // the sizes of messages can be built
  MemoryNeed need_;
  std::optional<NetworkPlan> plan_;
  std::vector<double> compressions_;  // [trace]
};

}  // namespace

void SpecChecks::check(const Spec& spec, const Document& written, Mistakes& mistakes) {
  Mistakes found;
  need_ = {};
  plan_.reset();
  try {
    if (const auto* slotted = std::get_if<SlottedSpec>(&spec)) {
      headway::check(*slotted, found);
    } else {
      Checker checker(std::get<EventSpec>(spec), written, networks_, traces_, cancelled_, purpose_, found);
      checker.check();
      need_ = checker.need();
      plan_ = checker.take_plan();
      compressions_ = checker.take_compressions();
    }
  } catch (const std::overflow_error&) {
    found.add("", "the quantities of this spec differ too much in magnitude for exact computation",
              "the longest and the shortest duration can differ by a factor of at most 2^62");
  }
  mistakes.add_all(found.list());
}

NetworkPlan plan_of(const EventSpec& spec) {
  SeenNetworks networks;
  SpecChecks checks(networks, nullptr, Purpose::read);
  Mistakes mistakes;
  checks.check(spec, resolved(spec), mistakes);
  mistakes.throw_if_any();
  return checks.take_plan();
}

}  // namespace headway
