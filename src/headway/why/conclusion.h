// SPDX-License-Identifier: Apache-2.0
// What the numbers of waiting say about a run, as findings: what limits the network, who causes it, who
// suffers, by how much, since when, whether it recovers, and which kind of change addresses it.
// conclusion_text.cpp puts them into sentences. docs/waiting.md defines all terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/run/results.h"
#include "headway/why/root_groups.h"
#include "headway/why/waiting_course.h"

namespace headway {

enum class Limit : std::uint8_t {
  nothing,       // packets hardly wait
  deadlock,      // some packets can never move
  destinations,  // traffic to a few nodes fills the links that packets wait for
  few_roots,     // a few links or ports, crossed by traffic to many nodes
  spread,        // many roots, none of which stands out
};

// A flow, or all traffic if the results do not tell flows apart (then `name` is empty). Times are per
// delivered packet. NaN: not known.
struct FlowFinding {
  std::string name;
  double share = 0;                 // of the packets that wait to cross the roots of the limit
  double waiting = 0, victims = 0;  // mean numbers of packets
  double delivered = 0;
  double waiting_ns = 0, victim_ns = 0, latency_ns = 0;
  double limit_victim_ns = 0;  // of victim_ns, at the roots of the limit
  double offered_load = 0, accepted_load = 0;
  bool is_closed_loop = false;  // it sends as fast as it is served, so it offers what is accepted

  // Its packets wait for other reasons than roots that they do not cross.
  bool hardly_suffers() const;
};

// A kind of change that addresses a part of the waiting. Whether it helps, only a simulation can tell.
struct Remedy {
  enum class Kind : std::uint8_t {
    separate_queues,   // for packets to the hot destinations, or for packets that cross the roots
    isolation_queues,  // more of them: some congestions found none free
    less_load,         // on the links of the limit, by less traffic, or by more links or other routes
    memory,            // per queue: a credit takes longer to return than a full memory lasts
    queue_per_output,  // head-of-line blocking
    crossbar_speed,    // inputs send by other outputs
    other_routes,      // deadlock
  };
  Kind kind;
  // Its share of all waiting packets that it addresses; queue_per_output and crossbar_speed: of the waiting
  // in the network; isolation_queues: number of packets.
  double share = 0;
  double detail = 0;  // memory: lowest maximum load of such a link
};

// Why the flow with most of the packets that wait to cross the limit is not its cause.
enum class HeldUp : std::uint8_t {
  no,
  outranked,      // classes of a higher level are served before it
  behind_others,  // it is a job whose critical path waits behind packets of others
};

struct Conclusion {
  Status status = Status::ok;
  Limit limit = Limit::nothing;
  double photographs = 0;
  bool has_jobs = false;

  double waiting = 0, victims = 0;  // mean numbers of packets
  double waiting_ns = 0;            // per delivered packet
  double offered_load = 0, accepted_load = 0;
  bool is_closed_loop = false;  // a part of the traffic offers what is accepted
  double starved_heads = 0;
  double outranked_heads = 0;  // of these, behind classes of a higher level
  bool pauses_lanes = false;   // queues of a lane have no memory of their own, and are paused together

  std::vector<WaitedRoot> roots;   // largest first
  std::vector<RootGroup> groups;   // largest first
  std::vector<RootGroup> classes;  // largest first
  std::size_t roots_of_half = 0;   // the fewest roots for which half of all waiting packets wait

  std::vector<double> destinations;      // Limit::destinations: the nodes
  double destination_utilisation = 0;    // mean of the links to them; NaN: not known
  double limit_share = 0;                // of all waiting packets: they wait for the roots of the limit
  double limit_victims = 0;              // of all waiting packets: victims of these roots
  double limit_utilisation = 0;          // mean of the links that are such roots; NaN: none, or not known
  double largest_utilisation = 0;        // the same for the largest class
  std::vector<std::size_t> limit_roots;  // places in `roots`

  std::vector<FlowFinding> flows;    // in the order of the results; one without name if there is no table
  std::optional<std::size_t> cause;  // of `flows`; empty if flows are not told apart, or none stands out
  std::optional<std::size_t> most_waiting;  // of `flows`: it would be the cause if it were not held up itself
  HeldUp held_up = HeldUp::no;              // `most_waiting`
  std::optional<std::size_t>
      sufferer;  // of `flows`: the one with the most victims there, other than the cause

  std::optional<WaitingCourse> course;
  std::vector<Remedy> remedies;  // the most important one first

  // Returns true if times and numbers describe a lasting state.
  bool is_steady() const { return status == Status::ok; }
};

// Throws NoResult with a remedy if the run was made without observe.waiting.
void require_photographs(const Result& result);

// Throws like require_photographs.
Conclusion conclude(const PointResult& point);

// The conclusion in three to eight plain sentences, the most important one first. `point` is the one that the
// conclusion is about.
std::vector<std::string> sentences(const Conclusion& conclusion, const PointResult& point);

}  // namespace headway
