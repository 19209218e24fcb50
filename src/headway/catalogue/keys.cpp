// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "headway/config/parameters.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/spec_fields.h"
#include "headway/spec/units_table.h"

namespace headway::catalogue {
namespace {

class KeyVisitor final : public PathVisitor<KeyVisitor> {
 public:
  std::vector<Key> keys;

  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    add(parameter, row_of(parameter, value));
  }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    const std::vector<std::string_view> names = choice.names();
    add(parameter, {.type = "a name",
                    .standard = fmt::format("\"{}\"", choice.name()),
                    .valid = fmt::format("{}", fmt::join(names, ", ")),
                    .names = names});
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    add(parameter, {.type = "a table"});
    PathVisitor::table(parameter, describe);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    add(parameter, {.type = "a list of tables"});
    if (list.size() == 0) list.resize(1);
    within(path(parameter), [&](SpecFields& fields) { list.describe(0, fields); });
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    add(parameter, {.type = "a number or a list", .standard = fmt::format("{}", points.front().load)});
  }

 private:
  void add(const Parameter& parameter, ParameterRow row) {
    row.name = parameter.name;
    row.help = parameter.help;
    keys.push_back({path(parameter), std::move(row)});
  }
};

// Members that share a parameter also share its key.
void add_member_keys(std::vector<Key>& keys) {
  for (const Family& family : families()) {
    const std::string table(family.key.substr(0, family.key.rfind('.') + 1));
    const auto first = static_cast<std::ptrdiff_t>(keys.size());
    for (const Member& member : family.members)
      for (ParameterRow& row : parameter_rows(member.describe)) {
        const auto same = std::find_if(keys.begin() + first, keys.end(), [&](const Key& key) {
          return key.row.name == row.name && key.row.help == row.help && key.row.standard == row.standard;
        });
        if (same != keys.end())
          same->only_with += fmt::format(" or {}", member.name);
        else
          keys.push_back({table + row.name, std::move(row), fmt::format("{} = {}", family.key, member.name)});
      }
  }
}

}  // namespace

std::vector<Key> keys() {
  KeyVisitor event_driven, slotted, seeds, units;
  Spec spec;
  describe(spec, event_driven);
  spec = SlottedSpec{};
  describe(spec, slotted);
  std::int64_t count = 1;
  describe_seeds(count, seeds);
  seeds.table({.name = "seeds", .help = ""}, [](SpecFields& fields) { SeedsUntil().describe(fields); });
  std::erase_if(seeds.keys, [](const Key& key) { return key.row.type == "a table"; });
  units.table(
      {.name = "units",
       .help =
           "values of the units \"cycle\" and \"flit\"; a spec with this table can have quantities such as "
           "\"20 cycles\""},
      [](SpecFields& fields) { UnitsTable().describe(fields); });

  std::vector<Key> all = std::move(event_driven.keys);
  all.insert(all.end(), seeds.keys.begin(), seeds.keys.end());
  all.insert(all.end(), units.keys.begin(), units.keys.end());
  for (Key& key : slotted.keys) {
    if (std::ranges::find(all, key.path, &Key::path) != all.end()) continue;
    key.only_with = "kernel = slotted";
    all.push_back(std::move(key));
  }
  add_member_keys(all);
  all.push_back(
      {"sweep",
       {.name = "sweep",
        .type = "a table",
        .help = "values for dotted keys: a list, or a range such as { from = 0.1, to = 1.0, step = 0.05 } "
                "or { from = \"1 us\", to = \"5 us\", points = 9 }; the points are all combinations, "
                "except that the keys of one [[sweep.zip]] advance together"}});
  return all;
}

std::vector<NamedValues> settings() {
  std::vector<NamedValues> all;
  for (const Key& key : keys()) {
    if (key.row.type == "a table" || key.row.type == "a list of tables") continue;
    auto same = std::ranges::find(all, key.path, &NamedValues::key);
    if (same == all.end()) same = all.insert(all.end(), {key.path, {}});
    for (const std::string_view name : key.row.names)
      if (std::ranges::find(same->names, name) == same->names.end()) same->names.push_back(name);
  }
  return all;
}

std::vector<NamedValues> named_values(const std::optional<std::string>& word) {
  std::vector<NamedValues> found;
  for (const Key& key : keys()) {
    const bool names = key.row.type == "a text" || key.row.type == "a list of names";
    if (!names || key.row.names.empty() || !key.only_with.empty()) continue;
    if (!word || *word == key.path || *word == key.row.name || *word == key.row.name + 's')
      found.push_back({key.path, key.row.names});
  }
  return found;
}

std::vector<std::string> topics() {
  std::vector<std::string> names;
  const auto add_new = [&](std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const Key& key : keys()) names.push_back(key.path);
  for (const Family& family : families())
    for (const Member& member : family.members) names.emplace_back(member.name);
  for (const Metric& metric : all_metrics()) add_new(metric.name);
  for (const Metric& metric : snapshot_metrics()) names.emplace_back(metric.name);
  for (const TableKind& table : result_tables()) names.emplace_back(table.name);
  for (const NamedValues& key : named_values({}))
    for (const std::string_view name : key.names) add_new(name);
  names.emplace_back("status");
  for (const std::string_view status : kNames<Status>) names.emplace_back(status);
  names.emplace_back("limited_by");
  return names;
}

}  // namespace headway::catalogue
