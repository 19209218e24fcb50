// SPDX-License-Identifier: Apache-2.0
// Permutations given by a formula on the node's number: of its bits b_{m-1} ... b_0 (perfect shuffle, bit
// reversal, transpose, butterfly), of the number itself (complement) or of its switch's coordinates (tornado,
// neighbour). The help of each pattern gives its formula. Source: Dally and Towles, "Principles and practices
// of interconnection networks", 2004, section 3.2.
#include <bit>
#include <utility>
#include <vector>

#include "headway/config/limits.h"
#include "headway/traffic/fixed_destinations.h"

namespace headway {
namespace {

template <class Formula>
std::unique_ptr<Destinations> tabulate(std::uint32_t nodes, Formula&& formula) {
  std::vector<NodeId> destination_of;
  for (NodeId node = 0; node < nodes; ++node) destination_of.push_back(formula(node));
  return std::make_unique<FixedDestinations>(std::move(destination_of));
}

// The destination of a node whose number has this many bits.
using BitFormula = NodeId (*)(NodeId node, std::uint32_t bits);

NodeId shuffled(NodeId node, std::uint32_t bits) {
  if (bits == 0) return node;
  return (node << 1 | node >> (bits - 1)) & ((1U << bits) - 1);
}
NodeId reversed(NodeId node, std::uint32_t bits) {
  NodeId result = 0;
  for (std::uint32_t bit = 0; bit < bits; ++bit) result |= (node >> bit & 1) << (bits - 1 - bit);
  return result;
}
NodeId transposed(NodeId node, std::uint32_t bits) {
  const std::uint32_t half = bits / 2;
  return node >> half | (node & ((1U << half) - 1)) << half;
}
NodeId butterflied(NodeId node, std::uint32_t bits) {
  if (bits < 2) return node;
  const std::uint32_t top = bits - 1;
  const NodeId differ = (node >> top ^ node) & 1;
  return node ^ (differ << top | differ);
}

template <BitFormula kFormula, bool kEvenBits = false>
class BitPermutation final : public Pattern {
 public:
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    const std::uint32_t nodes = space.nodes;
    const bool fits = std::has_single_bit(nodes) && (!kEvenBits || std::countr_zero(nodes) % 2 == 0);
    if (fits) return;
    const std::string needed = kEvenBits ? "a power of four" : "a power of two";
    mistakes.add(
        "pattern",
        "permutes the bits of node numbers, but " + std::to_string(nodes) + " nodes are not " + needed,
        "the number of nodes must be " + needed);
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(space.nodes));
    return tabulate(space.nodes, [&](NodeId node) { return kFormula(node, bits); });
  }
};

// The distance that is added to one coordinate.
using Distance = std::uint32_t (*)(std::uint32_t side);

std::uint32_t half_way_round(std::uint32_t side) { return (side + 1) / 2 - 1; }
std::uint32_t one_on(std::uint32_t) { return 1; }

// Adds a distance to every coordinate of a node, modulo the length of its dimension. Choice: nodes of one
// switch have the same coordinates, and a node sends to the one with its own place at the other switch. A
// network without coordinates needs a radix, because any choice of digits would give another pattern.
template <Distance kDistance>
class Shift final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "radix",
         .help = "shifts the digits of node numbers in this radix; with the number of nodes, all "
                 "nodes are one ring; default: the coordinates of switches, in a mesh, torus or "
                 "HyperX",
         .bounds = Bounds::from(2, limits::kNumber)},
        radix_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    const std::string nodes = std::to_string(space.nodes);
    if (!radix_ && space.sides.empty())
      return mistakes.add("pattern", "shifts coordinates, which the switches of this network do not have",
                          "with radix = " + nodes + " the nodes are one ring");
    std::uint64_t power = 1;
    while (radix_ && power < space.nodes) power *= static_cast<std::uint64_t>(*radix_);
    if (radix_ && power != space.nodes)
      mistakes.add("radix", nodes + " nodes are not a power of " + std::to_string(*radix_),
                   "omit it in a mesh, torus or HyperX; with " + nodes + " the nodes are one ring");
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    const std::vector<std::uint32_t> sides = sides_of(space);
    std::uint32_t points = 1;
    for (const std::uint32_t side : sides) points *= side;
    const std::uint32_t at_point = space.nodes / points;
    return tabulate(space.nodes, [&](NodeId node) {
      NodeId result = node % at_point;
      std::uint32_t weight = at_point;
      for (const std::uint32_t side : sides) {
        result += (node / weight % side + kDistance(side)) % side * weight;
        weight *= side;
      }
      return result;
    });
  }

 private:
  std::vector<std::uint32_t> sides_of(const NodeSpace& space) const {
    if (!radix_) return space.sides;
    std::vector<std::uint32_t> digits;
    for (std::uint64_t power = 1; power < space.nodes; power *= static_cast<std::uint64_t>(*radix_))
      digits.push_back(static_cast<std::uint32_t>(*radix_));
    return digits;
  }

  std::optional<std::int64_t> radix_;
};

// Every pair crosses the last stage of a tree.
class Complement final : public Pattern {
 public:
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    return tabulate(space.nodes, [&](NodeId node) { return space.nodes - 1 - node; });
  }
};

constexpr std::string_view kDallyAndTowles = "Dally and Towles 2004, section 3.2";

}  // namespace

Entry<Pattern> perfect_shuffle() {
  return {"perfect-shuffle",
          "address bits rotated left: node b_{m-1} b_{m-2} ... b_0 sends to b_{m-2} ... b_0 b_{m-1}",
          kDallyAndTowles, make_entry<Pattern, BitPermutation<shuffled>>};
}
Entry<Pattern> bit_reversal() {
  return {"bit-reversal", "address bits reversed: node b_{m-1} ... b_0 sends to b_0 ... b_{m-1}",
          kDallyAndTowles, make_entry<Pattern, BitPermutation<reversed>>};
}
Entry<Pattern> transpose() {
  return {"transpose", "halves of the address bits swapped: node r * sqrt(N) + c sends to c * sqrt(N) + r",
          kDallyAndTowles, make_entry<Pattern, BitPermutation<transposed, true>>};
}
Entry<Pattern> butterfly() {
  return {"butterfly",
          "highest and lowest address bit swapped: node b_{m-1} ... b_0 sends to b_0 ... b_{m-1}, with the "
          "bits between unchanged",
          kDallyAndTowles, make_entry<Pattern, BitPermutation<butterflied>>};
}
Entry<Pattern> complement() {
  return {"complement", "node i sends to node N-1-i",
          "Gilabert et al. (selection functions), Euro-Par 2006, section 5.1",
          make_entry<Pattern, Complement>};
}
Entry<Pattern> tornado() {
  return {"tornado",
          "almost half-way round every ring: each coordinate x of k becomes x + ceil(k/2) - 1 modulo k",
          kDallyAndTowles, make_entry<Pattern, Shift<half_way_round>>};
}
Entry<Pattern> neighbour() {
  return {"neighbour", "next neighbour in every dimension: each coordinate x of k becomes x + 1 modulo k",
          kDallyAndTowles, make_entry<Pattern, Shift<one_on>>};
}

}  // namespace headway
