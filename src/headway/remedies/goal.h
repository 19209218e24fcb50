// SPDX-License-Identifier: Apache-2.0
// What changes of a spec are judged by: a metric of a job or a flow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headway/run/results.h"
#include "headway/why/path_account.h"

namespace headway {

// Changes of less than this say nothing: they are not told as effects.
inline constexpr double kNoEffect = 0.05;

struct Goal {
  std::string metric;  // "train.completion_ns"
  std::string of;      // the job or the flow; empty: all traffic
  bool more_is_better = false;

  bool is_of_job = false;  // its critical path can be followed

  // Gains below it say nothing. Percentiles are those of a histogram, whose steps are larger.
  double least_effect() const { return metric.find("_p") == std::string::npos ? kNoEffect : 2 * kNoEffect; }

  // The value in a run; NaN if it has none, as the completion of a job that was not done.
  double value(const Result& result) const;
  // How many times better than the base; below 1, worse; 0 if its job was not done at a limit beyond the end
  // of the base; NaN if one of them has no value. Of accepted loads, packets per time are compared: a load is
  // relative to the rates of links, which changes can raise, and a closed loop offers what it delivers.
  double gain(const Result& base, const Result& changed) const;
};

// Packets of a flow, or of all traffic if it has no name, that are delivered per ns of the window.
double delivered_rate(const Result& result, std::string_view flow);

// The metric that the user names, or the one that a reader would ask for: the mean turnaround of jobs that
// wait for nodes, the completion of the first job
// that is not in the background, or the accepted load or the latency of the flow that suffers. Throws
// NoResult if the base does not have it.
Goal goal_of(const PointResult& base, const std::optional<std::string>& asked);

// Where the time goes that the goal is about: on the critical path of its job, or of the packets of its flow.
// Nothing if the run does not tell.
std::optional<PathAccount> account_of(const PointResult& run, const Goal& goal);

// Of the name of a metric: whether more of it is better, as of a load.
bool grows_when_better(std::string_view metric);

// "4.53 times faster", "1.8 times as much", "no change", "1.3 times slower"
std::string gain_text(std::string_view metric, double gain);

}  // namespace headway
