// SPDX-License-Identifier: Apache-2.0
// A second implementation of docs/programs.md: an interpreter that looks at every rank in every tick. It
// shares the compiled program and types of results with the engine, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/engine/jobs.h"
#include "headway/engine/workload.h"

namespace headway::reference {

inline OpOfRank of_rank(const Program& program, std::uint32_t op) {
  return {program.rank_of(op), program.number_in_rank(op)};
}

class NaiveJobs {
 public:
  // Generates a message and returns the serial number of its first packet.
  using Make =
      std::function<std::uint32_t(std::uint32_t generator, NodeId& from, NodeId& to, std::uint64_t bytes)>;
  struct Times {
    Tick start = -1, finish = -1;
  };

  NaiveJobs(const Workload& workload, std::uint32_t most_carried);

  void act(Tick now, const Make& make);  // phase 3
  // A packet of a message leaves its node until `end`, or has been delivered.
  void leaves(NodeId node, std::uint32_t message, std::uint32_t serial, Tick end);
  void delivered(NodeId source, std::uint32_t message, std::uint32_t serial, Tick now);

  bool done() const;
  const Program& program(std::size_t job) const { return *jobs_[job].program; }
  const std::vector<Times>& times(std::size_t job) const { return jobs_[job].times; }  // last iterations
  // Its nodes by rank, and when it began to use them; empty and -1: it waits for nodes.
  const std::vector<NodeId>& nodes(std::size_t job) const { return jobs_[job].nodes; }
  Tick begin(std::size_t job) const { return jobs_[job].begin; }
  // [iteration] when its first rank began and its last rank ended
  const std::vector<std::pair<Tick, Tick>>& iterations(std::size_t job) const {
    return jobs_[job].iterations;
  }
  // The critical path of a job that is done, found backwards from its finish in the history of all operations
  // (critical_path.cpp). Without steps that take no time.
  std::vector<PathStep> critical_path(std::size_t job) const;
  // All messages that have been delivered over the network.
  const std::vector<JobMessage>& messages() const { return delivered_messages_; }

 private:
  friend class PathSearch;
  enum Kind { turn_ended, left, data_delivered, request_delivered, clearance_delivered };
  struct Event {
    std::uint32_t op;
    Kind kind;
    std::uint32_t iteration;
    friend auto operator<=>(const Event&, const Event&) = default;
  };
  struct Rank {
    bool begun = false, finished = false;
    std::uint32_t iteration = 0;
    std::multimap<Tick, Event> events;
    std::set<std::uint32_t> started, complete, ready, waiting;         // operations
    std::set<std::pair<std::uint32_t, std::uint32_t>> data, requests;  // receive and iteration
    std::set<std::uint8_t> busy;                                       // CPUs
  };
  using OpOfIteration = std::pair<std::uint32_t, std::uint32_t>;  // operation, iteration of its rank
  // A message of an operation: when it was generated, had left and was delivered; where, if it entered the
  // network; and the packets that left and arrived last.
  struct MessageHistory {
    Tick generated = -1, left = -1, delivered = -1;
    NodeId node = kNone;
    std::uint32_t last_to_leave = 0, last_to_arrive = 0;
  };
  struct OpHistory {
    Tick ready = -1, turn = -1, turn_end = -1, complete = -1;
    std::optional<OpOfIteration> turn_before;  // on its CPU
    std::map<Kind, MessageHistory> messages;   // of a send, by what they arrive as
  };
  struct OneJob {
    std::map<OpOfIteration, OpHistory> history;
    std::map<std::pair<std::uint32_t, std::uint8_t>, OpOfIteration> last_turn;  // by rank and CPU
    const Job* job = nullptr;
    std::vector<NodeId> nodes;               // [rank]; empty: it waits for nodes
    Tick begin = -1;                         // -1: it has not begun
    std::shared_ptr<const Program> program;  // of the job, with every operation
    std::uint32_t generator = 0;
    std::uint32_t members = 0;  // ranks with operations
    std::vector<Rank> ranks;
    std::vector<std::set<std::uint32_t>> needs_complete, needs_start;  // [operation]
    std::vector<Times> times;
    std::vector<std::pair<Tick, Tick>> iterations;
    std::vector<std::uint32_t> ended;  // [iteration] ranks
  };
  struct Message {
    OneJob* job;
    std::uint32_t send, iteration;
    Kind arrives_as;
    std::uint32_t to_leave, to_arrive;
  };

  void give_nodes();
  void act(OneJob& job, std::uint32_t rank);
  void apply(OneJob& job, Rank& rank, const Event& event);
  void begin_iteration(OneJob& job, std::uint32_t rank);
  void make_ready(OneJob& job, Rank& rank, std::uint32_t op);
  void start(OneJob& job, Rank& rank, std::uint32_t op);
  void complete(OneJob& job, Rank& rank, std::uint32_t op);
  void release(OneJob& job, Rank& rank, const std::vector<std::set<std::uint32_t>>& needs, std::uint32_t op);
  void send(OneJob& job, std::uint32_t op, Kind arrives_as);
  bool is_announced(const OneJob& job, std::uint32_t send) const;
  bool is_finished(const OneJob& job) const {
    return std::ranges::all_of(job.ranks, [](const Rank& rank) { return rank.finished; });
  }
  std::uint32_t first(const OneJob& job, std::uint32_t rank) const {
    return job.program->first_of_rank[rank];
  }

  std::uint32_t most_carried_;
  Allocation allocation_;
  std::vector<OneJob> jobs_;
  std::vector<JobMessage> delivered_messages_;
  std::map<std::pair<NodeId, std::uint32_t>, Message> messages_;  // by node and first serial number
  Tick now_ = 0;
  const Make* make_ = nullptr;
};

}  // namespace headway::reference
