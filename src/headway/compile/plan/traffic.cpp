// SPDX-License-Identifier: Apache-2.0
// What a spec sends and measures: sizes against packets, destinations against nodes, loads, traces, times.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "headway/compile/plan/parts.h"
#include "headway/compile/run_scope.h"
#include "headway/compile/trace.h"
#include "headway/config/limits.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

std::string trace_key(std::size_t trace) { return "traffic.trace[" + std::to_string(trace) + "]."; }
std::string flow_key(std::size_t flow) { return "traffic.flow[" + std::to_string(flow) + "]."; }

struct SendersOfFlows {
  std::shared_ptr<const std::vector<std::vector<NodeId>>> of_flow;
  std::uint64_t bytes() const {
    std::uint64_t nodes = 0;
    if (of_flow != nullptr)
      for (const std::vector<NodeId>& of_one : *of_flow) nodes += of_one.size();
    return nodes * sizeof(NodeId);
  }
};

struct TraceBeginning {
  double compression = 1;
  std::uint64_t bytes() const { return 0; }
};

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
std::vector<std::vector<NodeId>> senders_of(const EventSpec& spec, Mistakes& mistakes) {
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

class TrafficPlanner {
 public:
  TrafficPlanner(const PlanSource& from, Plan& plan) : from_(from), plan_(plan) {}

  void run() {
    check_flows();
    check_end();
    choose_senders();
    check_pairs();
    receive_rates(spec(), plan_.nodes, plan_.mistakes);
    for (std::size_t t = 0; t < spec().traffic.traces.size(); ++t) check_trace(t);
  }

 private:
  const EventSpec& spec() const { return from_.spec; }

  // Sources do not change with the load, which most sweeps vary.
  void choose_senders() {
    std::string key = fmt::format("{}\n{}", from_.network, spec().seed);
    for (std::size_t f = 0; f < spec().traffic.flows.size(); ++f)
      key += '\n' + text_of_flow(from_.written, f) + contents_of(files_of(spec().traffic.flows[f].pattern));
    const auto part = shared_part<SendersOfFlows>(from_.planning.memo, key, [&](Mistakes& mistakes) {
      return SendersOfFlows{
          std::make_shared<const std::vector<std::vector<NodeId>>>(senders_of(spec(), mistakes))};
    });
    plan_.mistakes.add_all(part->wrong);
    if (part->value.of_flow != nullptr) plan_.senders = part->value.of_flow;
  }

  void check_flows() {
    if (spec().traffic.flows.empty() && spec().traffic.traces.empty() && spec().traffic.jobs.empty())
      plan_.mistakes.add("traffic.flow", "there is neither a flow nor a trace nor a job");
    const MeasureSpec& measure = spec().measure;
    for (std::size_t f = 0; f < spec().traffic.flows.size(); ++f) {
      const FlowSpec& flow = spec().traffic.flows[f];
      const std::string key = flow_key(f);
      const double most = flow.arrivals->max_load();
      for (const LoadSpec::Point& point : flow.load.points)
        if (point.load > most)
          plan_.mistakes.add(
              key + "load",
              fmt::format("{} is more than \"{}\" arrivals can generate", point.load, flow.arrivals.name),
              fmt::format("at most {}: the load cannot exceed the rate of the link", most));
      const Duration start = flow.start.value_or(Duration{0});
      if (flow.stop && *flow.stop <= start)
        plan_.mistakes.add(key + "stop", fmt::format("{} is not after the start, {}", to_string(*flow.stop),
                                                     to_string(start)));
      if (measure.warmup && start.ns >= measure.warmup->ns + measure.duration.ns)
        plan_.mistakes.add(key + "start", fmt::format("{} is after the end of the run", to_string(start)),
                           fmt::format("the run ends at {}, warmup + duration",
                                       to_string(Duration{measure.warmup->ns + measure.duration.ns})));
      check_sizes(flow, key);
    }
    check_warmup();
    if (measure.watch_destination && *measure.watch_destination >= plan_.nodes)
      plan_.mistakes.add("measure.watch_destination",
                         fmt::format("there is no node {}", *measure.watch_destination),
                         fmt::format("at most {}", plan_.nodes - 1));
    check_observation();
    if (measure.bin) {
      const Rational all = measure.warmup.value_or(Duration{0}).ns + measure.duration.ns;
      if (all / measure.bin->ns > Rational(limits::kBins))
        plan_.mistakes.add("measure.bin",
                           fmt::format("{} gives more than {} bins", to_string(*measure.bin), limits::kBins));
    }
  }

  void check_sizes(const FlowSpec& flow, const std::string& key) {
    Mistakes of_sizes;
    flow.sizes->check(of_sizes);
    plan_.mistakes.add_all(of_sizes.list(), key);
    if (!of_sizes.empty()) return;
    const std::int64_t packet = spec().traffic.packet.count;
    const SizeDistribution sizes = flow.sizes->build(packet);
    const Bytes most{static_cast<std::int64_t>(sizes.most())};
    if (most.count / packet > limits::kPacketsOfMessage)
      plan_.mistakes.add(
          key + (sizes.fixed() ? "message" : "sizes"),
          fmt::format("{} is more than {} packets", to_string(most), limits::kPacketsOfMessage));
    const Bytes frames{static_cast<std::int64_t>(spec().traffic.framing().frames(sizes.most()))};
    if (spec().node.admittance_limit && *spec().node.admittance_limit < frames)
      plan_.mistakes.add("node.admittance_limit",
                         fmt::format("{} cannot hold a message of {}",
                                     to_string(*spec().node.admittance_limit), to_string(most)),
                         fmt::format("at least {}", to_string(frames)));
  }

  void check_observation() {
    if (spec().observe.keep && !spec().observe.waiting)
      plan_.mistakes.add("observe.keep", "there are no photographs to keep", "set observe.waiting = true");
    if (!spec().observe.waiting) return;
    const Duration& duration = spec().measure.duration;
    const Duration& interval = spec().observe.interval;
    if (duration < interval)
      plan_.mistakes.add(
          "observe.interval",
          fmt::format("{} is longer than the measured window, {}", to_string(interval), to_string(duration)),
          "use a hundredth of the window, or less");
    if (duration.ns / interval.ns > Rational(limits::kPhotographs))
      plan_.mistakes.add("observe.interval", fmt::format("{} gives more than {} photographs",
                                                         to_string(interval), limits::kPhotographs));
  }

  // The end of a warm-up is detected after the last change of a load.
  void check_warmup() {
    const bool has_others = !spec().traffic.traces.empty() || !spec().traffic.jobs.empty();
    if (spec().measure.warmup || has_others || spec().traffic.flows.empty()) return;
    const auto ends = [](const FlowSpec& flow) { return flow.stop || flow.load.points.back().load <= 0; };
    const auto ever_sends = [](const FlowSpec& flow) {
      return std::ranges::any_of(flow.load.points,
                                 [](const LoadSpec::Point& point) { return point.load > 0; });
    };
    if (std::ranges::all_of(spec().traffic.flows, ends) &&
        std::ranges::any_of(spec().traffic.flows, ever_sends))
      plan_.mistakes.add("measure.warmup",
                         "the end of the warm-up cannot be detected, because no flow sends at the end",
                         "set it; with \"0 us\" the measurement starts immediately");
  }

  void check_end() {
    const MeasureSpec& measure = spec().measure;
    const bool has_jobs = !spec().traffic.jobs.empty();
    if (measure.until == Until::done && !spec().traffic.has_foreground_job())
      plan_.mistakes.add("measure.until", "there is no job that could be done",
                         has_jobs ? "jobs in the background never end; use \"time\"" : "use \"time\"");
    if (measure.alone && !spec().traffic.has_foreground_job())
      plan_.mistakes.add("measure.alone", "there is no job that could be run alone",
                         has_jobs ? "jobs in the background never end; omit it" : "omit it");
    if (measure.until == Until::done && measure.warmup)
      plan_.mistakes.add("measure.warmup", "a run until jobs are done has no warm-up", "omit it");
    if (measure.has("fairness") && has_jobs)
      plan_.mistakes.add("measure.tables", "\"fairness\" needs flow loads; not available with jobs",
                         "omit it");
    if (spec().node.admittance_limit && has_jobs)
      plan_.mistakes.add("node.admittance_limit",
                         "cannot be used with jobs; their messages are generated when the program sends them",
                         "omit it");
  }

  void check_pairs() {
    const std::int64_t nodes = plan_.nodes;
    const auto limit = [&](std::string_view table, std::int64_t most) {
      if (spec().measure.has(table) && nodes > most)
        plan_.mistakes.add("measure.tables",
                           fmt::format("\"{}\" needs all {} x {} pairs of nodes", table, nodes, nodes),
                           fmt::format("at most {} nodes", most));
    };
    limit("fairness", limits::kFairNodes);
    limit("per-pair", limits::kPairNodes);
    limit("pair-series", limits::kPairNodes);
  }

  void check_trace(std::size_t number) {
    const TraceSpec& trace = spec().traffic.traces[number];
    const std::string key = trace_key(number);
    const std::size_t before = plan_.mistakes.list().size();
    Mistakes of_format;
    trace.format->check(of_format);
    plan_.mistakes.add_all(of_format.list(), key);
    if (trace.target_load && trace.compression != 1.0)
      plan_.mistakes.add(key + "target_load", "sets the compression, which is also given",
                         "give only one of them");
    if (trace.end && *trace.end <= trace.begin)
      plan_.mistakes.add(key + "end", fmt::format("{} is not after the beginning of the window, {}",
                                                  to_string(*trace.end), to_string(trace.begin)));
    const auto whole = [&](std::string_view name, const Duration& time) {
      const Rational picoseconds = time.ns * Rational(kNanosecond);
      if (!picoseconds.is_integer())
        plan_.mistakes.add(key + std::string(name),
                           fmt::format("{} is not a whole number of picoseconds", to_string(time)));
    };
    whole("reorder", trace.reorder);
    whole("begin", trace.begin);
    if (trace.end) whole("end", *trace.end);
    whole("service", trace.service);
    if (spec().node.admittance_limit)
      plan_.mistakes.add(
          "node.admittance_limit",
          "cannot be used with traces; messages of a trace are generated at their recorded times", "omit it");
    if (spec().measure.has("fairness"))
      plan_.mistakes.add("measure.tables", "\"fairness\" needs flow loads; not available with traces",
                         "omit it");
    endpoints_of(trace, plan_.nodes, spec().seed, key, plan_.mistakes);
    if (plan_.mistakes.list().size() == before) look_into_trace(trace, number);
  }

  void look_into_trace(const TraceSpec& trace, std::size_t number) {
    const Rate& link = spec().network.link.rate;
    const std::string key = fmt::format("{} {} {} {}", plan_.nodes, to_string(link), spec().seed,
                                        text_of(from_.written, fmt::format("traffic.trace[{}]", number)));
    TraceWindow window = window_of(trace, plan_.nodes, spec().seed, from_.planning.cancelled);
    const auto part = shared_part<TraceBeginning>(from_.planning.memo, key, [&](Mistakes& mistakes) {
      return TraceBeginning{look_into(trace, window, link, mistakes)};
    });
    plan_.mistakes.add_all(part->wrong, trace_key(number));
    plan_.traces.push_back({std::move(window), part->value.compression});
  }

  const PlanSource& from_;
  Plan& plan_;
};

}  // namespace

