// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/messages.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>
#include <utility>

#include "headway/base/every_second.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

// Exact for times below 2^44 ticks.
std::uint64_t slowdown_of(std::uint64_t ticks, std::uint64_t alone) {
  return (ticks / alone << kSlowdownBits) + (ticks % alone << kSlowdownBits) / alone;
}

constexpr MetricOf<MessageStatistics> kMessageMetrics[] = {
    {more_is_better({"messages_completed", kMessages,
                     "messages whose last packet was delivered in the window", OverSeeds::sum}),
     [](const MessageStatistics& m) { return m.messages(); }},
    {{"completion_mean_ns", "ns",
      "mean time from the generation of a message to the delivery of the last of its packets"},
     [](const MessageStatistics& m) { return m.completion_mean_ns(); }},
    {{"completion_se_ns", "ns", "standard error of completion_mean_ns, by batch means",
      ErrorOf{"completion_mean_ns"}},
     [](const MessageStatistics& m) { return m.completion_se_ns(); }},
    {{"completion_p50_ns", "ns", "completion time not exceeded by half of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.completion_ns(0.5); }},
    {{"completion_p90_ns", "ns", "completion time not exceeded by 90 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.completion_ns(0.9); }},
    {{"completion_p99_ns", "ns", "completion time not exceeded by 99 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.completion_ns(0.99); }},
    {{"completion_p999_ns", "ns", "completion time not exceeded by 99.9 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.completion_ns(0.999); }},
    {{"completion_max_ns", "ns", "maximum completion time of a message", OverSeeds::maximum},
     [](const MessageStatistics& m) { return m.completion_ns(1); }},
    {{"slowdown_mean", "1",
      "mean of the completion time of a message, divided by that of the same message alone in the network"},
     [](const MessageStatistics& m) { return m.slowdown_mean(); }},
    {{"slowdown_se", "1", "standard error of slowdown_mean, by batch means", ErrorOf{"slowdown_mean"}},
     [](const MessageStatistics& m) { return m.slowdown_se(); }},
    {{"slowdown_p50", "1", "slowdown not exceeded by half of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.slowdown(0.5); }},
    {{"slowdown_p90", "1", "slowdown not exceeded by 90 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.slowdown(0.9); }},
    {{metrics::slowdown_p99, "1", "slowdown not exceeded by 99 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.slowdown(0.99); }},
    {{"slowdown_p999", "1", "slowdown not exceeded by 99.9 % of the messages (within 0.8 %)"},
     [](const MessageStatistics& m) { return m.slowdown(0.999); }},
    {{"slowdown_max", "1", "maximum slowdown of a message", OverSeeds::maximum},
     [](const MessageStatistics& m) { return m.slowdown(1); }},
};

}  // namespace

std::span<const MetricOf<MessageStatistics>> message_metrics() { return kMessageMetrics; }

MessageTimes::MessageTimes(const Network& network, const Workload& workload, const FlowNumbers& flows,
                           Options options)
    : network_(network), workload_(workload), flows_(flows), options_(options), alone_(network) {}

void MessageTimes::take(std::span<const Delivery> deliveries) {
  const std::uint32_t first_job = workload_.first_job_generator();
  for (const Delivery& delivery : deliveries) {
    if (delivery.generator >= first_job) continue;
    if (delivery.packets == 1) {
      complete(delivery, delivery.bytes);
      continue;
    }
    const std::uint64_t key = std::uint64_t{delivery.source} << 32 | delivery.message;
    Arrived& arrived = under_way_.at(key, {});
    if (delivery.serial - delivery.message == delivery.packets - 1) arrived.last_bytes = delivery.bytes;
    if (++arrived.packets < delivery.packets) continue;
    complete(delivery, arrived.last_bytes);
    under_way_.erase(key);
  }
}

void MessageTimes::take(const JobMessage& message) {
  const Job& job = workload_.jobs[message.job];
  const RankOp send = job.program->operation(message.send);
  const std::uint64_t bytes = std::max<std::uint64_t>(send.amount, 1);
  Tick alone = this->alone(message.source, message.destination, bytes);
  if (job.announces(send.amount))
    alone += this->alone(message.source, message.destination, job.control_bytes) +
             this->alone(message.destination, message.source, job.control_bytes);
  add({.generator = workload_.first_job_generator() + message.job,
       .source = message.source,
       .destination = message.destination,
       .bytes = bytes,
       .ticks = message.delivered - message.begun,
       .alone = alone});
  const SlowMessage slow{message, alone};
  if (slowest_.size() == options_.slowest) {
    if (slowest_.empty() || !(slow < *slowest_.rbegin())) return;
    slowest_.erase(std::prev(slowest_.end()));
  }
  slowest_.insert(slow);
}

Tick MessageTimes::alone(NodeId source, NodeId destination, std::uint64_t bytes) {
  if (network_.has_hosts())  // Choice: over the first of its ways, whichever it took
    std::tie(source, destination) = network_.graph.hosts().way(source, destination, 0);
  return alone_.of(source, destination, network_.framing().cut(bytes));
}

void MessageTimes::complete(const Delivery& latest, std::uint32_t last_bytes) {
  const PacketsOfMessage message{latest.packets, last_bytes};
  add({.generator = latest.generator,
       .source = latest.source,
       .destination = latest.destination,
       .bytes = network_.framing().payload_of(message),
       .ticks = latest.tick - latest.generated,
       .alone = alone_.of(latest.source, latest.destination, message)});
}

void MessageTimes::add(const Completed& message) {
  const auto ticks = static_cast<std::uint64_t>(message.ticks);
  const MessageSums one{1, ticks, slowdown_of(ticks, static_cast<std::uint64_t>(message.alone))};
  class_of(flows_.of_generator[message.generator], message.bytes).add(one);
  if (!options_.pairs) return;
  const std::uint32_t pair = pair_number_.at(pair_key(message.source, message.destination),
                                             static_cast<std::uint32_t>(pairs_.size()));
  if (pair == pairs_.size()) pairs_.emplace_back();
  pairs_[pair].add(one);
}

const MessagesOfPair& MessageTimes::of_pair(NodeId source, NodeId destination) const {
  static const MessagesOfPair kNoMessages;
  const std::uint32_t pair = pair_number_.value(pair_key(source, destination), kNone);
  return pair == kNone ? kNoMessages : pairs_[pair];
}

MessageClass& MessageTimes::class_of(std::uint32_t flow, std::uint64_t bytes) {
  const auto size_class = static_cast<std::uint32_t>(std::bit_width(bytes - 1));
  const std::uint32_t number =
      class_number_.at(std::uint64_t{flow} << 32 | size_class, static_cast<std::uint32_t>(classes_.size()));
  if (number == classes_.size())
    classes_.push_back(
        {.flow = flow, .size_class = size_class, .readings = std::vector<MessageSums>(readings_)});
  return classes_[number];
}

void MessageTimes::begin_measurement() {
  class_number_.clear();
  classes_.clear();
  pair_number_.clear();
  pairs_.clear();
  slowest_.clear();
  readings_ = 1;  // of nothing, at the start
}

void MessageTimes::close_bin() {
  ++readings_;
  for (MessageClass& each : classes_) each.readings.push_back(each.sums);
}

void MessageTimes::join_bins() {
  readings_ = readings_ / 2 + 1;
  for (MessageClass& each : classes_) keep_every_second(each.readings);
}

std::vector<const MessageClass*> MessageTimes::classes() const {
  std::vector<const MessageClass*> all;
  for (const MessageClass& each : classes_) all.push_back(&each);
  std::ranges::sort(all, {},
                    [](const MessageClass* each) { return std::pair(each->flow, each->size_class); });
  return all;
}

std::vector<const MessageClass*> MessageTimes::classes_of(std::uint32_t flow) const {
  std::vector<const MessageClass*> mine = classes();
  std::erase_if(mine, [&](const MessageClass* each) { return each->flow != flow; });
  return mine;
}

MessageStatistics::MessageStatistics(const Window& window, const std::vector<const MessageClass*>& classes)
    : window_(window), readings_(window.readings().size()) {
  for (const MessageClass* each : classes) {
    all_.sums.add(each->sums);
    all_.ticks.add(each->ticks);
    all_.slowdowns.add(each->slowdowns);
    for (std::size_t i = 0; i < readings_.size(); ++i) readings_[i].add(each->readings[i]);
  }
}

double MessageStatistics::standard_error(std::uint64_t MessageSums::* sum) const {
  std::vector<double> means;
  for (const auto& [from, to] : window_.batches())
    means.push_back(static_cast<double>(readings_[to].*sum - readings_[from].*sum) /
                    static_cast<double>(readings_[to].messages - readings_[from].messages));
  return standard_error_of_batches(means);
}

}  // namespace headway
