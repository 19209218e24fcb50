// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/isolation_marking.h"

#include "headway/config/parameter_values.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"

namespace headway {
namespace {

class IsolationMarkingKeys final : public Marking {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "congested_above",
                      .help = "an output is congested from when more than this many packets are in a "
                              "congested-flow queue of its root; default: half of stop_threshold",
                      .bounds = Bounds::from(0, 1e6)},
                     high_);
    parameters.field({.name = "congested_until",
                      .help = "it is congested until all its root queues hold at most this many packets",
                      .bounds = Bounds::from(0, 1e6)},
                     low_);
    describe_marking_rate(marking_rate_, parameters);
  }

  void check(const MarkingContext& context, Mistakes& mistakes) const override {
    check_isolation("isolation", context, mistakes);
    if (context.stop_threshold > 0 && low_ > high(context))
      mistakes.add("switch.congested_until", "is more than congested_above");
  }

  bool marks() const override { return true; }
  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    return MarkingRules{.own = IsolationMarking{.low = static_cast<std::uint64_t>(low_),
                                                .high = static_cast<std::uint64_t>(high(context))},
                        .at = MarkAt::grant,
                        .every = static_cast<std::uint32_t>(marking_rate_) + 1};
  }

 private:
  std::int64_t high(const MarkingContext& context) const {
    return high_.value_or(context.stop_threshold / 2);
  }

  std::optional<std::int64_t> high_;
  std::int64_t low_ = 1, marking_rate_ = 0;
};

}  // namespace

Entry<Marking> IsolationMarking::entry() {
  return {"isolation", "packets of congested-flow queues at the root of their congestion (CCFIT)",
          "CCFIT (ICPP 2011); Merino et al., arXiv 2511.04639", make_entry<Marking, IsolationMarkingKeys>};
}

}  // namespace headway
