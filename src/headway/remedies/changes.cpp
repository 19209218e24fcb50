// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "headway/arbitration/arbiters.h"
#include "headway/base/plural.h"
#include "headway/metrics/metric_names.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/job_copies.h"
#include "headway/topology/network_changes.h"

namespace headway {
namespace {

constexpr std::size_t kMostLinks = 6;  // members of the groups of links
constexpr std::int64_t kNoLimit = 64;  // times the memory: none is ever full
constexpr std::int64_t kChunks[] = {8, 32};

Document text(std::string_view value) { return Document(std::string(value)); }
Document list(const std::vector<std::string>& names) {
  Document::Array all;
  for (const std::string& name : names) all.emplace_back(name);
  return Document(std::move(all));
}
Override yes(std::string_view key) { return {std::string(key), Document(true)}; }

// The names of all flows, traces and jobs but the one of the goal.
std::vector<std::string> others(const ChangeSource& from) {
  std::vector<std::string> names = flow_names(from.spec.traffic);
  if (from.goal.of.empty()) return {};
  std::erase(names, from.goal.of);
  const std::vector<std::string>& absent = from.spec.what_if.without;
  std::erase_if(names,
                [&](const std::string& name) { return std::ranges::find(absent, name) != absent.end(); });
  return names;
}

// The place of a flow, trace or job in a spec; that of all jobs for the goal of no single one.
std::string key_of(const EventSpec& spec, const std::string& name) {
  const std::vector<std::string> names = flow_names(spec.traffic);
  std::size_t number = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  for (const auto& [list, size] :
       {std::pair("flow", spec.traffic.flows.size()), std::pair("trace", spec.traffic.traces.size())}) {
    if (number < size) return fmt::format("traffic.{}[{}].", list, number);
    number -= size;
  }
  return number < spec.traffic.jobs.size() ? key_of_job(spec.traffic, number) + "." : "traffic.job.";
}

const JobSpec* job_of_goal(const ChangeSource& from) {
  const std::vector<std::string> names = flow_names(from.spec.traffic);
  const std::size_t jobs = from.spec.traffic.jobs.size();
  for (std::size_t j = 0; j < jobs; ++j)
    if (names[names.size() - jobs + j] == from.goal.of) return &from.spec.traffic.jobs[j];
  return nullptr;
}

bool has_slow_receivers(const NodeSpec& node) { return node.receive_rate || !node.receivers.empty(); }
bool has_control(const NodeSpec& node) { return node.reaction.name != "none"; }
std::vector<Override> control_off() {
  return {{"node.reaction", text("none")}, {"switch.marking", text("none")}};
}

Change cause(std::string what, ChangeGroup group, std::vector<Override> set) {
  return {std::move(what), ChangeKind::cause, group, std::move(set)};
}
Change bound(std::string what, ChangeGroup group, std::vector<Override> set) {
  return {std::move(what), ChangeKind::bound, group, std::move(set)};
}
Change remedy(std::string what, ChangeGroup group, std::vector<Override> set) {
  return {std::move(what), ChangeKind::remedy, group, std::move(set)};
}

Change without(const std::vector<std::string>& names) {
  return cause(fmt::format("without {}", names.size() == 1 ? names.front() : "all other traffic"),
               ChangeGroup::traffic, {{"what_if.without", list(names)}});
}

Change at_usual_rate(const std::vector<std::string>& links) {
  return cause(links.size() == 1 ? fmt::format("link {} at the rate of its peers", links.front())
                                 : fmt::format("{} slow links at the rate of their peers", links.size()),
               ChangeGroup::rates, {{"what_if.usual_rates", list(links)}});
}

// Those that the account names come first.
void dearest_first(const std::vector<SlowLink>& dearest, std::vector<std::string>& links) {
  const auto rank = [&](const std::string& link) { return std::ranges::find(dearest, link, &SlowLink::end); };
  std::ranges::stable_sort(links, {}, rank);
}

Change repaired(const std::vector<std::string>& links) {
  return cause(links.front() == NetworkChanges::kAll ? "without failures"
                                                     : fmt::format("link {} repaired", links.front()),
               ChangeGroup::failures, {{"what_if.repaired", list(links)}});
}
const std::vector<std::string> kAllLinks = {std::string(NetworkChanges::kAll)};

// The memory of an input port in bytes, which changes of queues keep.
std::int64_t memory_of_port(const ChangeSource& from) {
  return static_cast<std::int64_t>(std::llround(from.base.result.metric(metrics::port_memory_bytes)));
}
Override port_memory(std::int64_t bytes) { return {"switch.input_memory", text(to_string(Bytes{bytes}))}; }
// A spec that gives the memory of a queue cannot keep that of a port.
bool gives_memory_of_queues(const ChangeSource& from) { return from.spec.switches.queue_memory.has_value(); }
std::vector<Override> in_same_memory(const ChangeSource& from, std::vector<Override> set) {
  if (!gives_memory_of_queues(from)) set.push_back(port_memory(memory_of_port(from)));
  return set;
}
std::vector<Override> with_memory(const ChangeSource& from, std::int64_t times) {
  const auto more = [&](const Bytes& bytes) { return text(to_string(Bytes{bytes.count * times})); };
  std::vector<Override> set;
  if (from.spec.switches.queue_memory)
    set.push_back({"switch.queue_memory", more(*from.spec.switches.queue_memory)});
  else
    set.push_back(port_memory(memory_of_port(from) * times));
  if (from.spec.node.injection_memory)
    set.push_back({"node.injection_memory", more(*from.spec.node.injection_memory)});
  if (from.spec.switches.output_memory)
    set.push_back({"switch.output_memory", more(*from.spec.switches.output_memory)});
  return set;
}

std::vector<Change> of_program(const ChangeSource& from) {
  std::vector<Change> all;
  const JobSpec* const job = job_of_goal(from);
  if (job == nullptr) return all;
  const std::string key = key_of(from.spec, from.goal.of);
  Choice<ProgramKind> program = job->program;
  EachParameter visit([&](const Parameter& parameter, auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      if (parameter.name == "algorithm")
        for (const std::string_view other : parameter.choices)
          if (other != value)
            all.push_back(remedy(fmt::format("algorithm {}", other), ChangeGroup::program,
                                 {{key + "algorithm", text(other)}}));
    }
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (parameter.name == "chunks")
        for (const std::int64_t chunks : kChunks)
          if (chunks > value)
            all.push_back(remedy(fmt::format("{} chunks", chunks), ChangeGroup::program,
                                 {{key + "chunks", Document(chunks)}}));
    }
  });
  program->describe(visit);
  return all;
}

