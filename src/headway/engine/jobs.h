// SPDX-License-Identifier: Apache-2.0
// The variable state of jobs: which operations of each rank are ready, wait for a CPU or run, and which
// messages are on their way (docs/programs.md). Work is per operation and message, not per packet-hop, so
// this is no template.
//
// In a run on several threads, each part of it has the ranks on its nodes (parts.h). What a rank does has an
// effect on ranks of other nodes by packets only. The part of the receiver is told of a message by mail when
// it is generated, which is before any of its packets can leave its part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/base/function_ref.h"
#include "headway/base/histogram.h"
#include "headway/config/limits.h"
#include "headway/engine/causes.h"
#include "headway/engine/network.h"
#include "headway/engine/node_allocation.h"
#include "headway/engine/packet.h"
#include "headway/engine/wheel.h"
#include "headway/engine/workload.h"

namespace headway {

// Times of an operation in the last iteration of its rank; -1: not yet.
struct ProgramOpTimes {
  Tick start = -1;
  Tick finish = -1;
  friend bool operator==(const ProgramOpTimes&, const ProgramOpTimes&) = default;
};

struct IterationTimes {
  Tick begin = 0;  // of its first rank
  Tick end = 0;    // of its last rank
  friend bool operator==(const IterationTimes&, const IterationTimes&) = default;
};

struct RankTimes {
  Tick finish = -1;    // of its last iteration; -1: not yet
  Tick computing = 0;  // sums over its CPUs
  Tick overhead = 0;   // turns of sends and receives
  Tick idle = 0;       // no CPU has a turn, from its begin to its finish
};

// What a job has done, or the part of a run of it: then without the iterations, and with the rows of all
// ranks.
struct JobRecord {
  std::uint64_t completed = 0;  // operations
  std::uint64_t messages = 0;   // generated; without control messages
  std::uint64_t bytes = 0;
  std::uint64_t iterations = 0;  // completed by all ranks
  Tick iteration_sum = 0;        // of their lengths
  Tick longest_iteration = 0;
  Histogram spans;                           // their lengths in ticks
  Tick span_sum = 0;                         // of these
  Tick start = -1;                           // of the job; -1: it waits for nodes
  Tick finish = -1;                          // of the last rank; -1: not yet
  std::vector<IterationTimes> of_iteration;  // the first kMostIterationsKept
  std::span<const NodeId> nodes;             // [rank]
  std::span<const RankTimes> ranks;
  std::span<const ProgramOpTimes> ops;  // if asked for: rank by rank

  static constexpr std::size_t kMostIterationsKept = 100'000;

