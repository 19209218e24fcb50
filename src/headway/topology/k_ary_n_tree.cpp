// SPDX-License-Identifier: Apache-2.0
// k-ary n-tree: a fat-tree of n stages of k^(n-1) equal switches with k ports down and k up, for k^n nodes.
// Source and wiring: tree.cpp.
#include "headway/topology/tree.h"

namespace headway {
namespace {

class KAryNTree final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "k",
                      .help = "arity: number of down ports and of up ports of every switch",
                      .bounds = Bounds::from(2, kMaxTreeArity)},
                     k_);
    parameters.field({.name = "n", .help = "number of stages", .bounds = Bounds::from(1, 24)}, n_);
  }

  void check(Mistakes& mistakes) const override {
    if (nodes() > kMaxTreeNodes)
      mistakes.add("network.n",
                   "a tree of " + std::to_string(k_) + "^" + std::to_string(n_) + " nodes is too large",
                   "k^n can be at most " + std::to_string(kMaxTreeNodes));
  }

  // k^n, or a number above kMaxTreeNodes if it is too large to build.
  std::int64_t nodes() const override {
    std::int64_t result = 1;
    for (std::int64_t s = 0; s < n_ && result <= kMaxTreeNodes; ++s) result *= k_;
    return result;
  }

  std::int64_t switch_ports() const override { return 2 * n_ * nodes(); }

  Graph build(const Link& link) const override {
    return build_tree(k_ary_tree(static_cast<std::uint32_t>(k_), static_cast<std::uint32_t>(n_)), link);
  }

 private:
  std::int64_t k_ = 4;
  std::int64_t n_ = 4;
};

}  // namespace

Entry<Topology> k_ary_n_tree() {
  return {"k-ary-n-tree", "fat-tree with n stages of switches; each switch has k down ports and k up ports",
          "Petrini and Vanneschi 1997, section 2", make_entry<Topology, KAryNTree>};
}

}  // namespace headway
