// SPDX-License-Identifier: Apache-2.0
// k-ary n-tree: a fat-tree of n stages of k^(n-1) equal switches with k ports down and k up, for k^n nodes.
// Switch <s, o> and <s+1, o'> are linked iff their labels o, o' (n-1 digits, base k) agree in every digit but
// digit s; so a packet going up chooses one digit of its label per stage. Source: Petrini and Vanneschi,
// "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997, section 2; in
// the notation of Gilabert et al., "On the influence of the selection function on the performance of
// fat-trees", Euro-Par 2006, section 2.
#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::int64_t kMaxArity = 32767;      // 2k local port numbers have 16 bits
constexpr std::int64_t kMaxNodes = 1LL << 24;  // keeps every port number of every tree within 32 bits

class KAryNTree final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "k",
                      .help = "arity: ports down, and ports up, of every switch",
                      .at_least = 2,
                      .at_most = kMaxArity},
                     k_);
    parameters.field({.name = "n", .help = "number of stages", .at_least = 1, .at_most = 24}, n_);
  }

  void check(Mistakes& mistakes) const override {
    if (nodes() > kMaxNodes)
      mistakes.add("network.n",
                   "a tree of " + std::to_string(k_) + "^" + std::to_string(n_) + " nodes is too large",
                   "k^n may be at most " + std::to_string(kMaxNodes));
  }

  // k^n, or a number above kMaxNodes if it is too large to build.
  std::int64_t nodes() const override {
    std::int64_t result = 1;
    for (std::int64_t s = 0; s < n_ && result <= kMaxNodes; ++s) result *= k_;
    return result;
  }

  std::int64_t switch_ports() const override { return 2 * n_ * nodes(); }

  Graph build(const Link& link) const override {
    const auto k = static_cast<std::uint32_t>(k_);
    const auto n = static_cast<std::uint32_t>(n_);
    const auto nodes_in_all = static_cast<std::uint32_t>(nodes());
    const std::uint32_t per_stage = nodes_in_all / k;
    Graph graph(nodes_in_all, std::vector<std::uint32_t>(std::size_t{n} * per_stage, 2 * k), TreeShape{k, n});

    // node p = (p_{n-1} .. p_0) hangs on switch <0, p_{n-1} .. p_1> at its DOWN port p_0
    for (NodeId node = 0; node < nodes_in_all; ++node)
      graph.connect(graph.node_port(node), graph.port(node / k, node % k), link);

    // UP port k+j of <s, o> leads to DOWN port o_s of <s+1, o'>, where o' is o with digit s set to j
    std::uint32_t power = 1;  // k^s
    for (std::uint32_t s = 0; s + 1 < n; ++s, power *= k) {
      for (std::uint32_t o = 0; o < per_stage; ++o) {
        const std::uint32_t digit = o / power % k;
        for (std::uint32_t j = 0; j < k; ++j) {
          const std::uint32_t above = o - digit * power + j * power;
          graph.connect(graph.port(s * per_stage + o, k + j), graph.port((s + 1) * per_stage + above, digit),
                        link);
        }
      }
    }
    return graph;
  }

 private:
  std::int64_t k_ = 4;
  std::int64_t n_ = 4;
};

}  // namespace

Entry<Topology> k_ary_n_tree() {
  return {"k-ary-n-tree", "fat-tree of n stages of switches with k ports down and k up",
          "Petrini and Vanneschi 1997, section 2", make_entry<Topology, KAryNTree>};
}

}  // namespace headway
