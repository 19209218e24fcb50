// SPDX-License-Identifier: Apache-2.0
// The result of a routing function: at(switch, destination) -> candidate output ports.
//
// Small networks use a table. Large regular networks use a formula behind the same interface, because 65,536
// nodes must not need a switches x nodes table (modelling.md). If there are several candidates, the choice is
// random per packet, or determined by source and destination. The table never uses buffer state. Copies share
// their tables.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "headway/base/divisor.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/base/shared_vector.h"
#include "headway/routing/dragonfly_routes.h"
#include "headway/routing/formulas.h"
#include "headway/routing/port_range.h"
#include "headway/topology/graph.h"

namespace headway {

class RouteTable {
 public:
  // candidates[row * nodes + destination]; each row is for this number of consecutive switches
  static RouteTable from_table(std::uint32_t nodes, std::vector<PortRange> candidates,
                               std::uint32_t switches_per_row = 1);
  // Candidates that are not consecutive: a range of several ports is a range of indices in `ports` that
  // begins below 65,536. `per_pair`: a hash of source and destination determines one of the candidates
  // (ECMP); otherwise it is drawn.
  static RouteTable from_sets(std::uint32_t nodes, std::vector<PortRange> candidates,
                              std::vector<std::uint16_t> ports, bool per_pair);
  // Candidates that are the same for all nodes of a leaf. `ports` and `per_pair` as above.
  static RouteTable from_leaves(LeafRoutes routes, std::uint32_t switches, std::uint32_t nodes,
                                std::vector<std::uint16_t> ports, bool per_pair,
                                std::uint64_t largest_table = kLargestTable);
  // Trees by formula. The up port, and one of several parallel down links, is determined by the destination's
  // way (DET, D-mod-K; TreeRoutes), by the source's way (S-mod-K), by the sum of both, or drawn. In k-ary
  // trees, the number of the way modulo k is the node's digit of the stage.
  enum class TreeUp : std::uint8_t { source_digit, digit_sum, destination_digit, random };
  static RouteTable tree(const TreeShape& shape, TreeUp up);
  // A tree whose packets have these candidates in the stages.
  static RouteTable tree(const TreeShape& shape, const std::vector<TreeCandidates>& candidates);
  // A tree whose switches have all ports up, and all parallel links down, as candidates.
  static RouteTable tree_of_equal_paths(const TreeShape& shape, bool per_pair);
  // Other networks by a formula of formulas.h or dragonfly_routes.h. Its routes become a table if that fits
  // into the processor's caches: a lookup takes a quarter of the instructions of a formula.
  using Formula = std::variant<std::monostate, GridRoutes, HyperXRoutes, DragonflyRoutes, DragonflyPlusRoutes,
                               SwitchRoutes, TreeRoutes, LeafRoutes>;
  static RouteTable by_formula(Formula formula, std::uint32_t switches, std::uint32_t destinations,
                               std::uint64_t largest_table = kLargestTable);

  // A destination beyond those of the routing function, that two switches know: `sw` leads to it by `port`,
  // and its neighbour `from` by `port_from`. Others have no route to it.
  struct ShortRoute {
    SwitchId sw = kNone, from = kNone;
    std::uint16_t port = 0, port_from = 0;
  };
  // `routes`: of the nodes from `first` on.
  void add_short_routes(NodeId first, std::vector<ShortRoute> routes);

  [[gnu::always_inline]] PortRange at(SwitchId sw, NodeId destination) const {
    return at(kind_, sw, destination);
  }

  // The candidate with this number in the range that at(sw, destination) returned.
  std::uint32_t port(SwitchId sw, NodeId destination, PortRange range, std::uint32_t number) const {
    if (range.count == 1) return range.first;
    if (formula_lists_ports_) return port_by_formula(sw, destination, number);
    return ports_.empty() ? range.first + number : ports_[range.first + number];
  }

