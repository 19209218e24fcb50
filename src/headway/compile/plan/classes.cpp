// SPDX-License-Identifier: Apache-2.0
// The classes of traffic of a spec, and how they take turns (docs/modelling.md, "Turns of classes").
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "headway/base/visible.h"
#include "headway/config/row_reader.h"
#include "headway/spec/flow_names.h"

namespace headway {
namespace {

constexpr std::int64_t kUnitOfWeight = 64, kUnitOfLimit = 4096;  // bytes (InfiniBand, section 7.6.9)
constexpr std::int64_t kMostWeight = 255, kNoLimit = 255;
constexpr std::string_view kHighOfOpenSm = "0:4";
constexpr std::int64_t kWeightOfOpenSm = 4;

// An entry of a table of InfiniBand.
struct Arbitrated {
  std::int64_t lane = 0;
  std::int64_t weight = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// "0:4, 1:8". None if it is not such a list.
std::optional<std::vector<Arbitrated>> entries_in(std::string_view text) {
  std::vector<Arbitrated> entries;
  for (text = trimmed(text); !text.empty();) {
    const std::size_t comma = text.find(',');
    const std::string_view entry = trimmed(text.substr(0, comma));
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto lane = parse_number<std::int64_t>(trimmed(entry.substr(0, colon)));
    const auto weight = parse_number<std::int64_t>(trimmed(entry.substr(colon + 1)));
    if (!lane || !weight || *lane < 0 || *weight < 0 || *weight > kMostWeight) return std::nullopt;
    entries.push_back({*lane, *weight});
    if (comma == std::string_view::npos) break;
    text = text.substr(comma + 1);
    if (trimmed(text).empty()) return std::nullopt;
  }
  return entries;
}

std::string default_low(std::int64_t lanes) {
  std::string text = "0:0";
  for (std::int64_t lane = 1; lane < lanes; ++lane) text += fmt::format(",{}:{}", lane, kWeightOfOpenSm);
  return text;
}

std::string high_table(const SwitchSpec& switches) {
  return switches.vlarb_high.empty() ? std::string(kHighOfOpenSm) : switches.vlarb_high;
}
std::string low_table(const SwitchSpec& switches) {
  return switches.vlarb_low.empty() ? default_low(switches.lanes) : switches.vlarb_low;
}

std::string class_key(std::size_t number) { return fmt::format("class[{}]", number); }

// The classes of a spec with all that they leave out.
struct Classes {
  explicit Classes(const EventSpec& spec) : lanes(static_cast<std::size_t>(spec.switches.lanes)) {
    for (std::size_t c = 0; c < spec.classes.size(); ++c) {
      const ClassSpec& of_spec = spec.classes[c];
      names.push_back(of_spec.name ? *of_spec.name : fmt::format("class {}", c));
      for (const std::int64_t lane : of_spec.lanes) own(lanes, lane, c);
      if (of_spec.lanes.empty())
        for (const std::int64_t level : of_spec.service_levels) own(lanes, level % spec.switches.lanes, c);
    }
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      if (!lanes[lane]) {
        lanes[lane] = names.size();
        names.push_back(fmt::format("lane {}", lane));
      }
    levels.resize(kMostServiceLevels);
    for (std::size_t c = 0; c < spec.classes.size(); ++c)
      for (const std::int64_t level : spec.classes[c].service_levels) own(levels, level, c);
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (!levels[level]) levels[level] = lanes[level % lanes.size()];
  }

  std::vector<std::string> names;
  std::vector<std::optional<std::size_t>> lanes;   // [service lane] its class
  std::vector<std::optional<std::size_t>> levels;  // [service level] its class

 private:
  static void own(std::vector<std::optional<std::size_t>>& all, std::int64_t number, std::size_t c) {
    if (static_cast<std::size_t>(number) < all.size()) all[static_cast<std::size_t>(number)] = c;
  }
};

class ClassChecker {
 public:
  ClassChecker(const EventSpec& spec, Mistakes& mistakes)
      : spec_(spec), switches_(spec.switches), mistakes_(mistakes) {}

  void check() {
    for (std::size_t c = 0; c < spec_.classes.size(); ++c) check_class(c);
    check_names();
    const bool takes_turns = switches_.lane_turns != TurnsOfLanes::none;
    if (switches_.lanes == 1 && (takes_turns || !spec_.classes.empty()))
      return mistakes_.add(takes_turns ? "switch.lane_turns" : "class", "there is only one lane",
                           "set switch.lanes");
    if (!takes_turns) return;
    if (const std::size_t count = Classes(spec_).names.size(); count > LaneTurns::kMostClasses)
      mistakes_.add(
          "switch.lane_turns", fmt::format("{} classes of lanes cannot take turns", count),
          fmt::format("at most {}; use fewer lanes, or classes of several lanes", LaneTurns::kMostClasses));
    if (switches_.lane_turns == TurnsOfLanes::infiniband) check_tables();
  }

