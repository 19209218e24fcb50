// SPDX-License-Identifier: Apache-2.0
// All selection functions, in the order in which they are listed. One line per function here and one case
// in select.h.
#include "headway/selection/selection.h"

namespace headway {
namespace {

constexpr std::string_view kSource = "Gilabert et al. (selection functions), Euro-Par 2006, section 4";

void read_addresses(const Graph& graph, SelectionRule& rule) {
  const auto* tree = std::get_if<TreeShape>(&graph.shape());
  if (tree == nullptr)
    throw SpecError("routing.selection", "needs addresses with digits, which only trees have",
                    "ff, cp, mc and rp work in all topologies");
  rule.label_of = tree->place_of;
  std::vector<SelectionRule::TreePlace> places;
  for (std::uint32_t s = 0; s < tree->stages(); ++s) {
    const std::uint32_t ways = tree->ways(s),
                        siblings = s + 1 < tree->stages() ? tree->levels[s + 1].children : 1;
    for (std::uint32_t o = 0; o < tree->switches(s); ++o)
      places.push_back({Divisor(ways), o / ways % siblings});
  }
  rule.places = std::move(places);
}

SelectionRule rule_of(SelectionKind kind, const Graph& graph) {
  SelectionRule rule;
  rule.kind = kind;
  using enum SelectionKind;
  if (kind == ssp || kind == sdp || kind == sop || kind == sadp) read_addresses(graph, rule);
  return rule;
}

enum class Ties { rotate, random };
constexpr auto names_in_specs(Ties) { return name_list("rotate", "random"); }

template <SelectionKind kKind>
class Selects final : public Selection {
 public:
  void describe(Parameters& parameters) override {
    if (kKind == SelectionKind::mc)
      parameters.field({.name = "ties", .help = "choice among ports with equally many credits"}, ties_);
  }
  SelectionRule build(const Graph& graph) const override {
    SelectionRule rule = rule_of(kKind, graph);
    rule.random_ties = ties_ == Ties::random;
    return rule;
  }

 private:
  Ties ties_ = Ties::rotate;
};

// Choice: More Credits where nodes have no addresses with digits. It balances the links of a grid, whereas
// `ff` would use up the first dimension.
class Automatic final : public Selection {
 public:
  SelectionRule build(const Graph& graph) const override {
    const bool is_tree = std::holds_alternative<TreeShape>(graph.shape());
    return rule_of(is_tree ? SelectionKind::sadp : SelectionKind::mc, graph);
  }
};

template <SelectionKind kKind>
Entry<Selection> entry(std::string_view name, std::string_view help) {
  return {name, help, kSource, make_entry<Selection, Selects<kKind>>};
}

}  // namespace

Registry<Selection> selections() {
  using enum SelectionKind;
  static const Entry<Selection> entries[] = {
      {"auto", "sadp in trees, mc in other networks", "Headway", make_entry<Selection, Automatic>},
      entry<sadp>("sadp", "the stage's digit of the destination's number"),
      entry<ff>("ff", "the first free port"),
      entry<ssp>("ssp", "the digit of the switch's own number"),
      entry<sdp>("sdp", "the lowest digit of the destination's number"),
      entry<sop>("sop", "the lowest digit of the source's number"),
      entry<cp>("cp", "all ports in turn, by a counter in each switch"),
      entry<mc>("mc", "the port with the most credits"),
      entry<rp>("rp", "a random port, drawn once per packet and switch"),
  };
  return entries;
}

}  // namespace headway
