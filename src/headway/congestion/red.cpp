// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/red.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"

namespace headway {
namespace {

enum class RedAt : std::uint8_t { departure, arrival };
constexpr auto names_in_specs(RedAt) { return name_list("departure", "arrival"); }

class RedKeys final : public Marking {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "k_min",
         .help = "no packet is marked while at most this many bytes wait for its output and lane; "
                 "default: a quarter of the memory of a lane at an input port",
         .bounds = Bounds::from(0, 1e12)},
        k_min_);
    parameters.field(
        {.name = "k_max",
         .help = "every packet is marked while more than this many bytes wait for its output and "
                 "lane; default: the memory of a lane at an input port",
         .bounds = Bounds::from(1, 1e12)},
        k_max_);
    parameters.field({.name = "p_max",
                      .help = "probability of a mark just below k_max; it grows from 0 at k_min",
                      .bounds = Bounds::from(0, 1)},
                     p_max_);
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
    if (low(context) >= high(context))
      mistakes.add("switch.k_max",
                   fmt::format("{} is not more than k_min, {}", to_string(Bytes{high(context)}),
                               to_string(Bytes{low(context)})));
  }

  bool marks() const override { return true; }
  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    return MarkingRules{
        .own = Red{.low = static_cast<std::uint64_t>(low(context)),
                   .high = static_cast<std::uint64_t>(high(context)),
                   .probability = static_cast<std::uint32_t>(std::min(p_max_ * 0x1p32, 0x1p32 - 1))},
        .at = at_ == RedAt::arrival ? MarkAt::arrival : MarkAt::departure,
        .roots_only = roots_only_};
  }

 private:
  std::int64_t low(const MarkingContext& context) const {
    return k_min_ ? k_min_->count : context.lane_bytes / 4;
  }
  std::int64_t high(const MarkingContext& context) const {
    return k_max_ ? k_max_->count : context.lane_bytes;
  }

  std::optional<Bytes> k_min_, k_max_;
  double p_max_ = 0.1;
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
