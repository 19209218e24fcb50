// SPDX-License-Identifier: Apache-2.0
// Bidirectional multistage network (BMIN): n stages of switches with k ports on either side, links wired by a
// permutation between stages; a packet goes up to a switch from which its destination can be reached, and
// turns down there. The right-hand ports of the last stage are not used.
//
// A position has the base-k digits p_{n-1} .. p_0; p_0 is the port. Before stage s + 1 the butterfly
// exchanges digits 0 and s + 1, which is the wiring of the k-ary n-tree. The perfect shuffle rotates all
// digits left by one. It gives the same tree with relabelled nodes: the upper n-1 digits of a node number are
// reversed. Consecutive nodes share a switch under both wirings. The second stage joins the leaves whose
// numbers differ in the least significant digit under the butterfly, and in the most significant digit under
// the shuffle.
//
// Sources: Duato, Yalamanchili, Ni, "Interconnection networks", 2003, section 1.8.3; the networks of DBBM
// (Euro-Par 2005), section 5, and FBICM (HiPC 2008), section 4.1.
#include "headway/topology/banyan.h"
#include "headway/topology/tree.h"

namespace headway {
namespace {

enum class Wiring { shuffle, butterfly };
constexpr auto names_in_specs(Wiring) { return name_list("shuffle", "butterfly"); }

class Bmin final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "nodes",
                      .help = "number of nodes, a power of radix / 2",
                      .bounds = Bounds::from(2, kMaxTreeNodes)},
                     nodes_);
    parameters.field({.name = "radix",
                      .help = "ports of a switch, an even number; half of them on each side",
                      .bounds = Bounds::from(4, 2 * kMaxTreeArity)},
                     radix_);
    parameters.field({.name = "wiring", .help = "permutation between stages: perfect shuffle or butterfly"},
                     wiring_);
  }

  void check(Mistakes& mistakes) const override {
    if (radix_ % 2 != 0)
      mistakes.add("network.radix", std::to_string(radix_) + " is odd", "the number of ports must be even");
    else if (stages() == 0)
      mistakes.add("network.nodes",
                   std::to_string(nodes_) + " is not a power of " + std::to_string(radix_ / 2),
                   "stages of switches with " + std::to_string(radix_ / 2) +
                       " ports on each side connect a power of this number of nodes");
  }

  std::int64_t nodes() const override { return nodes_; }
  std::int64_t switch_ports() const override { return 2 * stages() * nodes_; }

  Graph build(const Link& link) const override {
    const auto k = static_cast<std::uint32_t>(radix_ / 2);
    TreeShape shape = k_ary_tree(k, stages());
    if (wiring_ == Wiring::shuffle)
      for (NodeId node = 0; node < static_cast<NodeId>(nodes_); ++node)
        shape.place_of.push_back(reverse_leaf(node, k, stages()));
    return build_tree(shape, link);
  }

 private:
  std::uint32_t stages() const {
    return exact_log(static_cast<std::uint32_t>(radix_ / 2), static_cast<std::uint64_t>(nodes_));
  }

  // Reverses all digits except the last one.
  static NodeId reverse_leaf(NodeId node, std::uint32_t k, std::uint32_t n) {
    NodeId leaf = 0;
    for (std::uint32_t rest = node / k, i = 1; i < n; ++i, rest /= k) leaf = leaf * k + rest % k;
    return leaf * k + node % k;
  }

  std::int64_t nodes_ = 64;
  std::int64_t radix_ = 8;
  Wiring wiring_ = Wiring::shuffle;
};

}  // namespace

Entry<Topology> bmin() {
  return {"bmin", "bidirectional multistage network, wired by perfect shuffles or butterflies",
          "DBBM (Euro-Par 2005), section 5; FBICM (HiPC 2008), section 4.1", make_entry<Topology, Bmin>};
}

}  // namespace headway
