// SPDX-License-Identifier: Apache-2.0
// A kernel other than the event-driven one, with its parameters, as everything else sees it. A spec with
// `kernel = "NAME"` has [network] as usual, while [switch], [traffic] and [measure] are those that the kernel
// describes. It has none of what belongs to the engine: no photographs, no snapshots, no files of its
// network.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/network_spec.h"

namespace headway {

struct Metric;
struct Result;
struct RunOptions;
class RunProgress;

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual void describe_switch(Parameters& parameters) = 0;
  virtual void describe_traffic(Parameters& parameters) = 0;
  virtual void describe_measure(Parameters& parameters) = 0;
  void describe(Parameters& parameters) {
    describe_switch(parameters);
    describe_traffic(parameters);
    describe_measure(parameters);
  }
  // Reports mistakes other than fields that are out of range.
  virtual void check(Mistakes& mistakes) const = 0;

  // Throws SpecError with all mistakes, like a run of any spec (run/run.h).
  virtual Result run(const RunOptions& options, const RunProgress& progress) const = 0;

  // For saturation searches: sets the offered load, makes the window and the warm-up longer, and names the
  // metric of its own that stands for the latency.
  virtual void set_load(double load) = 0;
  virtual void lengthen(std::int64_t factor) = 0;
  virtual std::string_view latency() const = 0;

  // For predictions: the packet-hops of a run, the most numbers of its result, and its seconds, measured by
  // the part of it that takes about `budget` seconds.
  virtual double hops() const = 0;
  virtual double most_numbers() const = 0;
  virtual double seconds(double budget) const = 0;

  // The metrics that only this kernel has, and all that the terminal shows.
  virtual std::span<const Metric> own_metrics() const = 0;
  virtual std::span<const std::string_view> shown_metrics() const = 0;

  NetworkSpec network;
  std::uint64_t seed = 1;
};

// All kernels other than the event-driven one (cmake/lists.cmake).
Registry<Kernel> kernels();

}  // namespace headway