void check_frames(const TrafficSpec& traffic, Mistakes& mistakes) {
  const Bytes most{kMostPacketBytes}, frame = traffic.frame();
  if (frame > most)
    mistakes.add("traffic.header",
                 fmt::format("a packet of {} and its header of {} are {}", to_string(traffic.packet),
                             to_string(traffic.header), to_string(frame)),
                 fmt::format("at most {} together", to_string(most)));
  if (traffic.minimum_frame > frame)
    mistakes.add("traffic.minimum_frame", fmt::format("{} is more than a full packet with its header, {}",
                                                      to_string(traffic.minimum_frame), to_string(frame)));
}

void plan_traffic(const PlanSource& from, Plan& plan) { TrafficPlanner(from, plan).run(); }

void check_pair_rows(const EventSpec& spec, const Graph& graph, Mistakes& mistakes) {
  if (!spec.measure.has("pair-series")) return;
  Mistakes of_sizes;  // reported with the flows
  for (const FlowSpec& flow : spec.traffic.flows) flow.sizes->check(of_sizes);
  if (!of_sizes.empty()) return;
  if (const double rows = most_pair_rows(spec, graph); rows > limits::kPairRows)
    mistakes.add("measure.tables", fmt::format("\"pair-series\" could have {:.0f} rows", rows),
                 fmt::format("at most {:.0f}: use a shorter duration, longer bins, or a given warm-up",
                             limits::kPairRows));
}

}  // namespace headway
