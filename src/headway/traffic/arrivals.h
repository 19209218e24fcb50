// SPDX-License-Identifier: Apache-2.0
// The arrival-process family: it determines when a source generates its next message, with one virtual call
// per message.
#pragma once

#include <cstdint>
#include <memory>

#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/traffic/instant.h"
#include "headway/traffic/profile.h"

namespace headway {

// The context of a source's process: one message occupies the node's link for `message_ticks` on average.
struct ArrivalContext {
  LoadProfile profile;
  double message_ticks = 1;
};

class ArrivalProcess {
 public:
  virtual ~ArrivalProcess() = default;
  // The first instant of a source, and the next one after `previous`; kNever at the end.
  virtual Instant first(Rng& rng) const = 0;
  virtual Instant next(Instant previous, Rng& rng) const = 0;
};

class Arrivals {
 public:
  virtual ~Arrivals() = default;
  virtual void describe(Parameters&) {}
  // The process, or null for sources that always have a backlog of `backlog` messages.
  virtual std::unique_ptr<ArrivalProcess> build(const ArrivalContext& context) const = 0;
  virtual std::uint32_t backlog() const { return 0; }
  // The maximum valid load; `check` rejects higher loads.
  virtual double max_load() const { return 1.0; }
};

// Arrivals of a process without parameters.
template <class Process>
class ArrivalsOf final : public Arrivals {
 public:
  std::unique_ptr<ArrivalProcess> build(const ArrivalContext& context) const override {
    return std::make_unique<Process>(context);
  }
};

Registry<Arrivals> arrival_processes();

}  // namespace headway
