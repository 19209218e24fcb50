// SPDX-License-Identifier: Apache-2.0
// The number of links between two levels is the same everywhere: the up ports of all leaf switches. A level
// whose switches have d down ports therefore has (links / d) switches. The search over the children and
// parallel links of every level is exact; it is short because the number of nodes has few divisors.
#include "headway/topology/fat_tree_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "headway/base/plural.h"

namespace headway {
namespace {

constexpr std::int64_t kMostPlannedLevels = 8;
constexpr std::int64_t kMostSteps = 4000;  // largest change of the number of nodes in the advice

class Planner {
 public:
  Planner(const FatTreeRequest& request, std::int64_t levels) : request_(request), levels_(levels) {
    const std::int64_t most = std::min(request.radix, request.nodes);
    for (std::int64_t d = most; d >= 2; --d)
      if (request.nodes % d == 0) divisors_.push_back(d);
  }

  std::optional<std::vector<TreeLevel>> plan() {
    if (levels_ == 1) return plan_single();
    double fewest = kNever;
    std::int64_t leaf = 0;
    for (const std::int64_t children : divisors_) {
      const std::int64_t up = ports_up(children);
      if (up == 0 || children + up > request_.radix) continue;
      const std::int64_t whole = request_.nodes / children;
      const auto leaves = static_cast<double>(whole);
      const double switches = leaves + leaves * static_cast<double>(up) * above(2, whole, up).switches;
      if (is_less(switches, fewest)) std::tie(fewest, leaf) = std::pair(switches, children);
    }
    if (leaf == 0) return std::nullopt;
    std::vector<TreeLevel> tree = {level_of(leaf, 1, 1)};
    std::int64_t rest = request_.nodes / leaf, up = ports_up(leaf);
    for (std::int64_t level = 2; level <= levels_; ++level) {
      const Best best = above(level, rest, up);
      tree.push_back(level_of(best.children, up / best.links, best.links));
      rest /= best.children;
      up = best.children * best.links;
    }
    return tree;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Best {
    double switches = kNever;  // of this level and those above, for each link from below
    std::int64_t children = 0;
    std::int64_t links = 0;
  };
  static bool is_less(double a, double b) { return a < b * (1 - 1e-9) || (b == kNever && a < kNever); }
  static TreeLevel level_of(std::int64_t children, std::int64_t parents, std::int64_t links) {
    return {static_cast<std::uint32_t>(children), static_cast<std::uint32_t>(parents),
            static_cast<std::uint32_t>(links)};
  }

  std::optional<std::vector<TreeLevel>> plan_single() const {
    if (request_.nodes > request_.radix || request_.oversubscription > 1) return std::nullopt;
    return std::vector<TreeLevel>{level_of(request_.nodes, 1, 1)};
  }

  // Up ports of a leaf switch with this number of nodes; 0 if the result is not a whole number.
  std::int64_t ports_up(std::int64_t children) const {
    const double up = static_cast<double>(children) / request_.oversubscription;
    const double whole = std::round(up);
    return std::abs(up - whole) < 1e-9 * up ? static_cast<std::int64_t>(whole) : 0;
  }

  // The best choice for this level, above `rest` subtrees whose top switches have `up` up ports each.
  Best above(std::int64_t level, std::int64_t rest, std::int64_t up) {
    const auto [found, fresh] = best_.try_emplace({level, rest, up});
    if (!fresh) return found->second;
    const bool top = level == levels_;
    const std::int64_t most = top ? request_.radix : request_.radix / 2;
    Best best;
    for (const std::int64_t children : divisors_) {
      if (rest % children != 0 || children > most || (top && children != rest)) continue;
      for (std::int64_t links = 1; links <= std::min(up, most / children); ++links) {
        if (up % links != 0) continue;
        const std::int64_t down = children * links;
        double switches = 1 / static_cast<double>(down);
        if (!top) switches += above(level + 1, rest / children, down).switches;
        if (is_less(switches, best.switches)) best = {switches, children, links};
      }
    }
    return best_[{level, rest, up}] = best;
  }

  const FatTreeRequest& request_;
  std::int64_t levels_;
  std::vector<std::int64_t> divisors_;  // divisors of the number of nodes from the radix down to 2
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Best> best_;
};

// Nodes of the largest tree.
double most_nodes(const FatTreeRequest& request, std::int64_t levels) {
  const auto radix = static_cast<double>(request.radix);
  if (levels == 1) return radix;
  double leaf = 0;  // nodes of a leaf switch
  for (std::int64_t up = 1; up < request.radix; ++up) {
    const double nodes = std::floor(static_cast<double>(up) * request.oversubscription + 1e-9);
    if (static_cast<double>(up) + nodes <= radix) leaf = std::max(leaf, nodes);
  }
  return leaf * std::pow(std::floor(radix / 2), static_cast<double>(levels) - 2) * radix;
}

std::string in_levels(const FatTreeRequest& request) {
  return request.levels ? " in " + plural(static_cast<std::size_t>(*request.levels), "level") : "";
}

}  // namespace

std::optional<std::vector<TreeLevel>> plan_fat_tree(const FatTreeRequest& request) {
  for (std::int64_t levels = request.levels.value_or(1);
       levels <= request.levels.value_or(kMostPlannedLevels); ++levels)
    if (static_cast<double>(request.nodes) <= most_nodes(request, levels))
      if (auto tree = Planner(request, levels).plan()) return tree;
  return std::nullopt;
}

std::string fat_tree_advice(const FatTreeRequest& request) {
  if (request.levels == 1 && request.oversubscription > 1)
    return "a single switch is never oversubscribed; use more levels";
  const double most = most_nodes(request, request.levels.value_or(kMostPlannedLevels));
  if (static_cast<double>(request.nodes) > most)
    return "at most " + std::to_string(static_cast<std::int64_t>(most)) + " nodes fit" + in_levels(request);
  std::string fitting;
  for (const std::int64_t direction : {-1, 1})
    for (std::int64_t step = 1; step <= kMostSteps && request.nodes + direction * step > 1; ++step) {
      FatTreeRequest other = request;
      other.nodes += direction * step;
      if (!plan_fat_tree(other)) continue;
      fitting += (fitting.empty() ? "" : " or ") + std::to_string(other.nodes);
      break;
    }
  if (fitting.empty()) return "use another oversubscription, or switches with more ports";
  return fitting + " nodes fit" + in_levels(request);
}

}  // namespace headway
