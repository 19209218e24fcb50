// SPDX-License-Identifier: Apache-2.0
// What a spec becomes, as a value: every part of its network and traffic, and every mistake. Checks,
// estimates and notes read the plan; a run makes its tables from it (build.h). Each file of compile/plan/
// plans one part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headway/analysis/bottleneck.h"
#include "headway/base/cancel.h"
#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/memo.h"
#include "headway/compile/memory.h"
#include "headway/config/document.h"
#include "headway/engine/network_options.h"
#include "headway/engine/workload.h"
#include "headway/programs/compiled_program.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/routes.h"
#include "headway/spec/spec.h"
#include "headway/topology/aggregators.h"
#include "headway/trace/replay.h"

namespace headway {

// A job without what depends on the tick.
struct JobPlan {
  std::shared_ptr<const CompiledProgram> program;   // null: there are mistakes
  std::vector<NodeId> nodes;                        // [rank]; aggregators after the nodes, by switch
  std::shared_ptr<const std::vector<NodeId>> pool;  // as in Job
};

struct TracePlan {
  TraceWindow window;
  double compression = 1;
};

struct Plan {
  Mistakes mistakes;  // under dotted keys; if there are any, parts are missing
  std::uint32_t nodes = 0;
  // [flow] the nodes that send, also of a flow that is absent.
  std::shared_ptr<const std::vector<std::vector<NodeId>>> senders =
      std::make_shared<const std::vector<std::vector<NodeId>>>();
  std::vector<TracePlan> traces;
  // [node] the rate of its link as a fraction of what it is because of what_if, so that loads stay the same
  // in bytes per time; empty: 1 of all
  std::vector<double> rates;
  std::shared_ptr<const Graph> placed;  // where jobs are placed: the graph without the changes of what_if
  // With the aggregators of its switches. Null: too large to build for a check; then, nothing below is
  // planned.
  std::shared_ptr<const Graph> graph;
  std::vector<Aggregator> aggregators;  // that jobs need, by switch
  Routes routes;
  QueueMap map;
  std::vector<JobPlan> jobs;
  // None if the spec has neither classes nor turns of lanes.
  std::vector<std::string> class_names;
  ClassNumbers classes;
  NetworkOptions options;  // the tick, memories, turns, pauses, congestion control, selection function
  MemoryNeed need;         // of a run
  std::shared_ptr<const Bottlenecks> bottlenecks;  // of the routes
};

// What plans share, and what they are for.
struct Planning {
  // Networks, routes and programs take most of the time of a plan. Plans with the same ones share them here.
  Memo& memo;
  CancelFlag cancelled = nullptr;  // polled while traces are read
  Purpose purpose = Purpose::simulate;
  // Bytes of graphs that may still be built, which limits the time that checks of large networks take. Null:
  // any number.
  std::uint64_t* graphs_left = nullptr;
  // As if no job used the switches: for what is about the network, whatever runs on it.
  bool network_alone = false;
  // The spec has mistakes already, or another point of its sweep could not be read.
  bool has_mistakes = false;
  // The mistakes that reading the spec has reported. Their keys have default values, so a part that reads
  // them is not planned.
  std::span<const Mistake> unread = {};
};

// `written` is the resolved spec. The plan of another kernel has mistakes only.
Plan plan(const Spec& spec, const Document& written, const Planning& planning);
Plan plan(const EventSpec& spec, const Document& written, const Planning& planning);

// The network of a spec, not to be simulated. Throws SpecError with all mistakes of the spec.
Plan plan_of(const EventSpec& spec);
// Without the aggregators that its jobs need.
Plan plan_of_network_alone(const EventSpec& spec);

}  // namespace headway
