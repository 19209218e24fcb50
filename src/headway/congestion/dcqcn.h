// SPDX-License-Identifier: Apache-2.0
// DCQCN: rates that are cut by notifications and recover by timers and a byte counter. Zhu et al.,
// "Congestion control for large-scale RDMA deployments", SIGCOMM 2015, section 5 (the paper's form, with its
// parameters at 40 Gbit/s as fractions of the link rate). The form of adapters: NVIDIA DOCA, "DCQCN CC
// parameters"; as in the simulator of HPCC (Li et al., SIGCOMM 2019), which calls it Mellanox's version.
#pragma once

#include "headway/congestion/limited_flow.h"

namespace headway {

enum class DcqcnForm : std::uint8_t { paper, adapter };

template <DcqcnForm kForm>
struct DcqcnOf {
  static constexpr bool kNeedsMarks = true, kHasRates = true;
  enum Timer : FlowEvent { kAlpha, kRate, kCut };
  static constexpr FlowEvent kTimers = 3;
  static Entry<Reaction> entry();

  std::uint64_t gain = 0;  // of alpha
  Tick alpha_timer = 1, rate_timer = 1;
  Tick cut_interval = 1;           // adapter: between two cuts of the rate
  std::uint64_t byte_counter = 1;  // paper: bytes
  std::uint32_t fast_recovery = 5;
  std::uint64_t additive = 0, hyper = 0, least_rate = 1;

  struct State {
    std::uint64_t rate = kFullRate, target = kFullRate, alpha = kFullRate;
    std::uint64_t bytes = 0;                    // since the last stage by bytes
    std::uint32_t by_time = 0, by_bytes = 0;    // stages of recovery
    bool told_alpha = false, told_cut = false;  // adapter: a notification since the last event
  };
  Instant gap(const State& own, Tick transfer) const { return gap_at(own.rate, transfer); }
  double rate(const State& own, Tick) const { return share_of_link(own.rate); }
  bool begins_at(const Notification&) const { return true; }
  GateChange on_notification(State&, const Notification&, bool is_new, const FlowClock&) const;
  GateChange on_timer(State&, FlowEvent timer, const FlowClock&) const;
  GateChange on_admission(State&, std::uint32_t bytes, const FlowClock&) const;

 private:
  void cut(State& own, const FlowClock& clock) const;
  GateChange raise(State& own) const;
};

using Dcqcn = DcqcnOf<DcqcnForm::paper>;
using DcqcnNic = DcqcnOf<DcqcnForm::adapter>;

}  // namespace headway
