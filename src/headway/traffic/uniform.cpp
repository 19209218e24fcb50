// SPDX-License-Identifier: Apache-2.0
// Uniform destinations: all other nodes with equal probability; with include_self also the source, as in
// theoretical models. Source: OBQA (Euro-Par 2010), Table 2 ("random"); Karol et al. 1987, section II, with
// self.
#include "headway/traffic/even_draw.h"
#include "headway/traffic/pattern.h"

namespace headway {
namespace {

class UniformDestinations final : public Destinations {
 public:
  UniformDestinations(std::uint32_t nodes, bool include_self) : draw_(nodes, include_self) {}
  NodeId next(NodeId source, Rng& rng) const override { return draw_.next(source, rng); }
  void shares(NodeId source, const Visit& visit) const override { draw_.shares(source, visit); }
  void visit_parts(NodeId source, Parts& parts) const override { draw_.visit_parts(source, 1, parts); }

 private:
  EvenDraw draw_;
};

class Uniform final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "include_self", .help = "whether a source can send to itself, through its switch"},
        include_self_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    const std::uint32_t nodes = space.nodes;
    if (nodes < 2 && !include_self_)
      mistakes.add("pattern", "uniform traffic needs at least two nodes",
                   "include_self = true permits a single node");
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    const std::uint32_t nodes = space.nodes;
    return std::make_unique<UniformDestinations>(nodes, include_self_);
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
