// SPDX-License-Identifier: Apache-2.0
// Editors follow `properties`, `$ref`, `anyOf` and an `allOf` of which nothing else is expected, but no
// conditions. So every table has the keys of all choices, and conditions at the root, which are only checked,
// refuse those that belong to another choice. taplo marks a refused value at its place, but for a key that
// `additionalProperties: false` refuses it marks the whole table; so no schema has that.
#include "headway/catalogue/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "headway/catalogue/schema_tables.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/spec_fields.h"
#include "headway/spec/units_table.h"

namespace headway::catalogue {
namespace {

// Refuses a key. taplo writes the title into its message.
Json refused(std::string_view what) { return {{"not", Json{{"title", what}}}}; }

Json only(const Properties& allowed) {
  return {{"properties", object_of(allowed)}, {"additionalProperties", refused("an unknown key")}};
}

Json table_schema(const Table& table) {
  Json schema = only(all_properties(table));
  if (!table.is_list) schema["type"] = "object";
  if (!table.help.empty()) schema["description"] = table.help;
  return schema;
}

// A schema for the root that applies another one to a table.
Json applied(const std::string& path, const Tables& tables, Json schema) {
  if (path.empty()) return schema;
  if (tables.at(path).is_list) {
    const Json all(Json::Array{schema});
    schema = Json{{"items", std::move(schema)}, {"allOf", all}};
  }
  const std::size_t dot = path.rfind('.');
  const Json property{{path.substr(dot == std::string::npos ? 0 : dot + 1), std::move(schema)}};
  return applied(path.substr(0, dot == std::string::npos ? 0 : dot), tables, Json{{"properties", property}});
}

// Holds if the value of a key satisfies a schema.
Json is(const std::string& key, Json value, bool also_without) {
  Json condition{{"properties", Json{{key, std::move(value)}}}};
  if (!also_without) condition["required"] = Json(std::vector<std::string>{key});
  return condition;
}

// A parameter has the bounds of its member, and without its member it is refused.
Json rules_of(const Table& table, const ChoiceKey& choice) {
  Table others = table;
  std::erase_if(others.choices, [&](const ChoiceKey& other) { return other.name == choice.name; });
  const Properties common = all_properties(others), all = all_properties(table);
  Json rules = Json::array();
  std::map<std::string, std::vector<std::string>> owners;  // of parameters
  for (const auto& [member, parameters] : choice.members) {
    Properties own;
    for (const auto& [name, schema] : parameters) {
      if (schema.dump() != find(all, name)->dump()) own.emplace_back(name, schema);
      if (find(common, name) == nullptr) owners[name].push_back(member);
    }
    if (!own.empty())
      rules.push_back(Json{{"if", is(choice.name, Json{{"const", member}}, member == choice.standard)},
                           {"then", Json{{"properties", object_of(own)}}}});
  }
  std::map<std::vector<std::string>, Properties> refused_without;
  for (const auto& [name, members] : owners)
    refused_without[members].emplace_back(
        name, refused(fmt::format("a key of {} {}", choice.name, fmt::join(members, " or "))));
  for (const auto& [members, parameters] : refused_without) {
    const bool standard_has_them = std::ranges::find(members, choice.standard) != members.end();
    rules.push_back(
        Json{{"if", is(choice.name, Json{{"not", Json{{"enum", Json(members)}}}}, !standard_has_them)},
             {"then", Json{{"properties", object_of(parameters)}}}});
  }
  return rules;
}

// Holds for a [sweep] without such a key. Its tables are keys without quotes, and those that advance
// together.
Json no_sweep_of(const std::string& key, const std::string& definition) {
  return {{"patternProperties", Json{{fmt::format("(^|\\.){}$", key), false}}},
          {"additionalProperties", reference_to(definition)},
          {"items", reference_to(definition)}};
}

// The keys of a kernel, where the other kernel has others.
void add_kernel_rules(const Tables& of_kernel, const Tables& all, std::string_view kernel, Json& rules) {
  for (const auto& [path, table] : all) {
    const auto here = of_kernel.find(path);
    if (here == of_kernel.end()) continue;
    const Properties own = all_properties(here->second);
    Properties of_table;
    for (const auto& [name, schema] : all_properties(table))
      if (const Json* mine = find(own, name); mine == nullptr)
        of_table.emplace_back(name, refused("a key of the other kernel"));
      else if (mine->dump() != schema.dump())
        of_table.emplace_back(name, *mine);
    if (of_table.empty()) continue;
    rules.push_back(Json{{"if", is("kernel", Json{{"const", kernel}}, kernel == kEventDriven)},
                         {"then", applied(path, all, Json{{"properties", object_of(of_table)}})}});
  }
}

// Values of a key of [sweep]: a list, or a range.
Json values_schema() {
  Json keys = Json::object();
  for (const std::string_view name : {"from", "to", "step"})
    keys.append(std::string(name), Json{{"type", Json(std::vector<std::string>{"number", "string"})}});
  keys.append("points", Json{{"type", "integer"}, {"minimum", 2}});
  return {{"type", Json(std::vector<std::string>{"array", "object"})},
          {"minItems", 1},
          {"properties", std::move(keys)},
          {"additionalProperties", refused("an unknown key of a range")}};
}

// The keys that can be swept, with dots and in quotes. Keys without quotes are tables here and are not
// checked; nor are the values of keys of a single element, "traffic.flow[0].load" or "traffic.storage.load",
// and the keys inside of a value, "traffic.flow[0].sources.fraction".
Json sweep_schema(const Tables& tables) {
  Json keys = Json::object(), patterns = Json::object();
  const Json every_value(Json::Array{reference_to("values")});
  for (const auto& [path, table] : tables) {
    std::string names;
    for (const auto& [name, schema] : all_properties(table)) {
      const bool is_table = schema.find("$ref") != nullptr || schema.find("allOf") != nullptr;
      if (path.empty() && is_table)
        keys.append(name, Json{{"type", Json(std::vector<std::string>{"object", "array"})}});
      else if (path.empty() ? name != "kernel" : true)
        keys.append(
            path.empty() ? name : fmt::format("{}.{}", path, name),
            Json{{"items", reference_to(fmt::format("{}/properties/{}", path.empty() ? "spec" : path, name))},
                 {"allOf", every_value}});
      names += fmt::format("{}{}", names.empty() ? "" : "|", name);
    }
    if (!table.is_list) continue;
    const std::size_t dot = path.rfind('.');
    const std::string outer = dot == std::string::npos ? path : path.substr(0, dot);
    patterns.append(fmt::format("^{}\\[[0-9]+\\]\\.({})(\\.[a-z_]+)?$", path, names), reference_to("values"));
    patterns.append(fmt::format("^{}\\.(?!(flow|trace|job|receiver)\\.)[A-Za-z0-9_-]+\\.({})(\\.[a-z_]+)?$",
                                outer, names),
                    reference_to("values"));
  }
  Json zip = list_of_tables("sweep");
  zip["description"] = "keys that advance together; all lists have the same length";
  keys.append("zip", std::move(zip));
  return {{"description",
           "values for keys in quotes, \"switch.queues\" = [1, 4]: a list, or a range such as "
           "{ from = 0.1, to = 1.0, step = 0.05 }; the points are all combinations"},
          {"properties", std::move(keys)},
          {"patternProperties", std::move(patterns)},
          {"additionalProperties", refused("an unknown key")}};
}

Json seeds_schema() {
  std::int64_t count = 1;
  const Properties seeds = properties_of([&](Parameters& parameters) { describe_seeds(count, parameters); });
  Json schema = seeds.front().second;
  schema["type"] = Json(std::vector<std::string>{"integer", "object"});
  schema["properties"] =
      object_of(properties_of([](Parameters& parameters) { SeedsUntil().describe(parameters); }));
  schema["required"] = Json(std::vector<std::string>{"until"});
  schema["additionalProperties"] = refused("an unknown key");
  return schema;
}

Json units_schema() {
  Json schema = only(properties_of([](Parameters& parameters) { UnitsTable().describe(parameters); }));
  schema["type"] = "object";
  schema["description"] = "values of the units \"cycle\" and \"flit\", as in \"20 cycles\"";
  return schema;
}

}  // namespace

std::string spec_schema() {
  const std::vector<Spec> kernels = specs_of_kernels();
  Tables all = tables_of(kernels.front());
  for (const Spec& other : std::span(kernels).subspan(1)) add_keys(tables_of(other), all);

  Table root = all.at("");
  root.keys.emplace_back("seeds", seeds_schema());
  root.keys.emplace_back("units", reference_to("units"));
  root.keys.emplace_back("sweep", reference_to("sweep"));

  Json definitions = Json::object(), rules = Json::array();
  definitions.append("spec", table_schema(root));
  rules.push_back(reference_to("spec"));
  for (const Spec& spec : kernels) add_kernel_rules(tables_of(spec), all, kernel_of(spec), rules);
  for (const auto& [path, table] : all) {
    if (!path.empty()) definitions.append(path, table_schema(table));
    for (const ChoiceKey& choice : table.choices) {
      const std::string definition = fmt::format("{}.{}-parameters", path, choice.name);
      const std::string unswept = fmt::format("no-sweep-of-{}", choice.name);
      definitions[definition] = Json{{"allOf", rules_of(table, choice)}};
      definitions[unswept] = no_sweep_of(choice.name, unswept);
      rules.push_back(Json{{"if", Json{{"properties", Json{{"sweep", reference_to(unswept)}}}}},
                           {"then", applied(path, all, reference_to(definition))}});
    }
  }
  definitions.append("units", units_schema());
  definitions.append("values", values_schema());
  definitions.append("sweep", sweep_schema(all));
  const Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "spec of Headway"},
                    {"type", "object"},
                    {"allOf", std::move(rules)},
                    {"definitions", std::move(definitions)}};
  return schema.dump(1) + '\n';
}

}  // namespace headway::catalogue