  // The candidates for a pair of nodes: those of at(), or the one among them that the pair determines.
  [[gnu::always_inline]] PortRange of_pair(SwitchId sw, NodeId source, NodeId destination) const {
    const PortRange candidates = at(sw, destination);
    return candidates.count > 1 ? narrowed(candidates, sw, source, destination) : candidates;
  }
  // What enters the hash of pairs (ECMP). A table without a salt of its own has one for each seed of a run:
  // seed - 1, so that several seeds show what depends on the luck of the hash.
  std::optional<std::uint64_t> own_salt() const { return own_salt_; }
  void set_salt(std::uint64_t own) {
    own_salt_ = own;
    use_salt(own);
  }
  void follow_seed(std::uint64_t seed) {
    if ((per_pair_ || labels_ > 0) && !own_salt_) use_salt(seed - 1);
  }
  void take_hash_of(const RouteTable& other) {
    own_salt_ = other.own_salt_;
    labels_ = other.labels_;
    use_salt(other.salt_);
  }
  // Packets draw one of so many labels at their source, and a hash of source, destination and label
  // determines one of several candidates; 0: they draw at every switch.
  std::uint32_t labels() const { return labels_; }
  void set_labels(std::uint32_t labels) { labels_ = labels; }
  // The number below 2^32 that determines a candidate. Without labels, the label is 0.
  std::uint64_t hash(SwitchId sw, NodeId source, NodeId destination, std::uint32_t label) const {
    const std::uint64_t pair = std::uint64_t{source} << 32 | destination;
    const std::uint64_t labelled = label == 0 ? pair : pair ^ mix64(label);
    return mix64(mix64(labelled) ^ mix64(sw) ^ mixed_salt_) >> 32;
  }
  std::uint64_t salt() const { return salt_; }
  // Returns true if a hash of source and destination determines one of several candidates.
  bool is_per_pair() const { return per_pair_; }
  // Returns true if the source of a packet determines which of several candidates it takes.
  bool by_source() const { return per_pair_ || up_ == TreeUp::source_digit || up_ == TreeUp::digit_sum; }
  // Returns true if a switch never has several candidates for a destination.
  bool by_destination() const;
  // Returns true if it is known that routes to the nodes of a switch are the same up to this switch.
  bool by_switch() const;
  // Returns true if demand to the nodes of a switch is carried together (analysis/link_demand.h). Choice: not
  // with routes of from_leaves and tree_of_equal_paths, because the sums would be rounded in another way than
  // in results that users have.
  bool carries_by_switch() const { return by_switch() && !carries_by_node_; }
  // Bytes of the tables that copies share.
  std::uint64_t bytes() const {
    return table_.bytes() + ports_.bytes() + tree_.bytes() + place_of_.bytes() + formula_bytes() +
           short_routes_.bytes();
  }

 private:
  static constexpr std::uint64_t kLargestTable = 1 << 17;  // entries: half a megabyte
  enum class Kind : std::uint8_t { table, tree, renamed_tree, formula, with_short_routes };
  // What the routing function is.
  Kind function() const { return kind_ == Kind::with_short_routes ? function_ : kind_; }
  // For k-ary trees, whose formula is on the hot path; TreeRoutes handles all other trees.
  struct TreeSwitch {
    Divisor stage_power;    // k^s
    std::uint32_t subtree;  // o div k^s: a destination is below iff d div k^(s+1) equals it
  };
  [[gnu::always_inline]] PortRange at(Kind kind, SwitchId sw, NodeId destination) const {
    if (kind == Kind::tree) return at_tree(sw, destination);
    if (kind == Kind::table)
      return table_[static_cast<std::size_t>(row_.quotient(sw)) * nodes_ + destination];
    if (kind == Kind::renamed_tree) return at_tree(sw, place_of_[destination]);
    return kind == Kind::formula ? at_formula(sw, destination) : with_short_route(sw, destination);
  }
  PortRange at_tree(SwitchId sw, NodeId place) const {
    const TreeSwitch& here = tree_[sw];
    const std::uint32_t shifted = here.stage_power.quotient(place);  // digits from d_s on
    const std::uint32_t above = arity_divisor_.quotient(shifted);    // digits from d_{s+1} on
    const std::uint32_t digit = shifted - above * arity_;
    // Masks instead of a branch, because the processor cannot predict whether a packet turns here.
    const std::uint32_t up = above == here.subtree ? 0 : ~0U;
    return {static_cast<std::uint16_t>((digit & (up_digit_ | ~up)) + (arity_ & up)),
            static_cast<std::uint16_t>(1 + (more_up_ & up))};
  }
  PortRange narrowed(PortRange candidates, SwitchId sw, NodeId source, NodeId destination) const;
  PortRange at_formula(SwitchId sw, NodeId destination) const;
  PortRange with_short_route(SwitchId sw, NodeId destination) const;
  void use_salt(std::uint64_t salt);
  std::uint32_t port_by_formula(SwitchId sw, NodeId destination, std::uint32_t number) const;
  static std::optional<RouteTable> table_of(const RouteTable& formula, std::uint32_t switches,
                                            std::uint32_t destinations);
  std::uint64_t formula_bytes() const;
  std::uint32_t way(SwitchId sw, NodeId node) const;  // see TreeRoutes::way

  Kind kind_ = Kind::table;
  TreeUp up_ = TreeUp::destination_digit;
  std::uint32_t nodes_ = 0;
  SharedVector<PortRange> table_;
  SharedVector<std::uint16_t> ports_;  // for candidates that are not consecutive
  bool formula_lists_ports_ = false;   // the ports of a range are those that the formula gives one by one
  bool per_pair_ = false;
  bool carries_by_node_ = false;
  std::uint32_t labels_ = 0;
  std::optional<std::uint64_t> own_salt_;
  std::uint64_t salt_ = 0, mixed_salt_ = 0;
  bool table_has_choices_ = false;  // an entry of the table has several candidates
  Divisor row_;                     // switches per row of the table
  std::uint32_t arity_ = 0;
  std::uint32_t up_digit_ = ~0U;  // mask of the destination's digit in the first up port
  std::uint32_t more_up_ = 0;     // up ports to choose from, minus 1
  Divisor arity_divisor_;
  SharedVector<TreeSwitch> tree_;  // [switch]
  SharedVector<NodeId> place_of_;  // [node], for relabelled trees
  Formula formula_;
  Kind function_ = Kind::table;
  NodeId first_short_ = 0;
  SharedVector<ShortRoute> short_routes_;
};

}  // namespace headway