  void end_iteration(const IterationTimes& times);
  // Adds what another part of the run has counted.
  void add(const JobRecord& other);
  template <class Io>
  void serialize_counts(Io& io) {
    io.value(completed);
    io.value(messages);
    io.value(bytes);
    spans.serialize(io);
    io.value(span_sum);
    io.value(finish);
  }
};

// An operation that is ready and not complete, for the report of a job that has not finished.
struct WaitingOp {
  // A send waits until its message has left or, announced, its receive has answered; a receive until its
  // message has come. Each operation waits for a CPU to begin and to end its turn.
  enum class For : std::uint8_t { departure, answer, message, cpu };
  OpOfRank op = {};
  std::uint32_t iteration = 0;
  For what = For::cpu;
};

// What is kept of jobs beyond their state.
struct KeptOfJobs {
  bool ops = false;     // JobRecord::ops
  bool causes = false;  // for Jobs::critical_path
};

// A step of a critical path: the time from the event before it to the event that ends it.
struct PathStep {
  Tick begin = 0;
  Tick end = 0;
  StepKind kind = StepKind::turn;
  OpOfRank op = {};             // turn: its operation; message: its send
  std::uint32_t iteration = 0;  // of the rank
  NodeId node = kNone;          // of a message: where it was generated; none: it stayed on its node
  std::uint32_t serial = 0;     // of a message: of the packet that left or arrived last
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

// The path to an event of a part of the run.
std::vector<PathStep> path_to(std::span<const Causes* const> parts, std::uint32_t last, std::uint8_t part);

// A message over the network, when it has been delivered. Control messages are no messages of their own.
struct JobMessage {
  std::uint32_t job;
  OpOfRank send;
  std::uint32_t iteration;
  Tick begun = 0;                      // end of the turn of its send
  Tick delivered = 0;                  // its last byte
  NodeId source = 0, destination = 0;  // of its ranks
  friend auto operator<=>(const JobMessage&, const JobMessage&) = default;
};
using JobMessageListener = std::function<void(const JobMessage&)>;

// What Jobs tells whoever looks for stretches of time that repeat themselves (skip.h). Messages are named by
// numbers that are used again when they are delivered.
struct JobWatch {
  struct Left {
    std::uint32_t message;
    NodeId node;
    Tick tick;
  };
  struct Arrived {
    std::uint32_t message;
    NodeId source, destination;
    std::uint32_t serial, generator, bytes, payload;
    Tick tick, generated, injected;
  };
  bool sees_left = false;
  bool sees_arrived = false;  // and messages that begin, also of flows
  std::vector<Left> left;     // packets that have left their nodes
  std::vector<Arrived> arrived;
  std::vector<std::pair<NodeId, NodeId>> begun;
};

// A message on its way, as Jobs knows it.
struct MovingMessage {
  NodeId node, destination;
  std::uint32_t generator;
  std::uint32_t serial;   // of its first packet
  std::uint32_t packets;  // in all
  std::uint32_t to_leave, to_arrive;
};

// What observers see of the jobs of a run.
class JobsView {
 public:
  virtual ~JobsView() = default;
  virtual std::size_t size() const = 0;
  // All jobs that are not in the background have completed their last operation. False without jobs.
  virtual bool done() const = 0;
  // Operations that they have completed.
  virtual std::uint64_t completed() const = 0;
  virtual const JobRecord& record(std::size_t job) const = 0;
  // At most `most` of them, in the order of their numbers.
  virtual std::vector<WaitingOp> waiting(std::size_t job, std::size_t most) const = 0;
  // The critical path of a job that is done, from its start to its finish: every step begins where the one
  // before it ends. Steps without a length are left out. Empty for jobs in the background.
  virtual std::vector<PathStep> critical_path(std::size_t job) const = 0;
  // Operations whose state is in memory: those of pages with an operation that is open.
  virtual std::uint64_t operations_in_memory(std::size_t job) const = 0;
};

// When the jobs that a run waits for can be done, as far as a part of the run knows. Before a part simulates
// an epoch, all parts must know that it does not go beyond the tick in which they are.
struct JobsProgress {
  std::uint64_t completed = 0;   // operations
  std::uint32_t unfinished = 0;  // ranks
  Tick not_before = 0;           // they are not done before this tick
  bool sends = false;            // ranks will send more messages over the network
  bool sends_abroad = false;     // they will send more to other parts, or packets are on the way there

  // Adds what another part knows.
  void add(const JobsProgress& other) {
    completed += other.completed;
    unfinished += other.unfinished;
    not_before = std::max(not_before, other.not_before);
    sends |= other.sends;
    sends_abroad |= other.sends_abroad;
  }
};

// A message on its way over the network, as the parts of its sender and of its receiver know it.
struct MessageFlight {
  NodeId source, destination;
  std::uint32_t message;  // serial number of its first packet
  std::uint32_t packets;
  std::uint32_t job, iteration;
  OpOfRank send, receive;
  std::uint32_t cause;      // why it was generated
  std::uint8_t cause_part;  // which has the cause
  StepKind kind;            // data, request or clearance
  Tick begun;
};

struct JobTables;
struct PartOfRun;
struct State;

// The jobs of a run, or of a part of it: then it has the ranks on the nodes of the part.
class Jobs final : public JobsView {
 public:
  // `listener`: is told every message, in the order of ticks; can be empty.
  Jobs(const Workload& workload, State& state, KeptOfJobs kept, JobMessageListener listener);

