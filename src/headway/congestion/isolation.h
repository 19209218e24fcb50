// SPDX-License-Identifier: Apache-2.0
// FBICM and RECN-IQ: packets of congested flows move to separate queues, so that they do not block other
// packets. Both schemes use the same mechanism with different keys: FBICM identifies a congested flow by its
// destination and adds destinations as their packets arrive, RECN-IQ by the route to the congested port.
// Sources: Escudero-Sahuquillo et al., "FBICM: Efficient Congestion Management for High-Performance Networks
// Using Distributed Deterministic Routing", HiPC 2008, section 3; RECN-IQ (Mora et al., ICPP 2007) as
// described in sections 2 and 4 of that paper.
//
// Every port has a normal queue (NFQ) and up to `lines` congested-flow queues (CFQ) in one memory. A line
// describes a CFQ: the output port that leads to the congestion, the destinations it holds, and how many hops
// away the congested port (the root) is. The port at the other end of the link keeps a copy of each line that
// has sent it a Stop, with the same number. docs/modelling.md, "Isolation", defines the rules tick by tick.
// This file implements all of them, except which packets may be sent.
//
// Correctness. Order: lines have a fixed order behind the NFQ, by hops and number. Packets move only to later
// queues and only from heads, and leave only from heads without a later line, so of two packets of a flow,
// the one in the later queue is older. No loss: the credits of the port protect its memory; Stop and Go only
// keep congested packets from filling it. No deadlock: the queues of a port share its memory, and a stopped
// copy implies a line with packets downstream. Consistent copies: only the input port writes them, over an
// in-order channel, so a copy follows the history of its line with a delay.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/congestion/rules.h"

namespace headway {

// Counters since the start. Lines of adapters are not counted, except in `adapter_lines`.
struct IsolationCounts {
  std::uint64_t active_lines = 0;       // now
  std::uint64_t adapter_lines = 0;      // now, of adapters
  std::uint64_t most_active_lines = 0;  // at the end of a tick
  std::uint64_t allocations = 0;
  std::uint64_t detections = 0;        // allocations of root lines
  std::uint64_t false_detections = 0;  // root lines that were freed without having sent a Stop
  std::uint64_t frees = 0;
  std::uint64_t refused_allocations = 0;  // heads that should have moved to a line when none was free
  std::uint64_t stops = 0;
  std::uint64_t gos = 0;
  std::uint64_t moves = 0;  // moves of packets between queues of a port

  // Adds the counts of other ports, except `most_active_lines`, which does not add up.
  void add(const IsolationCounts& other);
};

class Isolation {
 public:
  static constexpr std::uint32_t kNoLine = 0xff;

  struct Line {
    bool root = false;
    bool sent_stop = false;         // a Stop was sent and no Go since
    bool propagated = false;        // a Stop has been sent at some time, so a copy exists
    std::uint8_t parent = kNoLine;  // copy at `output` from which it was created; none: a root or an orphan
    std::uint16_t hops = 0;         // to the root: 1 at the port that detected it
    PortId output = kNone;          // leads there
    Tick idle_since = -1;           // empty since then; -1: not empty
    std::vector<NodeId> destinations;

    bool orphan() const { return !root && parent == kNoLine; }
  };
  struct Copy {
    std::uint16_t hops = 0;
    std::vector<NodeId> destinations;
  };
  enum class Kind : std::uint8_t { stop, go, free };
  // From an input port to the output port at the other end of its link.
  struct Signal {
    Kind kind = Kind::stop;
    std::uint8_t line = 0;
    std::uint16_t hops = 0;
    std::vector<NodeId> destinations;  // of a Stop: those of the line when it was sent

    template <class Io>
    void serialize(Io& io) {
      io.value(kind);
      io.value(line);
      io.value(hops);
      io.list(destinations);
    }
  };
  struct Head {
    NodeId destination = kNone;
    PortId output = kNone;
  };

  // `output_of(port, destination)`: the output port that packets from that input port take.
  using Routes = std::function<PortId(PortId, NodeId)>;

  // The lines and copies of all ports, which all parts of a run share. Only the part that has a port writes
  // what belongs to it.
  class Tables {
   public:
    Tables(const IsolationRules& rules, std::uint32_t ports, std::uint32_t nodes, Routes output_of);

    static std::uint64_t bytes(const IsolationRules& rules, std::uint64_t ports, std::uint64_t nodes);

   private:
    friend class Isolation;
    using Mask = std::uint16_t;  // a bit per line
    struct Port {
      Mask active = 0;                                               // lines of the input side
      Mask copies = 0;                                               // copies at the output side
      Mask stopped = 0;                                              // copies with a Stop
      std::array<std::uint8_t, IsolationRules::kMostLines> order{};  // active lines in their order
    };

