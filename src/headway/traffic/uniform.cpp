// SPDX-License-Identifier: Apache-2.0
// Uniform destinations: all other nodes with equal probability; with include_self also the source, as in
// theoretical models. Source: OBQA (Euro-Par 2010), Table 2 ("random"); Karol et al. 1987, section II, with
// self.
#include "headway/traffic/even_draw.h"

namespace headway {
namespace {

class Uniform final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "include_self", .help = "whether a source can send to itself, through its switch"},
        include_self_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    if (space.nodes < 2 && !include_self_)
      mistakes.add("pattern", "uniform traffic needs at least two nodes",
                   "include_self = true permits a single node");
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    return std::make_unique<EvenDestinations>(EvenDraw(space.nodes, include_self_));
  }

 private:
  bool include_self_ = false;
};

}  // namespace

Entry<Pattern> uniform() {
  return {"uniform", "all other nodes with equal probability", "OBQA (Euro-Par 2010), Table 2",
          make_entry<Pattern, Uniform>};
}

}  // namespace headway
