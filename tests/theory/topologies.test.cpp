// SPDX-License-Identifier: Apache-2.0
// Nodes, switches, links, diameter and bisection of every topology: the closed forms of its paper against
// counts over the built graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/assign.h"
#include "headway/topology/extent.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

// Only links between switches count, also for the diameter. No bisection: the network has no halves.
struct ClosedForm {
  std::string topology;
  std::vector<Argument> arguments;
  std::int64_t nodes, switches, links, diameter;
  std::optional<std::int64_t> bisection;

  friend std::ostream& operator<<(std::ostream& out, const ClosedForm& form) {
    return out << form.topology << " of " << form.nodes << " nodes and " << form.switches << " switches";
  }
};

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}
std::int64_t product(const Numbers& numbers, std::size_t from, std::size_t end) {
  std::int64_t result = 1;
  for (std::size_t i = from; i < end; ++i) result *= numbers[i];
  return result;
}
std::optional<std::int64_t> if_even(std::int64_t halved, std::int64_t bisection) {
  return halved % 2 == 0 ? std::optional(bisection) : std::nullopt;
}

// Petrini and Vanneschi, "k-ary n-trees", IPPS 1997: full bisection.
ClosedForm k_ary(std::int64_t k, std::int64_t n) {
  const std::int64_t nodes = power(k, n);
  return {"k-ary-n-tree", {{"k", k}, {"n", n}}, nodes, n * nodes / k, (n - 1) * nodes,
          2 * (n - 1),    if_even(k, nodes / 2)};
}
ClosedForm bidirectional_min(std::int64_t nodes, std::int64_t radix, const char* wiring) {
  ClosedForm form = k_ary(radix / 2, std::llround(std::log(nodes) / std::log(radix / 2)));
  form.topology = "bmin";
  form.arguments = {{"nodes", nodes}, {"radix", radix}, {"wiring", std::string(wiring)}};
  return form;
}

// Zahavi 2010, section 3: switches of level l: m_(l+1) ... m_h w_1 ... w_l; each has m_l p_l links downwards.
// The bisection of a tree is the number of links that half of the nodes have above them at the narrowest
// level.
ClosedForm tree(const Numbers& m, const Numbers& w, const Numbers& p) {
  const std::size_t h = m.size();
  std::int64_t switches = 0, links = 0, narrowest = 0;
  for (std::size_t l = 0; l < h; ++l) {
    const std::int64_t here = product(m, l + 1, h) * product(w, 0, l + 1);
    const std::int64_t down = here * m[l] * p[l];
    switches += here;
    if (l > 0) links += down;
    if (l > 0 && (narrowest == 0 || down < narrowest)) narrowest = down;
  }
  const std::int64_t nodes = product(m, 0, h);
  return {"pgft",
          {{"children", m}, {"parents", w}, {"links", p}},
          nodes,
          switches,
          links,
          2 * static_cast<std::int64_t>(h - 1),
          if_even(m.back(), h == 1 ? nodes / 2 : narrowest / 2)};
}

// Dally and Towles 2004, section 5.2: a k-ary n-cube has 4 N / k channels between its halves, counted in both
// directions; a mesh has half as many.
ClosedForm grid(bool wraps, const Numbers& sides, std::int64_t per_switch) {
  const std::int64_t switches = product(sides, 0, sides.size());
  std::int64_t links = 0, diameter = 0, longest = 1;
  for (const std::int64_t side : sides) {
    if (side == 1) continue;
    links += switches / side * (wraps ? side : side - 1);
    diameter += wraps ? side / 2 : side - 1;
    longest = std::max(longest, side);
  }
  return {wraps ? "torus" : "mesh",
          {{"sides", sides}, {"nodes_per_switch", per_switch}},
          switches * per_switch,
          switches,
          links,
          diameter,
          longest == 1 ? std::nullopt : if_even(longest, (wraps ? 2 : 1) * switches / longest)};
}

// Ahn et al., SC 2009, section 3: the bisection of dimension i has K_i S_i / 4 links for each switch;
// relative to full bisection it is K_i S_i / (2 T).
ClosedForm hyperx(const Numbers& sides, Numbers widths, std::int64_t per_switch) {
  const std::vector<Argument> arguments = {
      {"sides", sides}, {"widths", widths}, {"nodes_per_switch", per_switch}};
  widths.resize(sides.size(), 1);
  const std::int64_t switches = product(sides, 0, sides.size());
  std::int64_t links = 0, diameter = 0, narrowest = 0, side = 0;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    if (sides[d] == 1) continue;
    links += switches * (sides[d] - 1) * widths[d] / 2;
    ++diameter;
    if (narrowest != 0 && widths[d] * sides[d] >= narrowest) continue;
    narrowest = widths[d] * sides[d];
    side = sides[d];
  }
  return {"hyperx",
          arguments,
          switches * per_switch,
          switches,
          links,
          diameter,
          if_even(side, narrowest * switches / 4)};
}
// Kim, Dally and Abts, "Flattened butterfly", ISCA 2007: k-ary n-flat.
ClosedForm flattened_butterfly(std::int64_t k, std::size_t n) {
  ClosedForm form = hyperx(Numbers(n - 1, k), {}, k);
  const std::int64_t switches = power(k, static_cast<std::int64_t>(n) - 1);
  form.nodes = k * switches;
  form.switches = switches;
  form.links = switches * (k - 1) * static_cast<std::int64_t>(n - 1) / 2;
  form.diameter = static_cast<std::int64_t>(n) - 1;
  form.bisection = if_even(k, form.nodes / 4);  // half of full bisection, with one node per link of a row
  return form;
}

