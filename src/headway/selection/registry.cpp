// SPDX-License-Identifier: Apache-2.0
// The family of selection functions, from the list of rule.h, and the choice among them by the network.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "headway/selection/rule.h"
#include "headway/selection/selection.h"

namespace headway {
namespace {

constexpr std::string_view kSource = "Gilabert et al. (selection functions), Euro-Par 2006, section 4";

// "a, b, c and d"
template <class... All>
std::string names_without_addresses(TypeList<All...>) {
  std::vector<std::string_view> names;
  ((All::kUsesAddresses ? void() : names.push_back(All::kName)), ...);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

TreeAddresses addresses_of(const Graph& graph) {
  const auto* tree = std::get_if<TreeShape>(&graph.shape());
  if (tree == nullptr)
    throw SpecError("routing.selection", "needs addresses with digits, which only trees have",
                    names_without_addresses(Selections()) + " work in all topologies");
  std::vector<TreePlace> places;
  for (std::uint32_t s = 0; s < tree->stages(); ++s) {
    const std::uint32_t ways = tree->ways(s),
                        siblings = s + 1 < tree->stages() ? tree->levels[s + 1].children : 1;
    for (std::uint32_t o = 0; o < tree->switches(s); ++o)
      places.push_back({Divisor(ways), o / ways % siblings});
  }
  return {std::move(places), tree->place_of};
}

template <class Own>
SelectionRule rule_of(const Own& own, const Graph& graph) {
  SelectionRule rule{.own = own};
  if (Own::kUsesAddresses) rule.addresses = addresses_of(graph);
  return rule;
}

template <class Own>
class Selects final : public Selection {
 public:
  void describe(Parameters& parameters) override {
    if constexpr (requires { own_.describe(parameters); }) own_.describe(parameters);
  }
  SelectionRule build(const Graph& graph) const override { return rule_of(own_, graph); }

 private:
  Own own_;
};

// Choices: More Credits where nodes have no addresses with digits. It balances the links of a grid, whereas
// `ff` would use up the first dimension. On arrival, packets see loads, so they take the least one
// everywhere; of equal ones a random one, because the turns of switches can fall into step.
class Automatic final : public Selection {
 public:
  SelectionRule build(const Graph& graph) const override {
    const bool is_tree = std::holds_alternative<TreeShape>(graph.shape());
    return is_tree ? rule_of(Sadp(), graph) : rule_of(MostCredits(), graph);
  }
  SelectionRule build_for_arrivals(const Graph& graph) const override {
    MostCredits least_load;
    least_load.ties = MostCredits::Ties::random;
    return rule_of(least_load, graph);
  }
};

template <class... All>
auto entries_of_all(TypeList<All...>) {
  return std::to_array<Entry<Selection>>(
      {{"auto", "sadp in trees, mc in other networks and for packets that choose on arrival", "Headway",
        make_entry<Selection, Automatic>},
       {All::kName, All::kHelp, kSource, make_entry<Selection, Selects<All>>}...});
}

}  // namespace

SelectionRule Selection::build_for_arrivals(const Graph& graph) const { return build(graph); }

Registry<Selection> selections() {
  static const auto entries = entries_of_all(Selections());
  return entries;
}

}  // namespace headway
