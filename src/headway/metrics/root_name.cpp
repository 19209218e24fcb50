// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_name.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

// The numbers come from files of results, so they can be anything.
std::string named(std::string_view what, const std::vector<std::string>& list, double number) {
  const bool is_index = number >= 0 && number < static_cast<double>(list.size());
  return fmt::format("{} {}", what,
                     is_index ? list[static_cast<std::size_t>(number)] : fmt::format("{:.0f}", number));
}

// What is before the place of a root in a legend, and around it in a sentence.
struct Words {
  std::string_view legend, before, after;
};
constexpr Words kWords[kRootKinds] = {
    {"", "the link from ", ""},
    {"crossbar to ", "the crossbar output to ", ""},
    {"input of ", "the input of ", ", which sends by other outputs"},
    {"memory of ", "the memory of ", ", all slots of which are on the wire"},
    {"cycle through ", "a cycle of queues through ", ""},
    {"receiver ", "", ", which consumes packets slowly"},
    {"limits of ", "", ", which has slowed its flows down"},
    {"outage of ", "the link from ", ", which is down"},
};

const Words& words_of(const PlaceRow& root) { return kWords[static_cast<std::size_t>(root_kind(root))]; }

std::string device(double node, double sw, const NetworkNames& names) {
  if (!std::isnan(node)) return node_text(node, names);
  return std::isnan(sw) ? std::string() : switch_text(sw, names);
}

// The port of a root and, if it is a link with another end, that end behind `arrow`.
std::string place_text(const PlaceRow& root, std::string_view arrow, const NetworkNames& names) {
  std::string text = device(root.from_node, root.from_switch, names);
  if (std::isnan(root.from_node)) text += fmt::format(" port {:g}", root.from_port);
  if (root_kind(root) != RootKind::link && root_kind(root) != RootKind::outage) return text;
  const std::string to = device(root.to_node, root.to_switch, names);
  return to.empty() ? text : fmt::format("{}{}{}", text, arrow, to);
}

}  // namespace

std::span<const ColumnOf<PlaceRow>> PlaceRow::columns() { return kRootColumns<PlaceRow>; }

RootKind root_kind(const PlaceRow& root) { return value_of<RootKind>(root.kind).value_or(RootKind::link); }

bool has_places(const Table& table) {
  return find_column(table, name_of_column(&PlaceRow::from_port)) != nullptr;
}

std::string node_text(double number, const NetworkNames& names) {
  if (names.node_count == 0 || !(number >= names.node_count)) return named("node", names.nodes, number);
  return "the aggregator of " + switch_text(number - names.node_count, names);
}
std::string switch_text(double number, const NetworkNames& names) {
  return named("switch", names.switches, number);
}

std::string root_name(const PlaceRow& root, const NetworkNames& names) {
  return fmt::format("{}{}", words_of(root).legend, place_text(root, " → ", names));
}

std::string root_phrase(const PlaceRow& root, const NetworkNames& names) {
  const Words& words = words_of(root);
  return fmt::format("{}{}{}", words.before, place_text(root, " to ", names), words.after);
}

}  // namespace headway
