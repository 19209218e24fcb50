// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_name.h"

#include <fmt/format.h>

#include <cmath>

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
};

const Words& words_of(const Table& table, std::size_t row) {
  return kWords[static_cast<std::size_t>(root_kind(table, row))];
}

std::string device(const Table& table, std::size_t row, std::string_view node, std::string_view sw,
                   const NetworkNames& names) {
  const double of_node = number_at(table, node, row), of_switch = number_at(table, sw, row);
  if (!std::isnan(of_node)) return node_text(of_node, names);
  return std::isnan(of_switch) ? std::string() : switch_text(of_switch, names);
}

// The port of a root and, if it is a link with another end, that end behind `arrow`.
std::string place_of(const Table& table, std::size_t row, std::string_view arrow, const NetworkNames& names) {
  std::string text = device(table, row, "from_node", "from_switch", names);
  if (std::isnan(number_at(table, "from_node", row)))
    text += fmt::format(" port {:g}", number_at(table, "from_port", row));
  if (root_kind(table, row) != RootKind::link) return text;
  const std::string to = device(table, row, "to_node", "to_switch", names);
  return to.empty() ? text : fmt::format("{}{}{}", text, arrow, to);
}

}  // namespace

RootKind root_kind(const Table& table, std::size_t row) {
  return value_of<RootKind>(word_at(table, "kind", row)).value_or(RootKind::link);
}

std::string node_text(double number, const NetworkNames& names) { return named("node", names.nodes, number); }
std::string switch_text(double number, const NetworkNames& names) {
  return named("switch", names.switches, number);
}

std::string root_name(const Table& table, std::size_t row, const NetworkNames& names) {
  return fmt::format("{}{}", words_of(table, row).legend, place_of(table, row, " → ", names));
}

std::string root_phrase(const Table& table, std::size_t row, const NetworkNames& names) {
  const Words& words = words_of(table, row);
  return fmt::format("{}{}{}", words.before, place_of(table, row, " to ", names), words.after);
}

}  // namespace headway