bool wait_for_nodes(const EventSpec& spec) {
  return std::ranges::any_of(spec.traffic.jobs, &JobSpec::exclusive);
}

std::vector<Change> of_allocation(const ChangeSource& from) {
  std::vector<Change> all;
  if (!wait_for_nodes(from.spec)) return all;
  for (const std::string_view other : kNames<Allocation>)
    if (other != name_of(from.spec.traffic.allocation))
      all.push_back(remedy(fmt::format("{} allocation", other), ChangeGroup::allocation,
                           {{"traffic.allocation", text(other)}}));
  return all;
}

std::vector<Change> of_placement(const ChangeSource& from) {
  std::vector<Change> all;
  const std::vector<JobSpec>& jobs = from.spec.traffic.jobs;
  // The goal of jobs that wait for nodes is that of no single one: all are placed alike.
  const JobSpec* const job =
      wait_for_nodes(from.spec) && from.goal.of.empty() ? &jobs.front() : job_of_goal(from);
  if (job == nullptr || job->placement_file.named()) return all;
  const bool has_servers = !from.plan.placed->hosts().none();
  for (const std::string_view other : kNames<Placement>)
    if (other != name_of(job->placement) && (has_servers || !is_about_servers(*value_of<Placement>(other))))
      all.push_back(remedy(fmt::format("{} placement", other), ChangeGroup::placement,
                           {{key_of(from.spec, from.goal.of) + "placement", text(other)}}));
  return all;
}