    IsolationRules rules_;
    std::uint32_t nodes_;
    Routes output_of_;
    std::vector<Port> ports_;      // [port]
    std::vector<Line> lines_;      // [port * rules.lines + line]
    std::vector<Copy> copies_;     // [port * rules.lines + line]
    std::vector<Mask> lines_of_;   // [port * nodes + destination]: CLIP of the paper's section 3.3
    std::vector<Mask> copies_of_;  // [port * nodes + destination]: CLOP
  };

  // A part of a run has its own signals on their way and its own counts. The tables must outlive it.
  explicit Isolation(Tables& tables);
  Isolation(const Isolation&) = delete;
  Isolation& operator=(const Isolation&) = delete;

  // Moves every packet of an input port to its queue, allocates lines, and sends signals. `detects`:
  // congestion can be detected now, because a packet has arrived. The queues are the NFQ, 0, and those of the
  // lines, 1 + line:
  //   queues.length(q), in packets; queues.credits(q) that these packets take; queues.head(q) -> Head;
  //   queues.move(from, to): the head of one joins the tail of the other; queues.send(signal id): on
  //   the port's channel upstream, or nothing for an adapter (queues.is_adapter()); queues.wake_at(tick):
  //   settle again then.
  template <class Queues>
  void settle(PortId port, Queues&& queues, Tick now, bool detects);
  // Returns true if `settle` cannot change anything; a fast test for ports without congestion.
  bool is_calm(PortId port, std::uint32_t nfq_credits, PortId output_of_head) const {
    return ports_[port].active == 0 && nfq_credits <= rules_.detection_threshold &&
           (nfq_credits == 0 || ports_[output_of_head].stopped == 0);
  }

  // Handles a signal that has reached the output port. Afterwards, the input ports of its device,
  // [first, first + count), must be settled.
  void receive(PortId output, std::uint32_t signal, PortId first, std::uint32_t count);

  // Called at the end of a tick.
  void end_tick(Tick now) {
    counts_.most_active_lines = std::max(counts_.most_active_lines, counts_.active_lines);
    if (changes_ != nullptr && counts_.active_lines != active_before_)
      changes_->push_back({now, std::exchange(active_before_, counts_.active_lines), counts_.active_lines});
  }
  // The number of active lines at the end of a tick in which it has changed, and before.
  struct LineChange {
    Tick tick;
    std::uint64_t before, after;
  };
  // Appends all changes from now on.
  void record_changes(std::vector<LineChange>& changes) { changes_ = &changes; }

  // Signals for ports of another part: the one takes them out, the other puts them in and gets its
  // number there.
  Signal take_signal(std::uint32_t id) {
    free_signals_.push_back(id);
    return std::move(signals_[id]);
  }
  std::uint32_t put_signal(Signal signal) {
    const std::uint32_t id = new_signal();
    signals_[id] = std::move(signal);
    return id;
  }

  // Returns true if packets for this destination must not leave by this output.
  bool refuses(PortId output, NodeId destination) const {
    return ports_[output].stopped != 0 && refusing(output, destination) != 0;
  }
  const IsolationRules& rules() const { return rules_; }
  IsolationCounts& counts() { return counts_; }
  const IsolationCounts& counts() const { return counts_; }

  // For checks and observation.
  std::uint32_t active_lines(PortId port) const {
    return static_cast<std::uint32_t>(std::popcount(ports_[port].active));
  }
  bool is_active(PortId port, std::uint32_t line) const { return (ports_[port].active >> line & 1) != 0; }
  bool has_copy(PortId output, std::uint32_t line) const { return (ports_[output].copies >> line & 1) != 0; }
  bool is_stopped(PortId output, std::uint32_t line) const {
    return (ports_[output].stopped >> line & 1) != 0;
  }
  const Line& line(PortId port, std::uint32_t number) const { return lines_[port * rules_.lines + number]; }
  const Copy& copy(PortId output, std::uint32_t number) const {
    return copies_[output * rules_.lines + number];
  }
  const Signal& signal(std::uint32_t id) const { return signals_[id]; }
  // The lines and copies of a port, for observers in another process.
  template <class Io>
  void serialize_port(PortId port, Io& io) {
    const auto first = std::size_t{port} * rules_.lines;
    io.value(ports_[port]);
    for (Line& line : lines_.subspan(first, rules_.lines)) {
      io.value(line.root);
      io.value(line.sent_stop);
      io.value(line.propagated);
      io.value(line.parent);
      io.value(line.hops);
      io.value(line.output);
      io.value(line.idle_since);
      io.list(line.destinations);
    }
    for (Copy& copy : copies_.subspan(first, rules_.lines)) {
      io.value(copy.hops);
      io.list(copy.destinations);
    }
    io.table(lines_of_.subspan(at(port, 0), nodes_));
    io.table(copies_of_.subspan(at(port, 0), nodes_));
  }
  // Stopped copies of the output that contain the destination, as bits.
  std::uint32_t refusing(PortId output, NodeId destination) const {
    return copies_of_[at(output, destination)] & ports_[output].stopped;
  }
  // Lines of the input port that contain the destination, as bits.
  std::uint32_t holding(PortId port, NodeId destination) const { return lines_of_[at(port, destination)]; }