 private:
  void wrong(std::size_t number, std::string_view key, std::string message, std::string hint = "") {
    mistakes_.add(fmt::format("{}.{}", class_key(number), key), std::move(message), std::move(hint));
  }

  // Names are rows of results, where flows and classes are side by side: storage.latency_mean_ns.
  void check_names() {
    const std::vector<std::string> names = class_names(spec_), flows = flow_names_in_results(spec_);
    for (std::size_t c = 0; c < spec_.classes.size(); ++c) {
      const bool is_flow = std::ranges::find(flows, names[c]) != flows.end();
      if (is_flow || std::ranges::count(names, names[c]) > 1)
        wrong(c, "name",
              fmt::format("\"{}\" is also the name of another {}", visible(names[c]),
                          is_flow ? "flow, trace or job" : "class"));
    }
  }

  void check_class(std::size_t c) {
    const ClassSpec& of_spec = spec_.classes[c];
    if (of_spec.name && (of_spec.name->empty() || of_spec.name->find_first_of(".[]\"") != std::string::npos))
      wrong(c, "name", fmt::format("\"{}\" is not a name", visible(*of_spec.name)),
            "a name has at least one character, and none of . [ ] \"");
    if (of_spec.lanes.empty() && of_spec.service_levels.empty())
      wrong(c, "lanes", "the class has neither lanes nor service levels");
    for (const std::int64_t lane : of_spec.lanes) check_lane(c, "lanes", lane);
    for (const std::int64_t level : of_spec.service_levels) check_level(c, level);
    if (switches_.lane_table.named() && (of_spec.lanes.empty() || of_spec.service_levels.empty()))
      wrong(c, of_spec.lanes.empty() ? "lanes" : "service_levels",
            "the lane table decides which lanes a service level has", "give both lanes and service_levels");
    if (of_spec.strict && of_spec.weight)
      wrong(c, "weight", "a strict class has no weight", "omit weight or strict");
    if (switches_.lane_turns == TurnsOfLanes::weighted) return;
    for (const auto& [key, given] :
         {std::pair("strict", of_spec.strict), {"weight", of_spec.weight.has_value()}})
      if (given)
        wrong(c, key,
              fmt::format("switch.lane_turns = \"{}\" does not use it", name_of(switches_.lane_turns)),
              "it belongs to \"weighted\"");
  }

  void check_lane(std::size_t c, std::string_view key, std::int64_t lane) {
    if (lane >= switches_.lanes)
      return wrong(
          c, key, fmt::format("there is no lane {}", lane),
          fmt::format("switch.lanes = {} gives lanes 0 to {}", switches_.lanes, switches_.lanes - 1));
    if (const auto [first, fresh] = of_lane_.emplace(lane, c); !fresh && first->second != c)
      wrong(c, key, fmt::format("lane {} is also in {}", lane, class_key(first->second)));
  }

  void check_level(std::size_t c, std::int64_t level) {
    const ClassSpec& of_spec = spec_.classes[c];
    if (const auto [first, fresh] = of_level_.emplace(level, c); !fresh && first->second != c)
      wrong(c, "service_levels",
            fmt::format("service level {} is also in {}", level, class_key(first->second)));
    if (switches_.lane_table.named()) return;
    const std::int64_t lane = level % switches_.lanes;
    if (of_spec.lanes.empty())
      check_lane(c, "service_levels", lane);
    else if (std::ranges::find(of_spec.lanes, lane) == of_spec.lanes.end())
      wrong(c, "service_levels",
            fmt::format("service level {} has lane {}, which the class has not", level, lane));
  }

  void check_tables() {
    std::set<std::int64_t> served;
    const auto check = [&](std::string_view key, const std::string& text) {
      const auto entries = entries_in(text);
      if (!entries)
        mistakes_.add(std::string(key), fmt::format("\"{}\" is no list of lanes and weights", visible(text)),
                      fmt::format("such as \"0:4,1:8\", with weights from 0 to {}", kMostWeight));
      else
        for (const auto& [lane, weight] : *entries) {
          if (lane >= switches_.lanes)
            mistakes_.add(std::string(key), fmt::format("there is no lane {}", lane),
                          fmt::format("lanes are 0 to {}", switches_.lanes - 1));
          if (weight > 0) served.insert(lane);
        }
    };
    const std::size_t before = mistakes_.list().size();
    check("switch.vlarb_high", high_table(switches_));
    check("switch.vlarb_low", low_table(switches_));
    if (mistakes_.list().size() > before) return;
    for (std::int64_t lane = 0; lane < switches_.lanes; ++lane)
      if (!served.contains(lane))
        mistakes_.add("switch.vlarb_low", fmt::format("lane {} has no turn in either table", lane),
                      "give it a weight above 0 in one of them");
  }

