// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_name.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/observe/photograph.h"

namespace headway {
namespace {

// The numbers come from files of results, so they can be anything.
std::string named(std::string_view what, const std::vector<std::string>& list, double number) {
  const bool is_index = number >= 0 && number < static_cast<double>(list.size());
  return fmt::format("{} {}", what,
                     is_index ? list[static_cast<std::size_t>(number)] : fmt::format("{:.0f}", number));
}

RootKind kind_of(double number) {
  const bool is_kind = number >= 0 && number <= static_cast<double>(RootKind::cycle);
  return is_kind ? static_cast<RootKind>(static_cast<int>(number)) : RootKind::link;
}

// The port of the root and the other end of its link; `to` is empty if the port has no link.
struct Ends {
  RootKind kind;
  std::string from, to;

  Ends(const RootCell& cell, const NetworkNames& names)
      : kind(kind_of(cell("kind"))),
        from(device(cell, "from_node", "from_switch", names)),
        to(device(cell, "to_node", "to_switch", names)) {
    if (std::isnan(cell("from_node"))) from += fmt::format(" port {:g}", cell("from_port"));
  }

 private:
  static std::string device(const RootCell& cell, std::string_view node, std::string_view sw,
                            const NetworkNames& names) {
    if (!std::isnan(cell(node))) return node_text(cell(node), names);
    return std::isnan(cell(sw)) ? std::string() : switch_text(cell(sw), names);
  }
};

}  // namespace

std::string node_text(double number, const NetworkNames& names) { return named("node", names.nodes, number); }
std::string switch_text(double number, const NetworkNames& names) {
  return named("switch", names.switches, number);
}

std::string root_name(const RootCell& cell, const NetworkNames& names) {
  const Ends ends(cell, names);
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
  }
  return ends.from;
}

std::string root_phrase(const RootCell& cell, const NetworkNames& names) {
  const Ends ends(cell, names);
  switch (ends.kind) {
    case RootKind::link:
      return fmt::format("the link from {}{}", ends.from, ends.to.empty() ? "" : " to " + ends.to);
    case RootKind::crossbar:
      return fmt::format("the crossbar output to {}", ends.from);
    case RootKind::input:
      return fmt::format("the input of {}, which sends by other outputs", ends.from);
    case RootKind::window:
      return fmt::format("the memory of {}: all its slots are on the wire", ends.from);
    case RootKind::cycle:
      return fmt::format("a cycle of queues through {}", ends.from);
  }
  return ends.from;
}

}  // namespace headway
