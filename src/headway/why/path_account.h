// SPDX-License-Identifier: Apache-2.0
// What the critical path of a job consists of (docs/programs.md, "The critical path"): its parts by physics,
// and its waiting by what the packets waited for and by whose packets were in the way. Read from the tables
// per_job, critical_links and critical_waits.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/rows.h"
#include "headway/run/results.h"

namespace headway {

// A link, in both directions, that is slower than most links of its role.
struct SlowLink {
  std::string end;  // "SWITCH:PORT", one of its ends, as specs name links
  PlaceRow place;   // of the direction that cost the job more; its names are those of the result
  double rate = kNaN, usual_rate = kNaN;  // GB/s; NaN in accounts of flows
  double rate_share = kNaN;               // its rate, of the usual one
  double transfer_ns = 0;                 // part of the transfer for which it is slower than usual
  double wait_ns = 0;                     // of the waiting for it, what it would not need at its usual rate

  double lost_ns() const { return transfer_ns + wait_ns; }
};

// "the link of node gpu13", "the link between switch 8 and switch 0 (0:16)"
std::string text_of(const SlowLink& link, const NetworkNames& names);

struct PathAccount {
  // The parts add up to the whole.
  double total_ns = 0;
  double compute_ns = 0, overhead_ns = 0;
  double serialisation_ns = 0, narrow_ns = 0, slow_ns = 0, propagation_ns = 0, switch_ns = 0, rest_ns = 0;
  double wait_ns = 0;
  bool is_split = true;  // false in results of earlier versions, whose rest is all of the transfer

  std::vector<SlowLink> slow_links;  // those that cost most first

  // All waiting is in one of these; a part of it can be for a slow link, too.
  double own_rate_ns = 0;                   // at nodes that have slowed their flows down
  double credits_ns = 0;                    // for memories whose slots are all on the wire
  double receiver_ns = 0;                   // for nodes that consume packets slowly, behind the job itself
  double itself_between_ns = 0;             // behind the job itself, for links between switches
  double itself_between_slow_ns = 0;        // of that, what these links would not need at their usual rates
  double itself_own_ns = 0;                 // behind the job itself, for the links of its nodes
  std::map<std::string, double> others_ns;  // behind packets of other flows, traces and jobs
  double inputs_ns = 0;                     // behind the job itself, at inputs that send by other outputs
  double down_ns = 0;                       // for links that are down
  double else_ns = 0;                       // for feedback, and in cycles of queues

  double busiest_node_ns = 0;  // of a job: JobRow::busiest_node_ns

  double slow_receivers_ns = 0;  // for nodes that consume packets slowly, behind whose packets ever

  // Whose packet a root sends, and why the waiting packet does not move.
  struct WaitKey {
    std::string_view waiting, behind;
    bool is_itself = false;  // `behind` is what the account is of
  };
  void add(const PlaceRow& root, const WaitKey& wait, double ns, double slow_ns);

  double share(double ns) const { return ns / total_ns; }
  double behind_others_ns() const;
  // Waiting, or another cost of sharing the network: what a fabric can take away that leaves rates, delays
  // and routes as they are.
  double lost_ns() const { return wait_ns + rest_ns; }
  // No run with these parts removed is more than so many times as fast, if the program has the same steps and
  // placement. Infinite if nothing is left.
  double most_gain(double removed_ns) const;
};

// Nothing without a critical path of the job.
std::optional<PathAccount> path_account(const PointResult& point, std::string_view job);

// The same for the packets of a flow, or of all traffic if the flow has no name: their mean time, by
// photographs. Nothing without the table flow_transits, or if no packet was delivered.
std::optional<PathAccount> flow_account(const PointResult& point, std::string_view flow);

// Where the packets waited: "node 3", "switch 1 port 2".
std::string place_of(const WaitRow& wait, const NetworkNames& names);

// The runs of a point with a critical path of this job. The rows of critical_waits are of all of them.
double runs_with_path(const PointResult& point, std::string_view job);

}  // namespace headway