// Global links between halves of the groups. Every pair of groups has floor(E h / (g - 1)) links, where E
// switches of a group have h each. An odd number of groups has a middle group that is cut, too. If every pair
// has one link, each half of the middle group has the links to the groups on its side. If every switch has
// links to all groups, half of the middle group's links cross.
std::int64_t global_links_across(std::int64_t ends, std::int64_t h, std::int64_t g) {
  const std::int64_t between_others = g / 2 * (g / 2) * (ends * h / (g - 1));
  if (g % 2 == 0 || ends * h == g - 1) return between_others;
  EXPECT_EQ(h % (g - 1), 0) << "another case than the two";
  return between_others + ends * h / 2;
}

// Kim et al., ISCA 2008, section 3. The halves of a group have a^2 / 4 links.
ClosedForm dragonfly(std::int64_t p, std::int64_t a, std::int64_t h, std::int64_t g,
                     const char* arrangement) {
  const std::int64_t across = g % 2 == 0 || a % 2 == 0 ? global_links_across(a, h, g) : 0;
  const std::int64_t last = h >= g - 1 ? 0 : 1;  // a switch without a link to every group needs another hop
  return {"dragonfly",
          {{"p", p}, {"a", a}, {"h", h}, {"g", g}, {"arrangement", std::string(arrangement)}},
          p * a * g,
          a * g,
          g * a * (a - 1) / 2 + g * (g - 1) / 2 * (a * h / (g - 1)),
          a == 1 ? 1 : 2 + last,
          g % 2 == 0 ? across : if_even(a, across + a * a / 4)};
}

// Shpiner et al. 2017, section III. A path goes up, over a global link, and down.
ClosedForm dragonfly_plus(std::int64_t p, std::int64_t leaves, std::int64_t spines, std::int64_t h,
                          std::int64_t g) {
  const bool has_halves = g % 2 == 0 || (leaves % 2 == 0 && spines % 2 == 0);
  const std::int64_t across = has_halves ? global_links_across(spines, h, g) : 0;
  return {"dragonfly-plus",
          {{"p", p}, {"leaves", leaves}, {"spines", spines}, {"h", h}, {"g", g}},
          p * leaves * g,
          (leaves + spines) * g,
          g * leaves * spines + g * (g - 1) / 2 * (spines * h / (g - 1)),
          3,
          !has_halves ? std::nullopt : std::optional(across + (g % 2 == 0 ? 0 : leaves * spines / 2))};
}

// Besta and Hoefler, SC 2014, section II: q = 4 w + delta, k' = (3 q - delta) / 2 links of each of the 2 q^2
// switches, and ceil(k' / 2) nodes. The paper finds its bisection by search, not by a closed form.
ClosedForm slim_fly(std::int64_t q) {
  const std::int64_t delta = q % 4 == 3 ? -1 : q % 4, k = (3 * q - delta) / 2, switches = 2 * q * q;
  return {"slim-fly", {{"q", q}}, switches * ((k + 1) / 2), switches, switches * k / 2, 2, std::nullopt};
}

// log_k N stages of N / k switches, with N one-way links between two stages.
ClosedForm stages(const char* name, std::int64_t k, std::int64_t n) {
  return {name,
          {{"nodes", power(k, n)}, {"fan_in", k}},
          power(k, n),
          n * power(k, n - 1),
          (n - 1) * power(k, n),
          n - 1,
          std::nullopt};
}

