// SPDX-License-Identifier: Apache-2.0
// Compiled traffic: the sources, and how each generates messages. Constant during a run and shared by
// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "headway/base/ids.h"
#include "headway/programs/allocation.h"
#include "headway/programs/compiled_program.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_list.h"
#include "headway/traffic/message_sizes.h"
#include "headway/traffic/pattern.h"
#include "headway/traffic/profile.h"

namespace headway {

struct Flow {
  std::shared_ptr<const Destinations> destinations;
  std::shared_ptr<const ArrivalProcess> arrivals;  // null: saturated
  std::uint32_t backlog = 0;                       // saturated: messages kept waiting at the node
  Tick start = 0;                                  // saturated: generates in [start, stop)
  Tick stop = INT64_MAX;
  // The sizes of messages, drawn by each source; null: all have the same size.
  std::shared_ptr<const SizeDistribution> sizes;
  std::uint32_t packets = 1;                 // per message, if all have the same size
  std::uint32_t last_bytes = 64;             // of a message in its last packet; the others are full
  std::optional<std::uint8_t> service = {};  // service level; none: that of source and destination
  // The flow that this one is a copy of, for nodes whose links have another rate. Their random streams are
  // its streams, so that they do not depend on the number of flows.
  std::optional<std::uint32_t> copy_of = {};
  // The demand of each source, for the fair share (metrics/fairness.h): its load over time, and load 1.
  LoadProfile load;
  double bytes_per_tick = 0;
};

struct Source {
  NodeId node = 0;  // of a node with several links, the first one
  std::uint32_t flow = 0;
};

// A list of messages with their own times, in addition to the flows.
struct Trace {
  std::shared_ptr<const MessageList> messages;
  std::vector<NodeId> senders;  // the nodes whose messages it can contain
  double compression = 1;       // factor by which it is replayed faster than recorded, for the results
  std::optional<std::uint8_t> service = {};  // as in Flow
};

// A time in ticks that need not be whole: numerator / denominator.
struct TickFraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

// A program on nodes (docs/programs.md).
struct Job {
  std::shared_ptr<const CompiledProgram> program;
  std::vector<NodeId> nodes;  // [rank] of a job that waits for nodes: those that it gets if all are free
  // The nodes that a job can get, in the order in which it takes free ones; null: it does not wait for them.
  std::shared_ptr<const std::vector<NodeId>> pool = nullptr;
  std::uint32_t ranks_per_node = 1;
  std::uint32_t number_in_file = 0;  // copies of a job have the same
  Tick start = 0;                    // of a job that waits for nodes: its submission
  std::vector<Tick> stagger = {};    // [rank] added to the start
  std::uint32_t iterations = 1;
  bool background = false;                   // repeats for ever, and the run does not wait for it
  bool buffered = false;                     // a send completes at the end of its turn
  std::uint64_t rendezvous = UINT64_MAX;     // messages of more bytes are announced
  std::uint64_t control_bytes = 64;          // length of an announcement and of its answer
  Tick local_delay = 0;                      // of messages between ranks on one node
  TickFraction picosecond;                   // of computes
  TickFraction overhead, overhead_per_byte;  // of sends and receives
  std::optional<std::uint8_t> service = {};  // as in Flow

  Tick stagger_of(std::uint32_t rank) const { return stagger.empty() ? 0 : stagger[rank]; }
  std::size_t nodes_needed() const { return (nodes.size() + ranks_per_node - 1) / ranks_per_node; }
  // The nodes on which its ranks can be.
  std::span<const NodeId> possible_nodes() const { return pool != nullptr ? *pool : nodes; }
  bool announces(std::uint64_t bytes) const { return bytes > rendezvous; }
  // How long an operation of a rank occupies its CPU, rounded down. Aggregators send and receive without one.
  Tick turn(std::uint32_t rank, ProgramOpKind kind, std::uint64_t amount) const;
};

struct Workload {
  std::vector<Flow> flows;
  std::vector<Source> sources;       // flow by flow, nodes ascending within a flow
  std::vector<NodeId> node_of_spec;  // [source] its node as the spec numbers it; empty: the same number
  std::vector<Trace> traces;
  std::vector<Job> jobs;
  Allocation allocation = Allocation::fifo;
  bool notifies = false;                                  // destinations send notifications as packets
  std::optional<std::uint8_t> notification_service = {};  // as in Flow

  bool allocates_nodes() const {
    return std::ranges::any_of(jobs, [](const Job& job) { return job.pool != nullptr; });
  }

  // What generates messages: the sources, after them the traces, then the jobs, and then all notifications,
  // numbered together.
  std::uint32_t generators() const { return notifier() + (notifies ? 1 : 0); }
  std::uint32_t notifier() const { return first_job_generator() + static_cast<std::uint32_t>(jobs.size()); }
  std::uint32_t first_job_generator() const {
    return static_cast<std::uint32_t>(sources.size() + traces.size());
  }

  // The service level of the messages of a generator.
  std::optional<std::uint8_t> service_of(std::uint32_t generator) const {
    if (generator < sources.size()) return flows[sources[generator].flow].service;
    if (generator < first_job_generator()) return traces[generator - sources.size()].service;
    if (generator == notifier()) return notification_service;
    return jobs[generator - first_job_generator()].service;
  }

  // The random stream of a source: draws per message its destination, then the gap to the next message and
  // the size of the next message. The first gap and the first size are drawn at the start.
  Rng stream(std::uint64_t seed, std::uint32_t source) const {
    const std::uint32_t flow = flows[sources[source].flow].copy_of.value_or(sources[source].flow);
    const NodeId node = node_of_spec.empty() ? sources[source].node : node_of_spec[source];
    return {seed, StreamKind::source, std::uint64_t{flow} << 32 | node};
  }
};

// The flows of a spec by number, and after them its traces, the notifications that travel, and its jobs.
struct FlowNumbers {
  // `flow_of_spec`: [flow of the workload] its number in the spec.
  FlowNumbers(const Workload& workload, std::span<const std::uint32_t> flow_of_spec);

  std::uint32_t flows = 0;
  std::vector<std::uint32_t> of_generator;  // [as numbered by Workload::generators]
};

// The classes of a spec by number. Needs a network with lanes.
struct ClassNumbers {
  std::uint32_t classes = 0;
  std::vector<std::uint8_t> of_service;  // [service level]
  std::vector<std::uint8_t> of_lane;     // [lane of the service level]
};

}  // namespace headway