constexpr std::string_view kLaneCredits = "lane-credits", kQueueOfOutput = "voqsw";
bool shares_memory(const SwitchSpec& switches) { return switches.flow_control->shares_lanes(); }
Override share_memory() { return {"switch.flow_control", text(kLaneCredits)}; }

// Choice: a gap in which a port can send all that its memory holds, in whole microseconds.
std::int64_t microseconds_of_gap(const ChangeSource& from) {
  const double bytes_per_us = 1000 * from.spec.network.link.rate.bytes_per_ns.to_double();
  const double gap = std::ceil(static_cast<double>(memory_of_port(from)) / bytes_per_us);
  return static_cast<std::int64_t>(std::clamp(gap, 1.0, 1e6));
}

// Choices as switches have them: on arrival, for each packet, flowlet or message. With queues by output, the
// queues of a port then share its memory.
std::vector<Change> of_choices(const ChangeSource& from) {
  std::vector<Change> all;
  const RoutingSpec& routing = from.spec.routing;
  const bool arrival = routing.algorithm->at_arrival().has_value();
  for (const ChoosePer per : {ChoosePer::packet, ChoosePer::flowlet, ChoosePer::message}) {
    if (arrival && routing.choose_per == per) continue;
    std::string what = "routing adaptive on arrival";
    if (per != ChoosePer::packet) what += fmt::format(", for each {}", name_of(per));
    std::vector<Override> set{{"routing.algorithm", text("adaptive")}, {"routing.choose", text("arrival")}};
    if (per != routing.choose_per) set.push_back({"routing.choose_per", text(name_of(per))});
    if (per == ChoosePer::flowlet && !routing.flowlet_gap) {
      const std::string gap = fmt::format("{} us", microseconds_of_gap(from));
      what += fmt::format(" (gap {})", gap);
      set.push_back({"routing.flowlet_gap", text(gap)});
    }
    std::vector<Override> sharing = in_same_memory(from, set);
    sharing.push_back(share_memory());
    if (!from.accepts(set) && !shares_memory(from.spec.switches) && from.accepts(sharing)) {
      what += ", with shared memory";
      set = std::move(sharing);
    }
    all.push_back(remedy(std::move(what), ChangeGroup::routing, std::move(set)));
  }
  return all;
}