 private:
  using Mask = Tables::Mask;
  using Port = Tables::Port;

  std::size_t at(PortId port, NodeId destination) const {
    return static_cast<std::size_t>(port) * nodes_ + destination;
  }
  Line& line_at(PortId port, std::uint32_t number) { return lines_[port * rules_.lines + number]; }
  Copy& copy_at(PortId output, std::uint32_t number) { return copies_[output * rules_.lines + number]; }

  template <class Queues>
  void sweep(PortId port, Queues&& queues);
  template <class Queues>
  bool answer_refusals(PortId port, Queues&& queues, std::uint32_t& in_vain);
  template <class Queues>
  bool free_empty(PortId port, Queues&& queues, Tick now);
  template <class Queues>
  void signal(PortId port, Queues&& queues);
  template <class Queues>
  void classify(PortId port, Queues&& queues, Tick now, std::uint32_t& in_vain);
  template <class Queues>
  void send(PortId port, Queues&& queues, Kind kind, std::uint32_t number);

  // The result of handling a refused head.
  enum class Answer : std::uint8_t { nothing, in_vain, changed };
  Answer answer_refusal(PortId port, std::uint32_t queue, const Head& head, bool adapter);

  // The first line behind `queue` that contains the destination, or kNoLine.
  std::uint32_t next_line(PortId port, std::uint32_t queue, NodeId destination) const;
  bool is_behind(PortId port, std::uint32_t queue, std::uint32_t hops, std::uint32_t number) const;
  // Lines of a port are ordered by this, and then by number.
  std::uint32_t rank(std::uint32_t hops) const { return rules_.nearest_last ? 0xffff - hops : hops; }
  std::uint32_t free_line(PortId port) const {
    const auto first = static_cast<std::uint32_t>(std::countr_one(ports_[port].active));
    return first < rules_.lines ? first : kNoLine;
  }
  std::uint32_t root_for(PortId port, PortId output) const;
  std::uint32_t derived_from(PortId port, PortId output, std::uint32_t copy) const;
  Line& allocate(PortId port, std::uint32_t number, PortId output, std::uint16_t hops, bool adapter);
  void release(PortId port, std::uint32_t number, bool adapter);
  void learn(PortId port, std::uint32_t number, NodeId destination);
  void learn_from(PortId port, std::uint32_t number, const Copy& copy);
  std::uint32_t new_signal();