  bool none() const { return jobs_.empty(); }
  bool done() const override { return unfinished_ == 0 && has_end_; }
  std::uint64_t completed() const override;
  const JobRecord& record(std::size_t job) const override { return jobs_[job].record; }
  // The most memory of the state of a job whose operations are open for as long as they can be, roughly.
  static std::uint64_t most_bytes(const CompiledProgram& program, bool announces, bool keeps_causes);
  std::uint64_t operations_in_memory(std::size_t job) const override {
    return std::uint64_t{jobs_[job].pages - jobs_[job].free_pages.size()} << jobs_[job].page_bits;
  }
  std::size_t size() const override { return jobs_.size(); }
  std::vector<WaitingOp> waiting(std::size_t job, std::size_t most) const override;
  std::vector<PathStep> critical_path(std::size_t job) const override;

  // For skip.h.
  void watch(JobWatch* watch) { watch_ = watch; }
  std::uint32_t most_messages() const { return static_cast<std::uint32_t>(flights_.size()); }  // numbers
  std::uint32_t moving_messages() const { return moving_; }
  bool is_moving(std::uint32_t message) const { return flights_[message].to_arrive > 0; }
  MovingMessage moving(std::uint32_t message) const {
    const Flight& flight = flights_[message];
    return {flight.source,   flight.destination, first_generator_ + flight.job,
            flight.message,  flight.packets,     flight.to_leave,
            flight.to_arrive};
  }
  std::uint32_t message_of(NodeId node, std::uint32_t first_serial) const {
    return flight_of_.value(flight_key(node, first_serial), kNone);
  }
  // A message begins, of a job or a flow.
  void note_begin(NodeId node, NodeId destination) {
    if (watch_ != nullptr && watch_->sees_arrived) watch_->begun.emplace_back(node, destination);
  }
  // As many packets leave their node and arrive. Neither are the last ones.
  void skip_packets(std::uint32_t message, std::uint32_t packets);

  // Schedules the start of every job.
  void start();
  // The transfer of a packet of a job over the link of its node begins, and ends at `end`. Phase 4.
  void leaves(const Packet& packet, const PacketOrigin& origin, Tick end);
  // The tail of a packet of a job has arrived. Phase 1.
  void delivered(const Packet& packet, const PacketOrigin& origin);
  // Everything that the ranks of a job do in this tick. Phase 3. `make(node, destination, bytes)` generates a
  // message and returns the serial number of its first packet; of nodes with several links, it makes `node`
  // and `destination` those that the message takes. Returns the number of things that have
  // happened to operations.
  using Make = FunctionRef<std::uint32_t(NodeId& node, NodeId& destination, std::uint64_t bytes)>;
  std::uint64_t act(std::uint32_t job, Make make);

  // Forgets what nothing needs to know any more, in all parts of a run.
  static void forget_causes(std::span<Jobs* const> parts);
  void forget_own_causes() {
    Jobs* const all = this;
    forget_causes({&all, 1});
  }
  // Of a part of a run, between two epochs.
  JobsProgress progress() const;
  // The messages to other parts that it has generated since the last call.
  std::vector<MessageFlight> take_abroad() { return std::exchange(abroad_, {}); }
  void await(const MessageFlight& flight);
  // Packets of this generator to a node of another part enter this part, or leave it if they are less than 0.
  void move_packets(std::uint32_t generator, std::int32_t packets) {
    if (is_awaited(generator)) packets_to_others_ += packets;
  }
  // The run waits for the messages of this generator.
  bool is_awaited(std::uint32_t generator) const {
    return generates(generator) && !jobs_[generator - first_generator_].job->background;
  }

  // Returns true if a job generates the messages of this generator.
  bool generates(std::uint32_t generator) const { return generator - first_generator_ < jobs_.size(); }

 private:
  friend class JobsOfParts;
  friend struct JobTables;
  // What happens to an operation, which is a number within its rank, in the order in which a rank applies it.
  enum class What : std::uint8_t { begin, turn_ended, left, delivered, requested, cleared };

