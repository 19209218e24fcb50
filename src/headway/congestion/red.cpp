// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/red.h"

#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"
#include "headway/congestion/red_thresholds.h"

namespace headway {
namespace {

enum class RedAt : std::uint8_t { departure, arrival };
constexpr auto names_in_specs(RedAt) { return name_list("departure", "arrival"); }

class RedKeys final : public Marking {
 public:
  void describe(Parameters& parameters) override {
    thresholds_.describe(parameters);
    parameters.field(
        {.name = "mark_at",
         .help = "when a packet is marked: at its departure, by the bytes that stay behind, or at "
                 "its arrival, by those that wait already"},
        at_);
    parameters.field({.name = "roots_only",
                      .help = "true: an output that has no room behind it marks no packets, because its "
                              "congestion has its root elsewhere"},
                     roots_only_);
  }

  void check(const MarkingContext& context, Mistakes& mistakes) const override {
    thresholds_.check(context, mistakes);
  }

  bool marks() const override { return true; }
  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    return MarkingRules{.own = Red{thresholds_.build(context)},
                        .at = at_ == RedAt::arrival ? MarkAt::arrival : MarkAt::departure,
                        .roots_only = roots_only_};
  }

 private:
  RedThresholdKeys thresholds_;
  RedAt at_ = RedAt::departure;
  bool roots_only_ = false;
};

}  // namespace

Entry<Marking> Red::entry() {
  return {"red",
          "by two thresholds for the bytes that wait for an output, and a probability between them (ECN)",
          "Zhu et al. (DCQCN), SIGCOMM 2015, section 3.1", make_entry<Marking, RedKeys>};
}

}  // namespace headway
