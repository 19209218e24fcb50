// SPDX-License-Identifier: Apache-2.0
// Every member of a family with small values of its parameters, which are found through its description. So a
// new entry is tested in several sizes as soon as it is listed.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "headway/config/assign.h"
#include "headway/config/parameters.h"
#include "headway/queueing/scheme.h"
#include "headway/topology/topology.h"

namespace headway {

template <class T>
struct Variant {
  std::string label;  // "dbbm queues=2 mapping=block"
  Choice<T> choice;
};

// Collects the values to try for each parameter. Quantities keep their defaults.
class ValuesToTry final : public ParameterVisitor<ValuesToTry> {
 public:
  struct Axis {
    std::string name;
    std::vector<Argument::Value> values;
    std::vector<std::string> texts;
  };
  std::vector<Axis> axes;
  std::size_t lists = 0;  // axes whose values are lists of numbers

  void visit(const Parameter&, auto&) {}
  void visit(const Parameter& p, bool&) {
    axes.push_back({std::string(p.name), {false, true}, {"false", "true"}});
  }
  void visit(const Parameter& p, std::int64_t& value) {
    const auto lowest = static_cast<std::int64_t>(p.bounds.at_least.value_or(0));
    std::vector<std::int64_t> values = {lowest, lowest + 1, lowest + 2, value};
    std::erase_if(values, [&](std::int64_t v) {
      return p.bounds.at_most && static_cast<double>(v) > *p.bounds.at_most;
    });
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    Axis axis{std::string(p.name), {}, {}};
    for (const std::int64_t v : values) {
      axis.values.emplace_back(v);
      axis.texts.push_back(std::to_string(v));
    }
    axes.push_back(axis);
  }
  void visit(const Parameter& p, double& value) {
    axes.push_back(
        {std::string(p.name), {value, value / 2}, {std::to_string(value), std::to_string(value / 2)}});
  }
  void visit(const Parameter& p, std::string& value) {
    Axis axis{std::string(p.name), {}, {}};
    for (const auto choice : p.choices) {
      axis.values.emplace_back(std::string(choice));
      axis.texts.emplace_back(choice);
    }
    if (axis.values.empty()) axis = {axis.name, {value}, {value}};
    axes.push_back(axis);
  }
  void visit(const Parameter& p, std::vector<std::int64_t>& value) {
    const auto lowest = static_cast<std::int64_t>(p.bounds.at_least.value_or(0));
    ++lists;
    Axis axis{std::string(p.name), {}, {}};
    using List = std::vector<std::int64_t>;
    for (const List& list : {value, List{5}, List{lowest + 1, lowest}, List{3, 2, 1}, List{1, 2, 2}}) {
      axis.values.emplace_back(list);
      std::string text;
      for (const std::int64_t element : list) text += (text.empty() ? "" : ",") + std::to_string(element);
      axis.texts.push_back('[' + text + ']');
    }
    axes.push_back(axis);
  }
  void visit(const Parameter& p, NodeSet& value) {
    using Kind = NodeSet::Kind;
    axes.push_back({std::string(p.name),
                    {value, NodeSet{Kind::first, 1.0, 2, {}}, NodeSet{Kind::random, 0.5, 0, {}},
                     NodeSet{Kind::nodes, 1.0, 0, {4, 0, 1}}},
                    {"default", "first 2", "random half", "4, 0, 1"}});
  }
};

// The combination of values with this number, or none if the values are not compatible.
template <class T>
std::optional<Variant<T>> variant_of(Registry<T> registry, const Entry<T>& entry, const ValuesToTry& tries,
                                     std::size_t number) {
  Variant<T> variant{std::string(entry.name), choose(registry, entry.name)};
  for (const auto& axis : tries.axes) {
    const std::size_t pick = number % axis.values.size();
    number /= axis.values.size();
    assign(*variant.choice, Argument{axis.name, axis.values[pick]});
    variant.label += ' ' + axis.name + '=' + axis.texts[pick];
  }
  if constexpr (std::is_same_v<T, Scheme> || std::is_same_v<T, Topology>) {
    Mistakes mistakes;
    variant.choice->check(mistakes);
    if (!mistakes.empty()) return std::nullopt;
  }
  return variant;
}

// Some links of nodes are not connected with all others: only nodes of the spec reach each other.
inline bool has_several_networks(const Choice<Topology>& topology) { return topology.name == "rails"; }

template <class T>
std::vector<Variant<T>> variants(Registry<T> registry) {
  std::vector<Variant<T>> result;
  for (const Entry<T>& entry : registry) {
    ValuesToTry tries;
    entry.make()->describe(tries);
    std::size_t combinations = 1;
    for (const auto& axis : tries.axes) combinations *= axis.values.size();
    // Many combinations are sampled so that every value of every parameter occurs. Lists of a topology are
    // rarely compatible, so all combinations are tried there.
    constexpr std::size_t kMost = 40;
    std::size_t stride = combinations <= kMost ? 1 : combinations / kMost | 1;
    if (std::is_same_v<T, Topology> && tries.lists > 1) stride = 1;
    for (std::size_t number = 0; number < combinations; number += stride)
      if (auto variant = variant_of(registry, entry, tries, number)) result.push_back(std::move(*variant));
  }
  return result;
}

}  // namespace headway
