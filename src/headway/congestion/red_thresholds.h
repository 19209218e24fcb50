// SPDX-License-Identifier: Apache-2.0
// Two thresholds for the bytes that wait, and a probability between them, as several markings have.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"

namespace headway {

struct MarkingContext;

struct RedThresholds {
  std::uint64_t low = 0, high = 0;  // bytes
  std::uint32_t probability = 0;    // at `high`, times 2^32

  // ask: of markings.h
  template <class Ask>
  bool mark(const Ask& ask) const {
    const std::uint64_t waiting = ask.waiting();
    if (waiting > high) return true;
    return waiting > low && ask.draw() < (waiting - low) * probability / (high - low);
  }
};

class RedThresholdKeys {
 public:
  void describe(Parameters& parameters);
  void check(const MarkingContext& context, Mistakes& mistakes) const;
  RedThresholds build(const MarkingContext& context) const;

 private:
  std::int64_t low(const MarkingContext& context) const;
  std::int64_t high(const MarkingContext& context) const;

  std::optional<Bytes> k_min_, k_max_;
  double p_max_ = 0.1;
};

}  // namespace headway
