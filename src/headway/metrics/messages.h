// SPDX-License-Identifier: Apache-2.0
// Completion times of messages, from the generation of a message to the delivery of its last packet, and
// slowdowns, the completion time over that of the same message alone in the network. Both by flow and size.
// Messages of jobs begin at the end of the turn of their send, also if they are announced.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "headway/analysis/alone_time.h"
#include "headway/base/flat_map.h"
#include "headway/base/histogram.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/window.h"

namespace headway {

// Integers only, so that sums do not depend on order.
struct MessageSums {
  std::uint64_t messages = 0;
  std::uint64_t ticks = 0;      // completion times
  std::uint64_t slowdowns = 0;  // in units of 2^-kSlowdownBits, each rounded down

  void add(const MessageSums& more) {
    messages += more.messages;
    ticks += more.ticks;
    slowdowns += more.slowdowns;
  }
};
inline constexpr int kSlowdownBits = 20;

template <class AnyHistogram>
struct CompletedMessages {
  MessageSums sums;
  AnyHistogram ticks, slowdowns;

  void add(const MessageSums& one) {
    sums.add(one);
    ticks.add(one.ticks);
    slowdowns.add(one.slowdowns);
  }

  // NaN if there are no messages. Quantile 1: the maximum.
  double mean_ticks() const { return mean(sums.ticks); }
  double ticks_of(double quantile) const { return quantile_of(ticks, quantile); }
  double mean_slowdown() const { return mean(sums.slowdowns) / kUnit; }
  double slowdown(double quantile) const { return quantile_of(slowdowns, quantile) / kUnit; }

  static constexpr double kUnit = 1 << kSlowdownBits;

 private:
  double mean(std::uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(sums.messages);
  }
  double quantile_of(const AnyHistogram& histogram, double q) const {
    if (sums.messages == 0) return kNaN;
    return q == 1 ? static_cast<double>(histogram.max()) : histogram.quantile(q);
  }
};

// From one node to another one.
using MessagesOfPair = CompletedMessages<SparseHistogram>;

// Messages of one flow whose sizes are in one class: more than 2^(class - 1) bytes, at most 2^class. The sums
// begin with the measurement.
struct MessageClass : CompletedMessages<Histogram> {
  std::uint32_t flow = 0;
  std::uint32_t size_class = 0;
  std::vector<MessageSums> readings;  // `sums` at the start of the measurement and at the end of each bin
};

// A message of a job.
struct SlowMessage {
  JobMessage message;
  Tick alone;  // its completion time if nothing else is in the network

  Tick completion() const { return message.delivered - message.begun; }
  // Choice: by the time that they lost, because messages are not of one size. The longest messages would
  // have the longest completion times, and the shortest ones the largest slowdowns.
  Tick lost() const { return completion() - alone; }
  friend bool operator<(const SlowMessage& a, const SlowMessage& b) {
    return std::tuple(b.lost(), a.message) < std::tuple(a.lost(), b.message);
  }
};

// A message of several packets that is under way.
struct Arrived {
  std::uint32_t packets = 0;     // delivered
  std::uint32_t last_bytes = 0;  // length of the last packet, when that is delivered
};

// Keeps the messages of which some packets are delivered and others are not; its memory depends on their
// number, and on the number of flows and size classes.
class MessageTimes {
 public:
  struct Options {
    bool pairs = false;       // keep sums of each pair of nodes
    std::size_t slowest = 0;  // number of messages of jobs to keep
  };
  // All but the options must outlive it.
  MessageTimes(const Network& network, const Workload& workload, const FlowNumbers& flows, Options options);

  // The messages of flows and traces; packets of jobs are left out.
  void take(std::span<const Delivery> deliveries);
  void take(const JobMessage& message);
  void begin_measurement();
  void close_bin();
  void join_bins();  // makes one of each two bins of the measurement; their number must be even

  // By flow, then by size.
  std::vector<const MessageClass*> classes() const;
  std::vector<const MessageClass*> classes_of(std::uint32_t flow) const;
  const MessagesOfPair& of_pair(NodeId source, NodeId destination) const;
  const std::multiset<SlowMessage>& slowest() const { return slowest_; }

 private:
  static std::uint64_t pair_key(NodeId source, NodeId destination) {
    return std::uint64_t{source} << 32 | destination;
  }
  void complete(const Delivery& latest, std::uint32_t last_bytes);
  struct Completed {
    std::uint32_t generator;
    NodeId source, destination;
    std::uint64_t bytes;
    Tick ticks, alone;
  };
  void add(const Completed& message);
  Tick alone(NodeId source, NodeId destination, std::uint64_t bytes);
  MessageClass& class_of(std::uint32_t flow, std::uint64_t bytes);

  const Network& network_;
  const Workload& workload_;
  const FlowNumbers& flows_;
  Options options_;
  AloneTime alone_;
  FlatMap<std::uint64_t, Arrived> under_way_;  // [source << 32 | message]
  FlatMap<std::uint64_t> class_number_;        // flow << 32 | size class -> index in classes_
  std::vector<MessageClass> classes_;          // in the order of their first messages
  std::size_t readings_ = 0;
  FlatMap<std::uint64_t> pair_number_;  // source << 32 | destination -> index in pairs_
  std::vector<MessagesOfPair> pairs_;
  std::multiset<SlowMessage> slowest_;  // Options::slowest messages of jobs that lost the most time
};

// What the messages of several classes have in common.
class MessageStatistics {
 public:
  MessageStatistics(const Window& window, const std::vector<const MessageClass*>& classes);

  double messages() const { return static_cast<double>(all_.sums.messages); }
  double completion_mean_ns() const { return network().ns(all_.mean_ticks()); }
  double completion_se_ns() const { return network().ns(standard_error(&MessageSums::ticks)); }
  double completion_ns(double quantile) const { return network().ns(all_.ticks_of(quantile)); }
  double slowdown_mean() const { return all_.mean_slowdown(); }
  double slowdown_se() const { return standard_error(&MessageSums::slowdowns) / all_.kUnit; }
  double slowdown(double quantile) const { return all_.slowdown(quantile); }

 private:
  const Network& network() const { return window_.network(); }
  double standard_error(std::uint64_t MessageSums::* sum) const;

  const Window& window_;
  CompletedMessages<Histogram> all_;
  std::vector<MessageSums> readings_;
};

std::span<const MetricOf<MessageStatistics>> message_metrics();

}  // namespace headway
