// SPDX-License-Identifier: Apache-2.0
// The first millisecond after a second flow starts, under DCQCN: to the nanosecond, where every mark is
// certain, and in the mean of many seeds, against an account of two flows and one link that shares no code
// and no structure with the engine or the reference simulator. papers/dcqcn/README.md has the same by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "headway/compile/build.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

// Times in ns. A packet of 1000 B takes 200 on every link of 5 GB/s; the second flow starts at 1 ms.
constexpr std::int64_t kPacketTime = 200, kStart = 1'000'000;
constexpr double kPacketBytes = 1000;

Model two_flows(double k_max) {
  Mistakes mistakes;
  const std::string text = fmt::format(R"(
[network]
topology = "single-switch"
nodes = 3
link = {{ rate = "5 GB/s", delay = "10 ns" }}
[switch]
scheme = "voqsw"
queue_memory = "20 MB"
marking = "red"
k_min = "5 kB"
k_max = "{} B"
p_max = 0.01
[node]
reaction = "dcqcn"
notification_delay = "4 us"
injection_memory = "12 kB"
[traffic]
packet = "1 kB"
[[traffic.flow]]
sources = {{ nodes = [0] }}
pattern = "hotspot"
destination = 2
arrivals = "saturated"
backlog = 2
[[traffic.flow]]
sources = {{ nodes = [1] }}
pattern = "hotspot"
destination = 2
arrivals = "saturated"
backlog = 2
start = "1 ms"
[measure]
warmup = "1 ms"
duration = "1 ms"
)",
                                       k_max);
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return build(spec);
}

struct Change {
  std::int64_t at = 0;  // ns after the second flow's start
  int flow = 0;
  double rate = 0;
  bool operator==(const Change&) const = default;
};

void PrintTo(const Change& change, std::ostream* out) {
  *out << fmt::format("{} ns: flow {} at {}", change.at, change.flow, change.rate);
}

// With k_max next to k_min a packet is marked if and only if six packets or more stay behind. From the start
// on, two packets arrive in the time of one: after the grant at 10 + 200 k ns, k + 1 packets stay behind, so
// the one granted at 1010 ns is the first with a mark, of flow 0, because the turn begins with flow 1. It is
// delivered at 1220 ns; flow 0 learns of it at 5220 and flow 1 at 5420. Both halve their rates (alpha is 1),
// 27 packets wait, and every packet is marked. The next notifications may be sent 50 us after the first ones,
// and then rates halve again, from a target of one half. At half of the load the queue falls below the
// threshold in 9 us, and no mark comes before the rate timers of 55 us, which go half of the way back to the
// target.
TEST(DcqcnTransient, TheFirstHundredMicrosecondsAreThoseByHand) {
  const Model model = two_flows(5001);
  const auto simulation = make_simulation(model.network, model.workload, {.seed = 1});
  const auto ticks = [&](std::int64_t ns) {
    return static_cast<Tick>(std::llround(static_cast<double>(ns) / model.network.tick.ns.to_double()));
  };
  std::vector<Change> changes;
  double rates[] = {1, 1};
  for (std::int64_t at = 0; at < 120'000; at += 10) {
    simulation->run_until(ticks(kStart + at) + 1);
    for (const int flow : {0, 1})
      if (const double rate = simulation->view().rate(static_cast<NodeId>(flow), NodeId{2});
          rate != rates[flow])
        changes.push_back({at, flow, rates[flow] = rate});
  }
  EXPECT_THAT(changes, testing::ElementsAre(Change{5'220, 0, 0.5}, Change{5'420, 1, 0.5},
                                            Change{55'220, 0, 0.25}, Change{55'420, 1, 0.25},
                                            Change{110'220, 0, 0.375}, Change{110'420, 1, 0.375}));
}

// The account: two sources, one link, a step per nanosecond. Each packet goes straight to the link of its
// source.
class Account {
 public:
  // keeps_target: two cuts without an increase between them keep the first one's target, as adapters do.
  Account(unsigned seed, bool keeps_target) : random_(seed), keeps_target_(keeps_target) {}

  // The part of the output's time in which it carries packets, from the second flow's start on.
  double carried(std::int64_t duration) {
    for (now_ = 0; now_ < duration; ++now_) {
      for (const int f : {0, 1}) send(f);
      serve();
      for (; !deliveries_.empty() && deliveries_.front().at == now_; deliveries_.pop_front())
        deliver(deliveries_.front().flow);
      for (const int f : {0, 1}) recover(f);
      for (; !notices_.empty() && notices_.front().at == now_; notices_.pop_front())
        cut(notices_.front().flow);
    }
    return static_cast<double>(served_ * kPacketTime) / static_cast<double>(duration);
  }