std::vector<Change> of_routing(const ChangeSource& from) {
  std::vector<Change> single, several;
  for (const Entry<Routing>& entry : routings()) {
    const Value<Routing> routing = entry.make();
    if (entry.name == from.spec.routing.algorithm.name || !routing->routes(from.plan.graph->shape()))
      continue;
    // what several paths could gain comes first
    (routing->single_path() && routing->by_destination() ? single : several)
        .push_back(remedy(fmt::format("routing {}", entry.name), ChangeGroup::routing,
                          {{"routing.algorithm", text(entry.name)}}));
  }
  for (std::vector<Change> more : {of_choices(from), std::move(single)})
    several.insert(several.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return several;
}

std::vector<Change> of_lanes(const ChangeSource& from) {
  const std::vector<std::string> rest = others(from);
  if (rest.empty() || from.spec.switches.lanes > 1) return {};
  std::vector<Override> set{{"switch.lanes", Document(std::int64_t{2})}};
  std::set<std::string> keys;  // copies of a job share one
  for (const std::string& name : rest) keys.insert(key_of(from.spec, name));
  if (keys.contains(key_of(from.spec, from.goal.of))) return {};
  for (const std::string& key : keys) set.push_back({key + "service_level", Document(std::int64_t{1})});
  return {
      remedy(fmt::format("a lane for {}, in the same memory", rest.size() == 1 ? rest.front() : "all others"),
             ChangeGroup::lanes, in_same_memory(from, std::move(set)))};
}

std::vector<Change> of_queues(const ChangeSource& from) {
  std::vector<Change> all;
  if (from.spec.node.admittance != Admittance::per_destination)
    all.push_back(remedy("a queue per destination at nodes", ChangeGroup::queues,
                         {{"node.admittance", text(name_of(Admittance::per_destination))}}));
  for (const Entry<Scheme>& entry : schemes())
    if (entry.name != from.spec.switches.scheme.name)
      all.push_back(remedy(fmt::format("{}, in the same memory", entry.name), ChangeGroup::queues,
                           in_same_memory(from, {{"switch.scheme", text(entry.name)}})));
  if (shares_memory(from.spec.switches)) return all;
  if (from.plan.map.queues > 1)
    all.push_back(remedy("queues that share their memory", ChangeGroup::queues,
                         in_same_memory(from, {share_memory()})));
  if (from.spec.switches.scheme.name != kQueueOfOutput)
    all.push_back(remedy(fmt::format("{} with shared memory", kQueueOfOutput), ChangeGroup::queues,
                         in_same_memory(from, {share_memory(), {"switch.scheme", text(kQueueOfOutput)}})));
  return all;
}

std::vector<Change> of_arbiters(const ChangeSource& from) {
  std::vector<Change> all;
  for (const std::string_view other : kNames<ArbiterKind>)
    if (other != name_of(from.spec.switches.arbiter))
      all.push_back(
          remedy(fmt::format("arbiter {}", other), ChangeGroup::arbiters, {{"switch.arbiter", text(other)}}));
  return all;
}

std::vector<Change> of_control(const ChangeSource& from) {
  std::vector<Change> all;
  if (has_control(from.spec.node)) return all;
  for (const Entry<Reaction>& reaction : reactions()) {
    if (reaction.name == "none") continue;
    // the first marking, "none" is one, that suits the reaction
    for (const Entry<Marking>& marking : markings()) {
      std::vector<Override> set{{"node.reaction", text(reaction.name)},
                                {"switch.marking", text(marking.name)}};
      if (!from.accepts(set)) continue;
      all.push_back(remedy(marking.name == "none"
                               ? fmt::format("congestion control ({})", reaction.name)
                               : fmt::format("congestion control ({}, {})", marking.name, reaction.name),
                           ChangeGroup::control, std::move(set)));
      break;
    }
  }
  return all;
}

std::vector<Change> of_crossbars(const ChangeSource& from) {
  const double now = from.spec.switches.crossbar_speedup;
  std::vector<Change> all{remedy("crossbars twice as fast", ChangeGroup::crossbars,
                                 {{"switch.architecture", text(name_of(Architecture::cioq))},
                                  {"switch.crossbar_speedup", Document(2 * now)}})};
  if (from.spec.switches.architecture == Architecture::oq) return all;
  std::vector<Override> set =
      in_same_memory(from, {{"switch.architecture", text(name_of(Architecture::oq))},
                            {"switch.scheme", text(kQueueOfOutput)},
                            {"switch.arbiter", text(name_of(ArbiterKind::oldest_first))}});
  if (!shares_memory(from.spec.switches)) set.push_back(share_memory());
  all.push_back(remedy("output-queued switches, in the same memory", ChangeGroup::crossbars, std::move(set)));
  return all;
}

Change doubled(DoubledLinks which, std::string_view what) {
  return remedy(fmt::format("{} twice as fast", what), ChangeGroup::rates,
                {{"what_if.doubled", text(name_of(which))}});
}

}  // namespace

