// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/isolation_red.h"

#include "headway/config/parameter_values.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"
#include "headway/congestion/red_thresholds.h"

namespace headway {
namespace {

class IsolationRedKeys final : public Marking {
 public:
  void describe(Parameters& parameters) override { thresholds_.describe(parameters); }

  void check(const MarkingContext& context, Mistakes& mistakes) const override {
    check_isolation("isolation-red", context, mistakes);
    thresholds_.check(context, mistakes);
  }

  bool marks() const override { return true; }
  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    return MarkingRules{.own = IsolationRed{thresholds_.build(context)}, .at = MarkAt::grant};
  }

 private:
  RedThresholdKeys thresholds_;
};

}  // namespace

Entry<Marking> IsolationRed::entry() {
  return {"isolation-red",
          "by the thresholds of red, packets of congested-flow queues at the root of their congestion (ICI)",
          "Merino et al. (ICI), arXiv 2511.04639", make_entry<Marking, IsolationRedKeys>};
}

}  // namespace headway
