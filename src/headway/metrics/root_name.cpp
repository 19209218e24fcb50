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

// The port of the root and the other end of its link; `to` is empty if the port has no link.
struct Ends {
  RootKind kind;
  std::string from, to;

  Ends(const Table& table, std::size_t row, const NetworkNames& names)
      : kind(root_kind(table, row)),
        from(device(table, row, "from_node", "from_switch", names)),
        to(device(table, row, "to_node", "to_switch", names)) {
    if (std::isnan(number_at(table, "from_node", row)))
      from += fmt::format(" port {:g}", number_at(table, "from_port", row));
  }

 private:
  static std::string device(const Table& table, std::size_t row, std::string_view node, std::string_view sw,
                            const NetworkNames& names) {
    const double of_node = number_at(table, node, row), of_switch = number_at(table, sw, row);
    if (!std::isnan(of_node)) return node_text(of_node, names);
    return std::isnan(of_switch) ? std::string() : switch_text(of_switch, names);
  }
};

}  // namespace

RootKind root_kind(const Table& table, std::size_t row) {
  return value_of<RootKind>(word_at(table, "kind", row)).value_or(RootKind::link);
}

std::string node_text(double number, const NetworkNames& names) { return named("node", names.nodes, number); }
std::string switch_text(double number, const NetworkNames& names) {
  return named("switch", names.switches, number);
}

std::string root_name(const Table& table, std::size_t row, const NetworkNames& names) {
  const Ends ends(table, row, names);
  switch (ends.kind) {
    case RootKind::link:
      return ends.to.empty() ? ends.from : ends.from + " → " + ends.to;
    case RootKind::crossbar:
      return "crossbar to " + ends.from;
    case RootKind::input:
      return "input of " + ends.from;
    case RootKind::window:
      return "memory of " + ends.from;
    case RootKind::cycle:
      return "cycle through " + ends.from;
    case RootKind::receiver:
      return "receiver " + ends.from;
    case RootKind::limiter:
      return "limits of " + ends.from;
  }
  return ends.from;
}

std::string root_phrase(const Table& table, std::size_t row, const NetworkNames& names) {
  const Ends ends(table, row, names);
  switch (ends.kind) {
    case RootKind::link:
      return fmt::format("the link from {}{}", ends.from, ends.to.empty() ? "" : " to " + ends.to);
    case RootKind::crossbar:
      return fmt::format("the crossbar output to {}", ends.from);
    case RootKind::input:
      return fmt::format("the input of {}, which sends by other outputs", ends.from);
    case RootKind::window:
      return fmt::format("the memory of {}, all slots of which are on the wire", ends.from);
    case RootKind::cycle:
      return fmt::format("a cycle of queues through {}", ends.from);
    case RootKind::receiver:
      return fmt::format("{}, which consumes packets slowly", ends.from);
    case RootKind::limiter:
      return fmt::format("{}, which has slowed its flows down", ends.from);
  }
  return ends.from;
}

}  // namespace headway