  IsolationRules rules_;
  std::uint32_t nodes_;
  const Routes& output_of_;
  // Views of the tables.
  std::span<Port> ports_;
  std::span<Line> lines_;
  std::span<Copy> copies_;
  std::span<Mask> lines_of_, copies_of_;
  std::vector<Signal> signals_;
  std::vector<std::uint32_t> free_signals_;
  IsolationCounts counts_;
  std::vector<LineChange>* changes_ = nullptr;  // null: nobody asks
  std::uint64_t active_before_ = 0;             // active lines at the last change
};

template <class Queues>
void Isolation::settle(PortId port, Queues&& queues, Tick now, bool detects) {
  std::uint32_t in_vain = 0;
  classify(port, queues, now, in_vain);
  if (detects && queues.credits(0) > rules_.detection_threshold) {
    const Head head = queues.head(0);
    if (root_for(port, head.output) == kNoLine) {
      if (const std::uint32_t number = free_line(port); number == kNoLine) {
        ++in_vain;
      } else {
        Line& line = allocate(port, number, head.output, 1, false);
        line.root = true;
        ++counts_.detections;
        if (rules_.key == IsolationKey::destination) {
          learn(port, number, head.destination);
        } else {
          for (NodeId node = 0; node < nodes_; ++node)
            if (output_of_(port, node) == head.output) learn(port, number, node);
        }
        classify(port, queues, now, in_vain);
      }
    }
  }
  counts_.refused_allocations += in_vain;
  signal(port, queues);
}

// Repeats until nothing changes: moves packets to their queues, allocates lines for refused heads, frees
// unused lines.
template <class Queues>
void Isolation::classify(PortId port, Queues&& queues, Tick now, std::uint32_t& in_vain) {
  do {
    do {
      in_vain = 0;
      sweep(port, queues);
    } while (answer_refusals(port, queues, in_vain));
  } while (free_empty(port, queues, now));
}

template <class Queues>
void Isolation::sweep(PortId port, Queues&& queues) {
  const Port& here = ports_[port];
  if (here.active == 0) return;
  while (queues.length(0) > 0) {
    const Head head = queues.head(0);
    std::uint32_t to = next_line(port, 0, head.destination);
    if (to == kNoLine && rules_.key == IsolationKey::destination) {
      to = root_for(port, head.output);
      if (to != kNoLine) learn(port, to, head.destination);
    }
    if (to == kNoLine) break;
    queues.move(0, 1 + to);
    ++counts_.moves;
  }
  // in ascending order, so that one pass is enough; the head of a CFQ is classified again, because a line for
  // another congestion on its way can exist by now
  const int lines = std::popcount(here.active);
  for (int i = 0; i + 1 < lines; ++i) {
    const std::uint32_t from = here.order[static_cast<std::size_t>(i)];
    while (queues.length(1 + from) > 0) {
      const std::uint32_t to = next_line(port, 1 + from, queues.head(1 + from).destination);
      if (to == kNoLine) break;
      queues.move(1 + from, 1 + to);
      ++counts_.moves;
    }
  }
}

// Handles the first refused head for which this is possible; returns true if it succeeded.
template <class Queues>
bool Isolation::answer_refusals(PortId port, Queues&& queues, std::uint32_t& in_vain) {
  const Port& here = ports_[port];
  const int lines = std::popcount(here.active);
  for (int i = -1; i < lines; ++i) {
    const std::uint32_t queue = i < 0 ? 0 : 1U + here.order[static_cast<std::size_t>(i)];
    if (queues.length(queue) == 0) continue;
    const Head head = queues.head(queue);
    if (!refuses(head.output, head.destination)) continue;
    const Answer answer = answer_refusal(port, queue, head, queues.is_adapter());
    if (answer == Answer::changed) return true;
    in_vain += answer == Answer::in_vain ? 1 : 0;
  }
  return false;
}

template <class Queues>
bool Isolation::free_empty(PortId port, Queues&& queues, Tick now) {
  bool freed = false;
  const std::uint32_t active = ports_[port].active;
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    Line& line = line_at(port, number);
    if (queues.length(1 + number) > 0) {
      line.idle_since = -1;
      continue;
    }
    if (line.idle_since < 0) {
      line.idle_since = now;
      if (!line.orphan() && rules_.idle > 0) queues.wake_at(now + rules_.idle);
    }
    const bool rested = now - line.idle_since >= rules_.idle &&
                        (!line.root || queues.credits(0) <= rules_.detection_threshold);
    if (!line.orphan() && !rested) continue;
    if (line.sent_stop) send(port, queues, Kind::go, number);
    if (line.propagated) send(port, queues, Kind::free, number);
    release(port, number, queues.is_adapter());
    freed = true;
  }
  return freed;
}

template <class Queues>
void Isolation::signal(PortId port, Queues&& queues) {
  if (queues.is_adapter()) return;
  for (std::uint32_t left = ports_[port].active; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    const Line& line = line_at(port, number);
    const std::uint32_t credits = queues.credits(1 + number);
    if (!line.sent_stop && credits > rules_.stop_threshold) send(port, queues, Kind::stop, number);
    if (line.sent_stop && credits <= rules_.go_threshold) send(port, queues, Kind::go, number);
  }
}

template <class Queues>
void Isolation::send(PortId port, Queues&& queues, Kind kind, std::uint32_t number) {
  Line& line = line_at(port, number);
  const std::uint32_t id = new_signal();
  Signal& signal = signals_[id];
  signal.kind = kind;
  signal.line = static_cast<std::uint8_t>(number);
  signal.hops = line.hops;
  signal.destinations.clear();
  if (kind == Kind::stop) {
    signal.destinations = line.destinations;
    line.sent_stop = line.propagated = true;
    ++counts_.stops;
  } else if (kind == Kind::go) {
    line.sent_stop = false;
    ++counts_.gos;
  }
  queues.send(id);
}

}  // namespace headway