 private:
  struct Coming {
    std::int64_t at = 0;
    int flow = 0;
  };
  struct Flow {
    double rate = 1, target = 1, alpha = 1, base = -1e9;
    int waiting = 0, steps = 0;
    std::int64_t link_free = 0, told = -1'000'000, timer = -1;
    std::deque<std::int64_t> on_link;
  };

  void send(int f) {
    Flow& flow = flows_[f];
    const double gate = flow.base + kPacketTime / flow.rate;
    if (const auto now = static_cast<double>(now_); now_ >= flow.link_free && now >= gate) {
      flow.base = flow.rate < 1 ? std::max(gate, now - 1) : now;
      flow.link_free = now_ + kPacketTime;
      flow.on_link.push_back(now_ + 10);
    }
    for (; !flow.on_link.empty() && flow.on_link.front() == now_; flow.on_link.pop_front()) ++flow.waiting;
  }

  void serve() {
    if (now_ < output_free_) return;
    const int f = flows_[turn_].waiting > 0 ? turn_ : 1 - turn_;
    if (flows_[f].waiting == 0) return;
    --flows_[f].waiting;
    turn_ = 1 - f;
    ++served_;
    output_free_ = now_ + kPacketTime;
    const double behind = kPacketBytes * (flows_[0].waiting + flows_[1].waiting);
    const double chance = behind > 200e3 ? 1 : std::max(0.0, 0.01 * (behind - 5e3) / 195e3);
    if (std::uniform_real_distribution<>{}(random_) < chance) deliveries_.push_back({output_free_ + 10, f});
  }

  void deliver(int f) {
    if (now_ < flows_[f].told + 50'000) return;
    flows_[f].told = now_;
    notices_.push_back({now_ + 4'000, f});
  }

  void cut(int f) {
    Flow& flow = flows_[f];
    if (!keeps_target_ || flow.steps > 0) flow.target = flow.rate;
    flow.rate *= 1 - flow.alpha / 2;
    flow.alpha += (1 - flow.alpha) / 256;
    flow.steps = 0;
    flow.timer = now_ + 55'000;
  }

  // Both timers of 55 us start with the last notification, so they expire together. 10 MB take longer than 1
  // ms.
  void recover(int f) {
    Flow& flow = flows_[f];
    if (flow.timer != now_) return;
    flow.alpha -= flow.alpha / 256;
    if (++flow.steps >= 5) flow.target = std::min(1.0, flow.target + 0.001);
    flow.rate = (flow.rate + flow.target) / 2;
    flow.timer = now_ + 55'000;
  }

  std::mt19937 random_;
  bool keeps_target_;
  std::array<Flow, 2> flows_;
  std::int64_t now_ = 0, output_free_ = 0, served_ = 0;
  int turn_ = 1;
  std::deque<Coming> deliveries_, notices_;
};

// Between 5 and 200 kB of waiting packets the marks are drawn, so the transient differs from seed to seed, by
// 0.07.
TEST(DcqcnTransient, TheFirstMillisecondCarriesWhatAnIndependentAccountCarries) {
  constexpr int kSeeds = 100;
  const Model model = two_flows(200'000);
  const double tick_ns = model.network.tick.ns.to_double();
  double here = 0, account = 0, target_kept = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto simulation = make_simulation(model.network, model.workload, {.seed = seed});
    simulation->run_until(static_cast<Tick>(1e6 / tick_ns));
    const std::uint64_t before = simulation->record().counters.bytes_delivered;
    simulation->run_until(static_cast<Tick>(2e6 / tick_ns));
    here += static_cast<double>(simulation->record().counters.bytes_delivered - before) / 5e6 / kSeeds;
    account += Account(seed, false).carried(1'000'000) / kSeeds;
    target_kept += Account(seed, true).carried(1'000'000) / kSeeds;
  }
  // Three standard errors of the difference of two means.
  test::expect_anchor({"control", "share of the link in the first ms after a second flow's start, DCQCN",
                       "account of two flows and one link", account, 0.032},
                      here);
  EXPECT_GT(target_kept, account + 0.032) << "the account tells the paper's form from the adapters'";
}

}  // namespace
}  // namespace headway