  struct Entry {
    Tick tick;
    std::uint32_t rank, op, iteration;
    What what;
    std::uint32_t cause = kNone;  // of a message: its event
    std::uint32_t place = kNone;  // of a send that is not complete, or of an operation with its turn

    // Heaps have the largest element at the front.
    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(b.tick, b.rank, b.op, b.what, b.iteration) <
             std::tie(a.tick, a.rank, a.op, a.what, a.iteration);
    }
  };

  enum class Phase : std::uint8_t { open, ready, running, complete };
  // Of an operation of a page. A rank makes a page of its operations when something first happens to one of
  // them, and forgets it when all of them are complete.
  struct OpState {
    std::uint32_t requirements = 0;  // left
    Phase phase = Phase::open;       // running: it has or had its turn
    bool delivered = false;          // receive: its message has come
    bool requested = false;          // receive: its message is announced, and not yet cleared
    bool cleared = false;            // send: its announced message is generated
  };
  static_assert(sizeof(OpState) == 8);
  struct Cpu {
    bool busy = false;
    std::vector<std::uint32_t> waiting;  // heap, lowest operation first
    std::uint32_t cause = kNone;         // the end of its last turn
  };
  // An event, and the operation that made it matter: of equally late ones the lowest counts.
  struct CauseBy {
    std::uint32_t cause = kNone;
    std::uint32_t op = kNone;
  };
  // Why an operation can begin, as far as it is known.
  struct OpCauses {
    CauseBy ready;                  // of its requirements the last one; from its turn on, why that began
    std::uint32_t message = kNone;  // receive: the last one that has come, of a request or of data
  };
  struct Rank {
    std::uint32_t iteration = 0;
    std::uint32_t left = 0;   // operations of the iteration that are not complete
    std::uint32_t early = 0;  // entries of Running::early
    std::uint32_t first_cpu = 0;
    std::uint32_t busy_cpus = 0;
    std::uint32_t first_page = 0;       // in Running::page_of
    std::uint32_t begin_cause = kNone;  // of the iteration
    std::uint64_t first_op = 0;         // among those of all ranks
    Tick idle_since = 0;
    bool finished = false;
    CauseBy last = {};  // the last completion of the iteration; at its begin, that of the one before it
  };
  struct OpenIteration {
    Tick begin = 0;
    std::uint32_t ended = 0;  // ranks
  };
  struct Running {
    const Job* job = nullptr;
    const CompiledProgram* program = nullptr;
    std::span<const NodeId> nodes;     // [rank]
    std::uint32_t page_bits = 0;       // a page has 2^page_bits operations
    std::span<std::uint32_t> page_of;  // [page of all ranks] its number + 1; 0: it is not in memory
    std::uint32_t pages = 0;           // numbers of pages
    std::vector<std::uint32_t> free_pages;
    std::vector<std::uint32_t> page_left;  // [page] operations that are not complete
    std::vector<RankOp> ops;               // [page << page_bits | place]
    std::vector<OpState> states;           // likewise
    std::span<Rank> ranks;
    std::span<Cpu> cpus;         // rank by rank
    std::span<Tick> started;     // [of all ranks] in the last iteration; empty: the program has no spans
    std::span<RankTimes> times;  // [rank]
    std::span<ProgramOpTimes> op_times;   // those of `record`
    std::span<std::uint32_t> last_sends;  // [rank] see JobTables; empty: there is one part
    std::vector<Tick> announced;  // likewise to `ops`: end of the turn of a send; empty: none is announced
    std::vector<Entry> heap;
    Tick scheduled = -1;  // the last tick for which this job asked to act
    Tick busy_until = 0;  // the latest tick at which something is known to happen to an operation
    bool acts = false;
    FlatMap<std::uint64_t> early;       // early_key -> bits of what has come too early
    std::deque<OpenIteration> open;     // iterations that some rank has begun and not all have ended
    std::uint32_t first_open = 0;       // iteration
    std::uint32_t unfinished = 0;       // ranks
    std::uint32_t members = 0;          // ranks that have operations
    std::vector<IterationTimes> ended;  // iterations that all its ranks of this part have ended; the run asks
    // What the critical path is found from; empty for jobs that are not asked for theirs.
    std::vector<OpCauses> causes;  // likewise to `ops`
    bool keeps_causes = false;
    FlatMap<std::uint64_t> early_message;  // as `early` -> its event
    CauseBy finish = {};                   // the last completion of all ranks
    JobRecord record;
  };
  struct Flight : MessageFlight {
    std::uint32_t to_leave, to_arrive;  // packets; none of those that leave or arrive in another part
    std::uint32_t place;                // of the send, if its departure ends it
    std::uint32_t next_free;
  };
  // An operation, and its place in Running::ops.
  struct At {
    std::uint32_t rank, op, place;
    OpOfRank of_rank() const { return {rank, op}; }
  };
  struct Release {
    std::uint32_t rank, number;
    std::uint32_t first_dependent, dependents;  // as RankOp
    bool consecutive;
    bool on_start;
    std::uint32_t cause;  // of its completion or start
    std::uint32_t next;   // index among its dependents
  };
  struct NewMessage {
    NodeId node, destination;
    std::uint64_t bytes;
    OpOfRank send, receive;
    std::uint32_t place;  // of the send, if its departure ends it; otherwise none
    std::uint32_t iteration;
    StepKind kind;
    Tick begun;
    std::uint32_t cause;
  };

