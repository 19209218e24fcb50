// SPDX-License-Identifier: Apache-2.0
// The generators of messages at the nodes of a part: sources of flows, traces and jobs. Adapters (adapters.h)
// let them generate; here is what does not depend on the shape of an instance, so it is compiled once: what
// they have, and what happens once in a run or seldom.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "headway/base/number_groups.h"
#include "headway/base/sparse_array.h"
#include "headway/engine/gates.h"
#include "headway/engine/jobs.h"
#include "headway/engine/link_changes.h"
#include "headway/engine/simulation.h"
#include "headway/engine/source_stream.h"
#include "headway/engine/state.h"
#include "headway/engine/workload.h"

namespace headway {

class Generators {
 public:
  // Throws BacklogTooLarge if the waiting messages need more than `backlog_limit` bytes.
  Generators(State& state, const Workload& workload, const SimulationOptions& options, Jobs& jobs);

  void start();
  // For skip.h: the jobs act before the rest of the tick, and what sources will generate is foreseen. Calls
  // visit(node, destination) for every message of the tick, which adapters make in phase 3. While it visits,
  // other ticks can be simulated, which have no such messages.
  template <class Visit>
  void plan(Bucket& due, Visit&& visit) {
    std::vector<Planned> of_jobs;
    for (const auto& [node, destination] : plan_all(due, of_jobs)) visit(node, destination);
    planned_ = std::move(of_jobs);
  }
  bool has_planned() const { return !planned_.empty(); }
  // Makes sure that the tick of the next change is simulated (link_changes.h).
  void wait_for_change() {
    if (const Tick next = next_change(state_); next != kNoChange)
      state_.wheel.schedule_timer(next, workload_.generators() + kTimerOfChanges);
  }
  // The memory of the sources; what waits at nodes is counted elsewhere (state_memory.h).
  std::uint64_t bytes() const { return sources_.bytes() + wakers_.bytes() + regenerated_.bytes(); }

 protected:
  struct alignas(64) SourceState : SourceStream {
    bool stalled = false;
    NodeId node = 0;
    std::uint32_t waiting_messages = 0;  // messages of this source that are not completely admitted
  };
  static_assert(sizeof(SourceState) == 64);
  // One pass over a trace. Traces are numbered as sources, after the sources of the flows.
  struct TraceState {
    std::unique_ptr<MessageCursor> cursor;
    std::optional<TimedMessage> next;
  };
  struct Planned {
    std::uint32_t job;
    NodeId node, destination;
    PacketsOfMessage cut;
  };

  const PortState& adapter(NodeId node) const { return state_.ports[state_.network.adapter_port(node)]; }
  // Sorts the generators that are due in a tick, if several of them have messages for one node.
  void put_in_order(Bucket& due) const;
  // Makes two nodes with several links, which any of their links stand for, the links that a message takes.
  void choose_way(NodeId& from, NodeId& to);
  // Counts a generated message by flow and by class.
  void count_parts(std::uint32_t source, const Message& message, NodeId at, std::uint64_t bytes);
  void forget_later_messages(NodeId node, std::uint32_t queue);
  void forget_queue(NodeId node, std::uint32_t last, std::uint32_t queue);
  // With a limit of admittance: since when a source has wanted to send. Its message was due then or, with
  // `saturated` arrivals, it generated the one before.
  std::pair<Tick, std::uint32_t> turn_of(std::uint32_t source) const {
    return {tick_of(sources_[source].next), source};
  }
  // Returns true if a source of the same node has stalled that has wanted to send for longer.
  bool others_come_first(std::uint32_t source) const {
    return std::ranges::any_of(wakers_[sources_[source].node], [&](std::uint32_t other) {
      return sources_[other].stalled && turn_of(other) < turn_of(source);
    });
  }

  State& state_;
  AdmittanceState& waits_ = state_.admittance;
  const Workload& workload_;
  const Framing framing_;         // of the network
  const FlowNumbers* flow_of_;    // null: nothing is counted by flow
  const ClassNumbers* class_of_;  // null: nothing is counted by class
  // Behind the generators: the timers of `gates_`, and those of changes. They generate nothing.
  static constexpr std::uint32_t kTimerOfChanges = 1;
  // [generator of the workload] of the nodes here; then the timers
  SparseArray<SourceState> sources_;
  std::vector<TraceState> traces_;
  Jobs& jobs_;
  Gates gates_;
  std::uint32_t first_trace_ = 0;
  std::uint32_t first_job_ = 0;
  bool counts_parts_;                      // by flow or class
  bool nodes_shared_ = false;              // a node has several sources, so their order within a tick matters
  bool queue_fixed_ = true;                // all packets for a destination wait for the same injection queue
  std::uint32_t channels_ = 1;             // injection queues per group
  std::vector<std::uint32_t> link_turns_;  // [home] of its messages that had a choice; or empty
  NumberGroups wakers_;                    // [node] its sources that can continue when it admits a packet
  std::vector<Planned> planned_;           // of jobs
  std::vector<std::uint32_t> packets_planned_;  // [node] while a tick is planned
  NumberGroups regenerated_;  // [node] its sources, if its messages can be regenerated (tails.h)

 private:
  // Returns the nodes and destinations of the messages of this tick. Leaves the events of sources.
  std::vector<std::pair<NodeId, NodeId>> plan_all(Bucket& due, std::vector<Planned>& of_jobs);
  // The time that the packets at a node take on its link, in packets.
  std::uint64_t waiting_time(NodeId node) const;
};

}  // namespace headway
