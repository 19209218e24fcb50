// SPDX-License-Identifier: Apache-2.0
// An experiment: the points of a spec's sweep, each with its Spec, and the number of repetitions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/compile/memory_need.h"
#include "headway/compile/stored_point.h"
#include "headway/config/document.h"
#include "headway/metrics/result.h"
#include "headway/spec/saturation_search.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/spec.h"
#include "headway/spec/sweep_axes.h"

namespace headway {

// An iteration of a job, by formula.
struct JobWork {
  std::string name;
  std::uint32_t copies = 1;  // with the same work
  std::uint32_t ranks = 0;
  std::uint64_t operations = 0;
  double messages = 0, packets = 0, bytes = 0;  // without control messages
  double time_ns = 0;                           // if no other traffic is in the network
  // So many chunks shorten it, if the job has none; 0: they would not, much.
  std::int64_t chunks = 0;
  double chunked_ns = 0;  // with these
};

// The work of a run, estimated before it starts (run_cost.h).
struct RunWork {
  // Switches that packets cross. Assumes that the network carries what its nodes can send and receive: if it
  // saturates elsewhere, this is too many.
  double hops = 0;
  double time_ns = 0;  // simulated; with measure.until = "done", an estimate
  // Links that the verdict follows to find the busiest one (analysis/link_demand.h); once for all runs with
  // the same routes and traffic.
  double crossings = 0;
  // What flows at their largest load have, if the network carries it: the packets in the network at one time,
  // the mean time of a packet there, in ns, and the hops in progress.
  double packets = 0, packet_ns = 0, moving = 0;
  double pairs = 0;  // of flows: sources and destinations
  std::vector<JobWork> jobs = {};
};

struct Point {
  Params params;           // in axis order
  std::uint64_t seed = 1;  // of its first run, as in its spec
  // Creates the Spec on demand, because a Spec needs kilobytes and there can be a million points.
  std::function<Spec()> spec;
  std::optional<StoredPoint> stored = {};  // none if this needs the content of files
  RunWork work = {};                       // of each of its runs
  MemoryNeed need = {};                    // of each of its runs
};

class Memo;

struct Experiment {
  std::vector<Point> points;
  int seeds = 1;  // repetitions per point, with spec.seed, spec.seed + 1, ...; with `until`, the maximum
  std::optional<SeedsUntil> until = {};  // each point is repeated until this holds
  // How each point is computed: by this search, or without one by a single run. Part of the keys of its
  // results (run/run_key.h). Set by load_for_search.
  std::optional<SaturationSearch> search = {};
  MemoryNeed need;             // maximum over all its runs
  bool whole = true;           // false if a check skipped large networks
  std::string short_packets;   // of a flow, in much longer slots (notes.h); empty: none
  std::string hot_spot;        // too large for the reaction (notes.h); empty: none
  std::string repeats;         // says which points repeat the run of another one; empty: none
  std::shared_ptr<Memo> memo;  // what the plans of its runs share; null: nothing
  Document document;           // the spec file with every default written; it reproduces the experiment
  MemoryFiles files;           // the files in memory that it names
};

}  // namespace headway