  static constexpr std::uint32_t kDeliveredEarly = 1, kRequestedEarly = 2;

  static std::uint64_t flight_key(NodeId node, std::uint32_t message) {
    return std::uint64_t{node} << 32 | message;
  }
  // Choice: 28 bits of the iteration. No operation has so many messages that have come too early.
  static std::uint64_t early_key(const Rank& rank, std::uint32_t op, std::uint32_t iteration) {
    static_assert(limits::kProgramOps < std::uint64_t{1} << 36);
    return (rank.first_op + op) << 28 | (iteration & ((1U << 28) - 1));
  }
  // The place of an operation in `ops`. Its page is made if it is not in memory.
  At at(Running& job, std::uint32_t rank, std::uint32_t op) {
    const std::uint32_t number = op >> job.page_bits, page = job.page_of[job.ranks[rank].first_page + number];
    const std::uint32_t made = page == 0 ? make_page(job, rank, number) : page - 1;
    return {rank, op, made << job.page_bits | (op & ((1U << job.page_bits) - 1))};
  }
  std::uint32_t make_page(Running& job, std::uint32_t rank, std::uint32_t number);
  std::uint32_t generator_of(const Running& job) const {
    return first_generator_ + static_cast<std::uint32_t>(&job - jobs_.data());
  }
  bool has_node(NodeId node) const;
  bool has_rank(const Running& job, std::uint32_t rank) const { return has_node(job.nodes[rank]); }
  void choose_last_send(Running& job, std::uint32_t rank);
  void start(Running& job, Tick now);
  void allocate_nodes();
  bool is_announced(const Running& job, std::uint32_t place) const {
    return job.job->announces(job.ops[place].amount);
  }
  void note(Running& job, const Entry& entry);
  void apply(Running& job, const Entry& entry);
  void arrive(Running& job, const Entry& entry, std::uint32_t bit);
  void begin_iteration(Running& job, std::uint32_t rank);
  void end_iteration(Running& job, std::uint32_t rank);
  void finish(Running& job, std::uint32_t rank);
  // Gives free CPUs their next operations, and ends and begins iterations.
  void dispatch(Running& job, std::uint32_t rank);
  void take_turn(Running& job, std::uint32_t rank, std::uint32_t cpu);
  void make_ready(Running& job, const At& at);
  void wait_for_cpu(Running& job, const At& at);
  void begin(Running& job, const At& at);
  // `cause`: the event, if causes are kept.
  void complete(Running& job, const At& at, std::uint32_t cause);
  void end_spans(Running& job, const OpOfRank& last);
  void release(Running& job, const At& at, bool on_start, std::uint32_t cause);
  // Of a send, or the clearance of a receive.
  void begin_message(Running& job, const At& at, StepKind kind, std::uint32_t cause);
  void flies(const NewMessage& message, std::uint32_t serial, std::uint32_t job);
  Tick least_time_of(const NewMessage& message) const;
  Flight& add_flight(std::uint64_t key);
  void end_flight(std::uint32_t flight, std::uint64_t key);
  // The following do nothing, or return none, unless causes are kept.
  static bool keeps_causes(const Running& job) { return job.keeps_causes; }
  std::uint32_t new_cause(const Running& job, Cause cause) {
    cause.before_part = number_;
    return keeps_causes(job) ? causes_.add(cause) : kNone;
  }
  std::uint32_t ready_cause(const Running& job, std::uint32_t place) const {
    return keeps_causes(job) ? job.causes[place].ready.cause : kNone;
  }
  std::uint32_t new_cause(const Running& job, Cause cause, const Flight& flight) {
    cause.before = flight.cause;
    cause.before_part = flight.cause_part;
    return keeps_causes(job) ? causes_.add(cause) : kNone;
  }
  void take_later(CauseBy& kept, const CauseBy& other) const;
  // The cause of what begins now: of those that are not earlier, the message before the requirements.
  std::uint32_t begin_cause(const Running& job, std::uint32_t place) const;
  // Calls visit(cause, part) for those in use, with references.
  template <class Visit>
  void for_each_cause(Visit&& visit);

