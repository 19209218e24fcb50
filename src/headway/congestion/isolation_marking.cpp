// SPDX-License-Identifier: Apache-2.0
// Marks on packets that congestion isolation has moved aside at the root of their congestion, so that victims
// are never marked. Escudero-Sahuquillo et al., "Combining congested-flow isolation and injection throttling
// in HPC interconnection networks" (CCFIT), ICPP 2011; Merino et al., arXiv 2511.04639, 2025 (isolation
// guides ECN). Choice: the text of the first paper is not public; the thresholds are a reading of its
// abstract and of FBICM.
#include "headway/congestion/marking.h"

namespace headway {
namespace {

class IsolationMarking final : public Marking {
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
    if (context.stop_threshold == 0)
      mistakes.add("switch.marking", "\"isolation\" marks packets in congested-flow queues",
                   "use it with scheme \"fbicm\" or \"recn-iq\"");
    else if (low_ > high(context))
      mistakes.add("switch.congested_until", "is more than congested_above");
  }

  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    return MarkingRules{.by = MarkBy::isolation,
                        .low = static_cast<std::uint64_t>(low_),
                        .high = static_cast<std::uint64_t>(high(context)),
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

Entry<Marking> isolation_marking() {
  return {"isolation", "packets of congested-flow queues at the root of their congestion (CCFIT)",
          "CCFIT (ICPP 2011); Merino et al., arXiv 2511.04639", make_entry<Marking, IsolationMarking>};
}

}  // namespace headway
