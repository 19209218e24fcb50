// SPDX-License-Identifier: Apache-2.0
// Saturated sources: a fixed number of messages always waits at the node. The results then show the network's
// limit directly, without a search over loads. Source: Karol, Hluchyj, Morgan, "Input versus output queueing
// on a space-division packet switch", 1987, section III (saturated input queues).
#include "headway/traffic/arrivals.h"

namespace headway {
namespace {

class Saturated final : public Arrivals {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "backlog",
                      .help = "number of messages that wait at every source",
                      .bounds = Bounds::from(1, 1e6)},
                     backlog_);
  }
  std::unique_ptr<ArrivalProcess> build(const ArrivalContext&) const override { return nullptr; }
  std::uint32_t backlog() const override { return static_cast<std::uint32_t>(backlog_); }

 private:
  std::int64_t backlog_ = 64;
};

}  // namespace

Entry<Arrivals> saturated() {
  return {"saturated",
          "every source always has a backlog of messages and sends as fast as the network accepts them",
          "Karol et al. 1987, section III", make_entry<Arrivals, Saturated>};
}

}  // namespace headway
