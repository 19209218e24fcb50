// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "headway/metrics/result.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/units_table.h"

namespace headway::catalogue {
namespace {

// The families by the keys that choose their members.
struct FamilyOf {
  std::string_view key, name, title;
};
constexpr FamilyOf kFamilies[] = {
    {"network.topology", "topologies", "Topologies"},
    {"routing.algorithm", "routings", "Routing functions"},
    {"routing.selection", "selections", "Selection functions"},
    {"switch.scheme", "schemes", "Queueing schemes"},
    {"switch.flow_control", "flow-controls", "Flow control of links"},
    {"switch.marking", "markings", "Markings"},
    {"node.reaction", "reactions", "Reactions"},
    {"traffic.flow.pattern", "patterns", "Destination patterns"},
    {"traffic.flow.arrivals", "arrivals", "Arrival processes"},
    {"traffic.flow.sizes", "sizes", "Message sizes"},
    {"traffic.trace.format", "traces", "Trace formats"},
    {"traffic.job.program", "programs", "Programs"},
};

class KeyVisitor final : public PathVisitor<KeyVisitor> {
 public:
  std::vector<Key> keys;
  std::vector<Family> families;  // without name and title

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
    families.push_back({.name = {},
                        .title = {},
                        .key = path(parameter),
                        .help = parameter.help,
                        .members = choice.members()});
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

std::vector<Family> make_families() {
  KeyVisitor visitor;
  Spec spec;
  describe(spec, visitor);
  std::vector<Family> families;
  for (const auto& [key, name, title] : kFamilies) {
    Family family = *std::ranges::find(visitor.families, key, &Family::key);
    family.name = name;
    family.title = title;
    families.push_back(std::move(family));
  }
  return families;
}

std::vector<Key> make_keys() {
  KeyVisitor event_driven, seeds, units;
  Spec spec;
  describe(spec, event_driven);
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
  for (const Entry<Kernel>& kernel : kernels()) {
    KeyVisitor own;
    spec = choose(kernels(), kernel.name);
    describe(spec, own);
    for (Key& key : own.keys) {
      const auto is_same = [&](const Key& other) {
        return other.path == key.path && other.only_with.empty();
      };
      if (std::ranges::any_of(all, is_same)) continue;
      key.only_with = fmt::format("kernel = {}", kernel.name);
      all.push_back(std::move(key));
    }
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

std::vector<Name> make_names() {
  std::vector<Name> names;
  for (const Key& key : keys()) names.push_back({key.path, &key});
  for (const Family& family : families())
    for (const Member& member : family.members) names.push_back({member.name, MemberOf{&family, &member}});
  names.push_back({"status", Word::status});
  for (const std::string_view status : kNames<Status>) names.push_back({status, Word::status});
  names.push_back({"limited_by", Word::limited_by});
  for (const std::span<const Metric> metrics : {all_metrics(), snapshot_metrics()})
    for (const Metric& metric : metrics) names.push_back({metric.name, &metric});
  for (const TableKind& table : result_tables()) names.push_back({table.name, &table});
  for (const NamedValues& key : named_values({}))
    for (const std::string_view name : key.names) names.push_back({name, ValueOf{key.key}});
  return names;
}

}  // namespace

std::span<const Family> families() {
  static const std::vector<Family> all = make_families();
  return all;
}

std::vector<std::string_view> family_names() { return names_of(families()); }

bool is_called(const Family& family, std::string_view word) {
  const std::string_view key = family.key, last = key.substr(key.rfind('.') + 1);
  return word == family.name || word == key || word == last ||
         (family.name.ends_with('s') && word == family.name.substr(0, family.name.size() - 1));
}

std::vector<ParameterRow> parameter_rows(const std::function<void(Parameters&)>& describe) {
  std::vector<ParameterRow> rows;
  EachParameter each(
      [&](const Parameter& parameter, const auto& value) { rows.push_back(row_of(parameter, value)); });
  describe(each);
  return rows;
}

std::span<const Key> keys() {
  static const std::vector<Key> all = make_keys();
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

std::span<const Name> names() {
  static const std::vector<Name> all = make_names();
  return all;
}

std::vector<std::string_view> topics() {
  std::vector<std::string_view> topics;
  std::set<std::string_view> before;
  for (const Name& name : names())
    if (before.insert(name.name).second) topics.push_back(name.name);
  return topics;
}

}  // namespace headway::catalogue
