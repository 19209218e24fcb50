// SPDX-License-Identifier: Apache-2.0
// FBICM and RECN-IQ: one queue per port, and a few more that are allocated for congested flows during
// congestion. congestion/isolation.h implements the rules; this file has their parameters and the choices
// that the paper leaves open. Source: Escudero-Sahuquillo et al., "FBICM: Efficient Congestion Management for
// High-Performance Networks Using Distributed Deterministic Routing", HiPC 2008, sections 3 and 4.1.
#include "headway/config/limits.h"
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

enum class Match { farthest, nearest };
constexpr auto names_in_specs(Match) { return name_list("farthest", "nearest"); }

template <IsolationKey kKey>
class Isolating final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "cfqs",
                      .help = "maximum number of congested-flow queues (CFQ or SAQ) per port",
                      .bounds = Bounds::from(1, IsolationRules::kMostLines)},
                     cfqs_);
    parameters.field(
        {.name = "detection_threshold",
         .help = "number of packets in the normal queue above which the output of its head "
                 "packet counts as congested; with switch.cell, the cells of so many full packets",
         .bounds = Bounds::from(0, 65535)},
        detection_threshold_);
    parameters.field(
        {.name = "stop_threshold",
         .help = "number of packets in a congested-flow queue above which it sends Stop upstream; with "
                 "switch.cell, the cells of so many full packets",
         .bounds = Bounds::from(0, 65535)},
        stop_threshold_);
    parameters.field({.name = "go_threshold",
                      .help = "number of packets in a stopped congested-flow queue at or below which it "
                              "sends Go; at most stop_threshold; with switch.cell, the cells of so many full "
                              "packets",
                      .bounds = Bounds::from(0, 65535)},
                     go_threshold_);
    parameters.field({.name = "idle_time",
                      .help = "time for which an empty congested-flow queue is kept",
                      .bounds = Bounds::from(0, limits::kTime)},
                     idle_time_);
    parameters.field(
        {.name = "notification_delay",
         .help =
             "delay of Stop, Go and Free from a port to the upstream port; default: the delay of the link",
         .bounds = Bounds::over(0, limits::kTime)},
        notification_delay_);
    parameters.field({.name = "notification_packet",
                      .help = "size of the packets that carry Stop, Go and Free upstream over the links; "
                              "with 0 B, they use no bandwidth",
                      .bounds = Bounds::from(0, 65535)},
                     notification_packet_);
    parameters.field(
        {.name = "several_matches",
         .help = "final queue of a packet whose route crosses several congestion points: that of the "
                 "farthest or the nearest one; it passes through the queues of the others first"},
        several_matches_);
    parameters.field({.name = "pass_when_full",
                      .help = "whether the head of the normal queue can ignore a Stop while no "
                              "congested-flow queue is free for it"},
                     pass_when_full_);
  }

  void check(Mistakes& mistakes) const override {
    if (go_threshold_ > stop_threshold_)
      mistakes.add(
          "switch.go_threshold",
          std::to_string(go_threshold_) + " is more than stop_threshold, " + std::to_string(stop_threshold_),
          "a queue must send Go with fewer packets than it sends Stop with");
  }

  QueueMap build(const Graph&) const override { return QueueMap::single(); }

  std::optional<IsolationPlan> isolation() const override {
    IsolationRules rules;
    rules.key = kKey;
    rules.lines = static_cast<std::uint32_t>(cfqs_);
    rules.detection_threshold = static_cast<std::uint32_t>(detection_threshold_);
    rules.stop_threshold = static_cast<std::uint32_t>(stop_threshold_);
    rules.go_threshold = static_cast<std::uint32_t>(go_threshold_);
    rules.signal_bytes = static_cast<std::uint32_t>(notification_packet_.count);
    rules.nearest_last = several_matches_ == Match::nearest;
    rules.pass_when_full = pass_when_full_;
    return IsolationPlan{rules, idle_time_, notification_delay_};
  }

 private:
  std::int64_t cfqs_ = 8;  // section 4.1
  // Choice: 5 packets, the threshold of the paper's example (Figure 2). The paper gives no threshold for its
  // simulations.
  std::int64_t detection_threshold_ = 5;
  // Choice: 8 queues of 10 packets, and the packets in flight to them, fit into the paper's 8 KB, 128
  // packets.
  std::int64_t stop_threshold_ = 10;
  // Choice: above 0, so that a queue does not run empty while a Go is in flight.
  std::int64_t go_threshold_ = 4;
  // Choice: the time of four packets of 64 B at 1 GB/s. The paper does not say when a queue is freed.
  Duration idle_time_{256};
  // Choice: notifications have the same delay as credits.
  std::optional<Duration> notification_delay_;
  // Choice: notifications use no bandwidth, like credits, because the paper gives neither a size nor a cost.
  Bytes notification_packet_{0};
  // Choice: the farthest, like the longest match of RECN-IQ. A head packet that also meets a farther
  // congestion then leaves the queue to packets that meet only the near one.
  Match several_matches_ = Match::farthest;
  // Choice: no, as in the paper: without a free queue, packets wait in the normal queue.
  bool pass_when_full_ = false;
};

}  // namespace

Entry<Scheme> fbicm() {
  return {"fbicm",
          "congested flows, identified by destination, get their own queues while the congestion lasts",
          "FBICM (HiPC 2008), section 3", make_entry<Scheme, Isolating<IsolationKey::destination>>};
}

Entry<Scheme> recn_iq() {
  return {
      "recn-iq",
      "congested flows, identified by the remaining route, get their own queues while the congestion lasts",
      "RECN-IQ (ICPP 2007), as in FBICM (HiPC 2008), sections 2 and 4",
      make_entry<Scheme, Isolating<IsolationKey::route>>};
}

}  // namespace headway