std::vector<Change> things_there(const ChangeSource& from) {
  std::vector<Change> all;
  if (const std::vector<std::string> rest = others(from); !rest.empty()) all.push_back(without(rest));
  if (const std::vector<std::string> slow = slow_links(*from.plan.placed); !slow.empty())
    all.push_back(slow.size() == 1
                      ? at_usual_rate(slow)
                      : cause(fmt::format("all {} slow links at the rate of their peers", slow.size()),
                              ChangeGroup::rates, {{"what_if.usual_rates", list(kAllLinks)}}));
  if (from.plan.placed->has_failures()) all.push_back(repaired(kAllLinks));
  if (!from.spec.events.empty())
    all.push_back(cause("without events", ChangeGroup::failures, {yes("what_if.no_events")}));
  if (has_slow_receivers(from.spec.node))
    all.push_back(
        cause("nodes that consume at once", ChangeGroup::receivers, {yes("what_if.fast_receivers")}));
  if (has_control(from.spec.node))
    all.push_back(cause("congestion control off", ChangeGroup::control, control_off()));
  if (from.spec.switches.lane_turns != TurnsOfLanes::none)
    all.push_back(cause("lanes that take no turns", ChangeGroup::lanes,
                        {{"switch.lane_turns", text(name_of(TurnsOfLanes::none))}}));
  return all;
}

std::vector<Change> other_bounds(const ChangeSource& from) {
  std::vector<Change> all{bound("one perfect switch", ChangeGroup::fabric, {yes("what_if.perfect_switch")})};
  if (const JobSpec* const job = job_of_goal(from)) {
    all.push_back(bound("without computing", ChangeGroup::computing, {yes("what_if.no_computing")}));
    if (job->overhead.ns > Rational(0) || job->overhead_per_byte.ns > Rational(0))
      all.push_back(bound("without overhead", ChangeGroup::computing, {yes("what_if.no_overhead")}));
  }
  all.push_back(bound("no delay of links", ChangeGroup::delay, {yes("what_if.no_delay")}));
  all.push_back(
      bound(fmt::format("{} times the memory", kNoLimit), ChangeGroup::memory, with_memory(from, kNoLimit)));
  return all;
}

std::vector<Change> members(const ChangeSource& from, ChangeGroup group) {
  std::vector<Change> all;
  if (group == ChangeGroup::traffic) {
    for (const std::string& name : others(from)) all.push_back(without({name}));
  } else if (group == ChangeGroup::rates) {
    std::vector<std::string> slow = slow_links(*from.plan.placed);
    if (from.account) dearest_first(from.account->slow_links, slow);
    for (const std::string& link : slow) all.push_back(at_usual_rate({link}));
  } else if (group == ChangeGroup::failures) {
    const NetworkSpec& network = from.spec.network;
    for (const std::string& link : failed_links(network.faults, network.topology->build(network.link)))
      all.push_back(repaired({link}));
  }
  // Choice: the first ones of many links; the group says what all of them gain.
  if (group != ChangeGroup::traffic && all.size() > kMostLinks) all.resize(kMostLinks);
  if (all.size() < 2) all.clear();  // it is the group
  return all;
}

std::vector<Change> remedies_of(const ChangeSource& from, ChangeGroup group) {
  switch (group) {
    case ChangeGroup::program:
      return of_program(from);
    case ChangeGroup::allocation:
      return of_allocation(from);
    case ChangeGroup::placement:
      return of_placement(from);
    case ChangeGroup::routing:
      return of_routing(from);
    case ChangeGroup::lanes:
      return of_lanes(from);
    case ChangeGroup::queues:
      return of_queues(from);
    case ChangeGroup::arbiters:
      return of_arbiters(from);
    case ChangeGroup::memory:
      return {remedy("twice the memory", group, with_memory(from, 2))};
    case ChangeGroup::control:
      return of_control(from);
    case ChangeGroup::crossbars:
      return of_crossbars(from);
    case ChangeGroup::rates:
      return {doubled(DoubledLinks::switches, "links between switches"),
              doubled(DoubledLinks::nodes, "links of nodes")};
    default:
      return {};
  }
}

}  // namespace headway