  Framing framing_;
  const State& state_;
  Wheel& wheel_;
  std::shared_ptr<JobTables> tables_;
  bool is_part_;
  std::uint8_t number_;  // of this part
  std::uint32_t first_generator_;
  KeptOfJobs kept_;
  JobMessageListener listener_;
  JobWatch* watch_ = nullptr;
  bool has_end_ = false;
  std::uint32_t unfinished_ = 0;  // ranks of jobs that are not in the background
  std::vector<Running> jobs_;
  std::optional<NodeAllocation> allocation_;  // none: no job waits for nodes
  std::vector<Flight> flights_;
  std::uint32_t free_flight_ = kNone;
  std::uint32_t moving_ = 0;          // messages
  FlatMap<std::uint64_t> flight_of_;  // node and first serial number -> flight
  std::uint32_t acting_ = 0;          // rank
  std::vector<Entry> soon_;      // what it has caused for itself in this tick, which need not pass the heap
  std::vector<Entry> happened_;  // to it
  std::vector<NewMessage> generated_;  // by the rank that acts, until they are made
  std::vector<Release> releases_;      // stack
  Causes causes_;

  // What `progress` is made of. Their jobs are not in the background.
  std::uint32_t last_sends_ = 0;         // ranks whose last send goes to a node of this part, and is to come
  std::uint32_t last_sends_abroad_ = 0;  // likewise to a node of another part
  std::int64_t packets_to_others_ = 0;   // in this part
  std::vector<MessageFlight> abroad_;    // that have not been mailed
};

// The variables of ranks, in tables that all parts of a run share. Only the part with a rank's node writes
// its rows.
struct JobTables {
  JobTables(const Workload& workload, const Network& network, KeptOfJobs kept);

  struct OfJob {
    std::vector<NodeId> nodes;  // [rank] those that it has been given; empty: it does not wait for nodes
    std::vector<std::uint32_t> page_of;
    std::vector<Jobs::Rank> ranks;
    std::vector<Jobs::Cpu> cpus;
    std::vector<Tick> started;
    std::vector<RankTimes> times;
    std::vector<ProgramOpTimes> ops;
    // A send to another node that the rank has not made yet says that the job is not done. Rather one to
    // another part, and a late one.
    std::vector<std::uint32_t> last_sends;  // [rank] or kNone; empty: there is one part
    std::uint64_t first_op(std::uint32_t rank) const { return ranks[rank].first_op; }
  };
  std::vector<OfJob> jobs;
  Tick fastest_message = 0;  // no message over the network takes less time

  void share();  // for several parts
};

}  // namespace headway
