// SPDX-License-Identifier: Apache-2.0
// Parallel-ports generalised fat-trees, PGFT(h; m_1..m_h; w_1..w_h; p_1..p_h): the levels are given by their
// numbers of children, parents and parallel links, or planned from the ports of a switch and the number of
// nodes (fat_tree_plan.h). Sources: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift
// permutations on real life fat trees", CCIT report 776, 2010, section 3; Ohring, Ibel, Das and Kumar, "On
// generalized fat trees", IPPS 1995 (one link per pair).
//
// Choice: nodes have one adapter with one link, so w_1 = p_1 = 1. Oversubscription is at the leaf switches.
#include <algorithm>
#include <string>

#include "headway/topology/fat_tree_plan.h"
#include "headway/topology/parts.h"
#include "headway/topology/tree.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kMostTreeLevels = 24;
constexpr std::int64_t kMostBoughtPorts = 1024;

class Pgft final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    describe_purchase(parameters);
    Lists lists = this->lists();
    const Lists before = lists;
    parameters.field(
        {.name = "children",
         .help = "m: children of every switch, level by level from the leaf switches up; those of "
                 "leaf switches are nodes",
         .bounds = Bounds::from(1, kMostSwitchPorts)},
        lists.children);
    parameters.field({.name = "parents",
                      .help = "w: parents of every child, for each level; 1 for the nodes",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     lists.parents);
    parameters.field({.name = "links",
                      .help = "p: parallel links between a child and each of its parents, for each level; 1 "
                              "for the nodes; default: 1 everywhere",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     lists.links);
    if (lists.children != before.children) given_.children = lists.children;
    if (lists.parents != before.parents) given_.parents = lists.parents;
    if (lists.links != before.links) given_.links = lists.links;
  }

  void check(Mistakes& mistakes) const override {
    if (is_bought() && !check_purchase(mistakes)) return;
    const Lists lists = this->lists();
    const std::size_t levels = lists.children.size();
    const std::size_t before = mistakes.list().size();
    if (levels < 1 || levels > static_cast<std::size_t>(kMostTreeLevels))
      mistakes.add("network.children", std::to_string(levels) + " levels",
                   "give one number per level, for 1 to " + std::to_string(kMostTreeLevels) + " levels");
    check_list("parents", lists.parents, levels, mistakes);
    if (!lists.links.empty()) check_list("links", lists.links, levels, mistakes);
    if (mistakes.list().size() == before) check_size(mistakes);
  }

  std::int64_t nodes() const override { return product(lists().children, 0); }

  std::int64_t switch_ports() const override {
    const Lists l = lists();
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < l.children.size(); ++s)
      sum = std::min(sum + capped(switches(l, s) * radix(l, s)), kMany);
    return sum;
  }

  Graph build(const Link& link) const override {
    const Lists l = lists();
    TreeShape shape;
    for (std::size_t s = 0; s < l.children.size(); ++s)
      shape.levels.push_back({static_cast<std::uint32_t>(l.children[s]),
                              static_cast<std::uint32_t>(l.parents[s]),
                              static_cast<std::uint32_t>(links(l, s))});
    return build_tree(shape, link);
  }

 private:
  struct Lists {
    Numbers children = {}, parents = {}, links = {};
  };
  static constexpr std::int64_t kMany = 1LL << 40;  // larger numbers are capped at this value

  void describe_purchase(Parameters& parameters) {
    parameters.field({.name = "radix",
                      .help = "ports of every switch. With nodes, selects the tree with the fewest switches; "
                              "'headway check --resolved' prints its children, parents and links",
                      .bounds = Bounds::from(2, kMostBoughtPorts)},
                     radix_);
    parameters.field({.name = "nodes",
                      .help = "number of nodes of the tree selected by radix and nodes",
                      .bounds = Bounds::from(2, kMaxTreeNodes)},
                     nodes_);
    parameters.field(
        {.name = "levels",
         .help = "levels of switches of the tree selected by radix and nodes; default: the fewest with which "
                 "the nodes fit",
         .bounds = Bounds::from(1, 8)},
        levels_);
    parameters.field(
        {.name = "oversubscription",
         .help = "nodes of a leaf switch per port upwards, in the tree selected by radix and nodes; default: "
                 "1. Above the leaves, switches have as many ports up as down",
         .bounds = Bounds::from(1, kMostBoughtPorts)},
        oversubscription_);
  }

  bool is_bought() const { return radix_ || levels_ || nodes_ || oversubscription_; }
  FatTreeRequest request() const {
    return {radix_.value_or(0), levels_, nodes_.value_or(0), oversubscription_.value_or(1)};
  }

  // The lists that apply: given, planned, or default.
  Lists lists() const {
    Lists lists{{4, 4}, {1, 2}, {}};
    if (is_bought()) {
      lists = {};
      if (radix_ && nodes_)
        if (const auto plan = plan_fat_tree(request()))
          for (const TreeLevel& level : *plan) {
            lists.children.push_back(level.children);
            lists.parents.push_back(level.parents);
            lists.links.push_back(level.links);
          }
    }
    if (!given_.children.empty()) lists.children = given_.children;
    if (!given_.parents.empty()) lists.parents = given_.parents;
    if (!given_.links.empty()) lists.links = given_.links;
    return lists;
  }

  bool check_purchase(Mistakes& mistakes) const {
    const std::size_t before = mistakes.list().size();
    for (const auto& [name, list] :
         {std::pair{"children", &given_.children}, {"parents", &given_.parents}, {"links", &given_.links}})
      if (!list->empty())
        mistakes.add(std::string("network.") + name, "is not that of the tree selected by radix and nodes",
                     "give either children, parents and links, or radix, nodes, levels and oversubscription");
    if (!radix_) mistakes.add("network.radix", "is missing", "give the number of ports of a switch");
    if (!nodes_) mistakes.add("network.nodes", "is missing", "give the number of nodes of the tree");
    if (radix_ && nodes_ && !plan_fat_tree(request()))
      mistakes.add("network.nodes",
                   "no tree of switches with " + std::to_string(*radix_) + " ports has " +
                       std::to_string(*nodes_) + " nodes with this oversubscription",
                   fat_tree_advice(request()));
    return mistakes.list().size() == before;
  }

  static void check_list(const std::string& name, const Numbers& list, std::size_t levels,
                         Mistakes& mistakes) {
    const std::string key = "network." + name;
    if (list.size() != levels)
      mistakes.add(key,
                   std::to_string(list.size()) + " numbers for " + std::to_string(levels) +
                       " levels of network.children",
                   "give one per level, from the leaf switches up");
    else if (list.front() != 1)
      mistakes.add(key, "the first number is " + std::to_string(list.front()) + ", but a node has one link",
                   "use 1 for the first level");
  }

  void check_size(Mistakes& mistakes) const {
    const Lists l = lists();
    for (std::size_t s = 0; s < l.children.size(); ++s)
      if (radix(l, s) > kMostSwitchPorts)
        return mistakes.add(
            "network.children",
            "switches of level " + std::to_string(s + 1) + " have " + std::to_string(radix(l, s)) + " ports",
            "at most " + std::to_string(kMostSwitchPorts));
    if (nodes() > kMaxTreeNodes)
      mistakes.add("network.children", "a tree of more than " + std::to_string(kMaxTreeNodes) + " nodes",
                   "use fewer children");
    else if (switch_ports() > kMostNetworkPorts)
      mistakes.add("network.parents", "a tree of more than " + std::to_string(kMostNetworkPorts) + " ports",
                   "use fewer parents, or fewer parallel links");
  }

  static std::int64_t capped(std::int64_t number) { return std::min(number, kMany); }
  // The product of the numbers from index `from` on.
  static std::int64_t product(const Numbers& numbers, std::size_t from) {
    std::int64_t result = 1;
    for (std::size_t i = from; i < numbers.size(); ++i) result = capped(result * numbers[i]);
    return result;
  }
  static std::int64_t links(const Lists& l, std::size_t s) { return l.links.empty() ? 1 : l.links[s]; }
  static std::int64_t radix(const Lists& l, std::size_t s) {
    const std::int64_t down = l.children[s] * links(l, s);
    return s + 1 == l.children.size() ? down : down + l.parents[s + 1] * links(l, s + 1);
  }
  // The switches of stage s: the product of the children above it and of the parents up to it.
  static std::int64_t switches(const Lists& l, std::size_t s) {
    std::int64_t result = product(l.children, s + 1);
    for (std::size_t i = 0; i <= s; ++i) result = capped(result * l.parents[i]);
    return result;
  }

  std::optional<std::int64_t> radix_, levels_, nodes_;
  std::optional<double> oversubscription_;
  Lists given_;  // empty: not given
};

}  // namespace

Entry<Topology> pgft() {
  return {"pgft",
          "fat-tree with any numbers of children, parents and parallel links in every level, or of switches "
          "with a given number of ports",
          "Zahavi 2010, section 3; Ohring et al., IPPS 1995", make_entry<Topology, Pgft>};
}

}  // namespace headway
