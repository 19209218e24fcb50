// SPDX-License-Identifier: Apache-2.0
// Hot spot: one destination receives all messages, or a fraction of them, and the rest goes to random other
// nodes. Source: Pfister and Norton, "Hot spot contention and combining in multistage interconnection
// networks", IEEE Trans. Computers C-34(10), 1985, section II (fraction); OBQA (Euro-Par 2010), Table 2, case
// 2 (all).
#include "headway/config/limits.h"
#include "headway/traffic/even_draw.h"

namespace headway {
namespace {

class HotspotDestinations final : public Destinations {
 public:
  HotspotDestinations(std::uint32_t nodes, NodeId hot, double fraction)
      : rest_(nodes, /*include_self=*/false),
        hot_(hot),
        threshold_(static_cast<std::uint64_t>(fraction * 0x1p53)) {}

  // Choice: the hot-spot node does not send to itself. All its messages belong to the rest; without a rest it
  // sends nothing.
  NodeId next(NodeId source, Rng& rng) const override {
    if (!has_rest()) return source == hot_ ? kNone : hot_;
    if (rng.next() >> 11 < threshold_ && source != hot_) return hot_;
    return rest_.next(source, rng);
  }
  void shares(NodeId source, const Visit& visit) const override {
    const double hot_share = source == hot_ ? 0 : static_cast<double>(threshold_) / 0x1p53;
    if (!has_rest() && source != hot_) visit(hot_, 1.0);
    if (!has_rest()) return;
    rest_.shares(source, [&](NodeId destination, double share) {
      visit(destination, (1 - hot_share) * share + (destination == hot_ ? hot_share : 0));
    });
  }
  void visit_components(NodeId source, Components& components) const override {
    const double hot_share = source == hot_ ? 0 : has_rest() ? static_cast<double>(threshold_) / 0x1p53 : 1;
    if (hot_share > 0) components.one(hot_, hot_share);
    if (has_rest()) rest_.visit_components(source, 1 - hot_share, components);
  }

 private:
  bool has_rest() const { return threshold_ < 1ULL << 53; }

  EvenDraw rest_;
  NodeId hot_;
  std::uint64_t threshold_;  // fraction of hot messages, in 2^-53
};

class Hotspot final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "destination",
                      .help = "number of the hot-spot node",
                      .bounds = Bounds::from(0, limits::kNumber)},
                     destination_);
    parameters.field(
        {.name = "fraction",
         .help = "fraction of the messages that go to the hot spot; the rest is uniform over the other nodes",
         .bounds = Bounds::over(0, 1)},
        fraction_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    const std::uint32_t nodes = space.nodes;
    if (destination_ >= nodes)
      mistakes.add("destination", "node " + std::to_string(destination_) + " is outside the network",
                   "nodes are 0 to " + std::to_string(nodes - 1));
    if (nodes < 2) mistakes.add("pattern", "a hot spot needs at least one other node that sends to it");
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    return std::make_unique<HotspotDestinations>(space.nodes, static_cast<NodeId>(destination_), fraction_);
  }

 private:
  std::int64_t destination_ = 0;
  double fraction_ = 1.0;
};

}  // namespace

Entry<Pattern> hotspot() {
  return {"hotspot", "one hot-spot destination for all messages, or for a fraction of them",
          "Pfister and Norton 1985, section II; OBQA (Euro-Par 2010), Table 2", make_entry<Pattern, Hotspot>};
}

}  // namespace headway