std::vector<ClosedForm> closed_forms() {
  std::vector<ClosedForm> forms = {
      {"single-switch", {{"nodes", 12}}, 12, 1, 0, 0, 6},
      {"single-switch", {{"nodes", 5}}, 5, 1, 0, 0, std::nullopt},
      k_ary(2, 3),
      k_ary(4, 3),
      k_ary(3, 3),
      k_ary(6, 2),
      k_ary(4, 1),
      bidirectional_min(64, 8, "shuffle"),
      bidirectional_min(32, 4, "butterfly"),
      bidirectional_min(27, 6, "shuffle"),
      tree({4}, {1}, {1}),
      tree({4, 4}, {1, 2}, {1, 1}),
      tree({4, 4}, {1, 2}, {1, 2}),
      tree({3, 2, 4}, {1, 3, 2}, {1, 1, 1}),
      tree({2, 3, 2}, {1, 2, 1}, {1, 2, 3}),
      tree({6, 6, 12}, {1, 6, 3}, {1, 1, 2}),
      tree({4, 2, 6}, {1, 1, 4}, {1, 1, 1}),  // narrow below the top
      tree({2, 2, 3}, {1, 2, 2}, {1, 1, 1}),  // no halves
      hyperx({8}, {}, 3),
      hyperx({4, 4}, {1, 3}, 2),
      hyperx({4, 2, 6}, {2, 1, 1}, 1),
      hyperx({2, 2, 2, 2}, {}, 1),  // a hypercube
      hyperx({6, 3}, {1, 4}, 2),
      hyperx({5, 4}, {1, 4}, 2),  // narrowest in a dimension without halves
      flattened_butterfly(4, 3),
      flattened_butterfly(8, 2),
      flattened_butterfly(3, 4),
      dragonfly_plus(2, 4, 4, 2, 9),
      dragonfly_plus(1, 2, 3, 4, 4),
      dragonfly_plus(2, 3, 2, 2, 5),
      dragonfly_plus(1, 2, 2, 4, 9),
      dragonfly_plus(1, 2, 2, 8, 5),
      slim_fly(3),
      slim_fly(4),
      slim_fly(5),
      slim_fly(7),
      slim_fly(9),
      slim_fly(13),
      // two rails with a leaf each, and a spine for every server; then pods of four servers, and cores
      {"rails",
       {{"servers", std::int64_t{4}}, {"gpus", std::int64_t{2}}, {"scale_up_switches", std::int64_t{0}}},
       8,
       2 + 4,
       2 * 4,
       2,
       std::nullopt},
      {"rails",
       {{"servers", std::int64_t{8}},
        {"gpus", std::int64_t{2}},
        {"scale_up_switches", std::int64_t{0}},
        {"pods", std::int64_t{2}}},
       16,
       4 + 8 + 2,
       4 * 4 + 8 * 2,
       4,
       std::nullopt},
  };
  for (const bool wraps : {false, true})
    for (const auto& [sides, per_switch] : {std::pair{Numbers{8}, 1},
                                            {Numbers{7}, 2},
                                            {Numbers{4, 6}, 2},
                                            {Numbers{6, 4}, 1},
                                            {Numbers{5, 4, 3}, 1},
                                            {Numbers{4, 2, 1, 3}, 3},
                                            {Numbers{1}, 4}})
      forms.push_back(grid(wraps, sides, per_switch));
  for (const char* arrangement : {"absolute", "relative", "palm-tree"})
    for (const auto& [p, a, h, g] : {std::array{2, 4, 2, 9},
                                     {1, 4, 4, 16},
                                     {3, 2, 3, 4},
                                     {2, 8, 1, 9},
                                     {1, 3, 2, 7},
                                     {2, 1, 5, 6},
                                     {1, 3, 4, 4}})
      forms.push_back(dragonfly(p, a, h, g, arrangement));
  for (const char* name : {"omega", "delta", "generalised-cube", "indirect-cube", "baseline"})
    for (const auto& [k, n] : {std::pair{2, 3}, {4, 2}, {3, 3}}) forms.push_back(stages(name, k, n));
  return forms;
}

class Topologies : public testing::TestWithParam<ClosedForm> {};

TEST_P(Topologies, HaveTheirClosedForms) {
  const ClosedForm& form = GetParam();
  auto topology = choose(topologies(), form.topology);
  for (const Argument& argument : form.arguments) assign(*topology, argument);
  Mistakes mistakes;
  topology->check(mistakes);
  ASSERT_TRUE(mistakes.empty());
  const Graph graph = topology->build({});
  EXPECT_EQ(graph.nodes(), form.nodes);
  EXPECT_EQ(graph.switches(), form.switches);
  EXPECT_EQ(links_between_switches(graph), static_cast<std::uint64_t>(form.links));
  EXPECT_EQ(diameter(graph), form.diameter);
  const auto across = bisection(graph);
  ASSERT_EQ(across.has_value(), form.bisection.has_value());
  if (across) EXPECT_EQ(*across, static_cast<std::uint64_t>(*form.bisection));
}

INSTANTIATE_TEST_SUITE_P(ClosedForms, Topologies, testing::ValuesIn(closed_forms()), [](const auto& info) {
  std::string name = info.param.topology + '_' + std::to_string(info.index);
  std::ranges::replace(name, '-', '_');
  return name;
});

// The list contains every topology that needs no file.
TEST(ClosedFormsOfTopologies, AreOfAllThatAreListed) {
  for (const auto& entry : topologies())
    if (entry.name != "file") {
      EXPECT_TRUE(std::ranges::any_of(closed_forms(), [&](const auto& form) {
        return form.topology == entry.name;
      })) << entry.name;
    }
}

}  // namespace
}  // namespace headway