  const EventSpec& spec_;
  const SwitchSpec& switches_;
  Mistakes& mistakes_;
  std::map<std::int64_t, std::size_t> of_lane_, of_level_;  // the first class that has it
};

LaneTurns strict_turns(std::size_t classes) {
  LaneTurns turns;
  for (std::uint32_t c = 0; c < classes; ++c) turns.levels.push_back({{c, LaneTurns::kNoEnd}});
  return turns;
}

// Choice: a turn is as many packets as the class's weight over the smallest one, so that an overshoot, which
// is less than a packet, is below every turn. Turns are counted in fractions of a byte, because this ratio is
// no whole number.
LaneTurns weighted_turns(const EventSpec& spec, std::size_t classes) {
  LaneTurns turns;
  LaneTurns::Level shared;
  std::int64_t least = 65535;
  for (std::uint32_t c = 0; c < classes; ++c) {
    const ClassSpec of_spec = c < spec.classes.size() ? spec.classes[c] : ClassSpec{};
    if (of_spec.strict) {
      turns.levels.push_back({{c, LaneTurns::kNoEnd}});
      continue;
    }
    shared.push_back({c, of_spec.weight.value_or(1) * spec.traffic.frame().count});
    least = std::min(least, of_spec.weight.value_or(1));
  }
  if (!shared.empty()) turns.levels.push_back(std::move(shared));
  turns.units_per_byte = least;
  turns.carries = true;
  return turns;
}

LaneTurns infiniband_turns(const EventSpec& spec) {
  LaneTurns turns;
  for (const std::string& table : {high_table(spec.switches), low_table(spec.switches)}) {
    LaneTurns::Level& level = turns.levels.emplace_back();
    const std::vector<Arbitrated> entries = entries_in(table).value();
    for (const auto& [lane, weight] : entries)
      if (weight > 0) level.push_back({static_cast<std::uint32_t>(lane), weight * kUnitOfWeight});
  }
  const std::int64_t limit = spec.switches.high_limit;
  if (limit < kNoLimit) turns.limit = std::max<std::int64_t>(limit * kUnitOfLimit, 1);
  return turns;
}

}  // namespace

void check_classes(const EventSpec& spec, Mistakes& mistakes) { ClassChecker(spec, mistakes).check(); }

std::vector<std::string> class_names(const EventSpec& spec) {
  if (spec.classes.empty() && spec.switches.lane_turns == TurnsOfLanes::none) return {};
  return Classes(spec).names;
}

ClassNumbers class_numbers(const EventSpec& spec) {
  const Classes classes(spec);
  ClassNumbers numbers{.classes = static_cast<std::uint32_t>(classes.names.size())};
  for (const auto& of_level : classes.levels)
    numbers.of_service.push_back(static_cast<std::uint8_t>(*of_level));
  for (const auto& of_lane : classes.lanes) numbers.of_lane.push_back(static_cast<std::uint8_t>(*of_lane));
  return numbers;
}

void plan_classes(const EventSpec& spec, Plan& plan) {
  plan.class_names = class_names(spec);
  if (!plan.class_names.empty()) plan.classes = class_numbers(spec);
}

std::optional<LaneTurns> lane_turns_of(const EventSpec& spec, std::uint32_t lanes) {
  const SwitchSpec& switches = spec.switches;
  if (switches.lane_turns == TurnsOfLanes::none) return std::nullopt;
  const Classes classes(spec);
  const bool by_lane = switches.lane_turns == TurnsOfLanes::infiniband;
  LaneTurns turns = by_lane ? infiniband_turns(spec)
                    : switches.lane_turns == TurnsOfLanes::strict
                        ? strict_turns(classes.names.size())
                        : weighted_turns(spec, classes.names.size());
  const auto services = static_cast<std::uint32_t>(switches.lanes);
  turns.classes = by_lane ? services : static_cast<std::uint32_t>(classes.names.size());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t of_service = lane % services;
    turns.class_of.push_back(static_cast<std::uint8_t>(by_lane ? of_service : *classes.lanes[of_service]));
  }
  return turns;
}

}  // namespace headway
