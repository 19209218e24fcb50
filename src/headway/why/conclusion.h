// SPDX-License-Identifier: Apache-2.0
// What the numbers of waiting say about a run, as findings: what packets wait for, whose packets are in the
// way, who waits for them and by how much, since when, and whether it recovers. conclusion_text.cpp and
// conclusion_state.cpp put them into sentences. docs/waiting.md defines all terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/run/results.h"
#include "headway/why/root_groups.h"
#include "headway/why/sentence.h"
#include "headway/why/waiting_course.h"

namespace headway {

inline constexpr double kAllOffered = 0.98;  // of the offered load: all of it

enum class Limit : std::uint8_t {
  nothing,       // packets hardly wait
  deadlock,      // some packets can never move
  destinations,  // traffic to a few nodes fills the links to them, and packets wait for these or behind them
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

// Why the flow with most of the packets that wait to cross the limit is not in the way of others.
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

  std::vector<double> destinations;    // Limit::destinations: the nodes
  double destination_utilisation = 0;  // mean of the links to them; NaN: not known
  double limit_share = 0;              // of all waiting packets: they wait for the roots of the limit
  double limit_victims = 0;            // of all waiting packets: victims of these roots
  double limit_utilisation = 0;        // mean of the links that are such roots; NaN: none, or not known
  double largest_utilisation = 0;      // the same for the largest class
  bool is_full = false;                // these links, or those to the destinations, carry nearly all they can
  std::vector<std::size_t> limit_roots;  // places in `roots`

  std::vector<FlowFinding> flows;  // in the order of the results; one without name if there is no table
  // Of `flows`: it has most of the packets that wait to cross the roots of the limit. Empty if flows are not
  // told apart, or none stands out.
  std::optional<std::size_t> culprit;
  std::optional<std::size_t> most_waiting;  // it would be the culprit if it were not held up itself
  HeldUp held_up = HeldUp::no;              // `most_waiting`
  std::optional<std::size_t> sufferer;      // the one with the most victims there, other than the culprit
  // A run without the culprit: how many times as fast it is for which flow. Only such a run shows a cause.
  std::optional<double> gain_without_culprit;
  std::optional<std::size_t> gainer;

  std::optional<WaitingCourse> course;
  double hol_share = 0, input_share = 0;  // of the waiting in the network: behind other heads, for inputs
  double credit_share = 0;  // of all waiting packets: for memories whose slots are on the wire; 0 if few
  double credit_load = 0;   // lowest maximum load of a link to such a memory
  double refused = 0;       // packets that found no free queue for isolation; 0 if few

  // Returns true if times and numbers describe a lasting state.
  bool is_steady() const { return status == Status::ok; }
  // A closed loop always delivers what it offers.
  bool carries_its_load() const {
    return !is_closed_loop && accepted_load >= kAllOffered * offered_load && is_steady();
  }
};

// Throws NoResult with a remedy if the run was made without observe.waiting.
void require_photographs(const Result& result);

// Throws like require_photographs.
Conclusion conclude(const PointResult& point);

// The conclusion in some plain sentences, the most important one first. `point` is the one that the
// conclusion is about.
std::vector<Sentence> sentences(const Conclusion& conclusion, const PointResult& point);
// Of these, the ones about what is delivered, the course of waiting, starvation and credits.
std::vector<Sentence> sentences_of_state(const Conclusion& conclusion, const PointResult& point);

}  // namespace headway
