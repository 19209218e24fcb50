// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/schema_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "headway/catalogue/names.h"
#include "headway/config/document.h"
#include "headway/config/parameter_values.h"
#include "headway/io/document_json.h"
#include "headway/spec/spec_fields.h"

namespace headway::catalogue {
namespace {

Json bounded(Json schema, const Bounds& bounds) {
  if (bounds.at_least) schema["minimum"] = *bounds.at_least;
  if (bounds.above) schema["exclusiveMinimum"] = *bounds.above;
  if (bounds.at_most) schema["maximum"] = *bounds.at_most;
  return schema;
}

Json names_of(std::span<const std::string_view> choices) {
  return std::vector<std::string_view>(choices.begin(), choices.end());
}

// A number with one of the units, as a regular expression. It checks the sign, but no other bound, because a
// bound depends on the unit.
Json quantity(const Parameter& parameter, std::string_view units) {
  const bool positive = parameter.bounds.above || parameter.bounds.at_least.value_or(0) > 0;
  const std::string_view number = positive ? "(0*[1-9][0-9]*(\\.[0-9]+|/0*[1-9][0-9]*)?|0+\\.0*[1-9][0-9]*)"
                                           : "[0-9]+(\\.[0-9]+|/0*[1-9][0-9]*)?";
  return {{"type", "string"}, {"pattern", fmt::format("^ *{} *({}) *$", number, units)}};
}

Json list_of(Json element) { return {{"type", "array"}, {"items", std::move(element)}}; }

// What a value must be, without help.
Json schema_of(const Parameter&, const bool&) { return {{"type", "boolean"}}; }
Json schema_of(const Parameter& parameter, const std::int64_t&) {
  return bounded({{"type", "integer"}}, parameter.bounds);
}
Json schema_of(const Parameter& parameter, const double&) {
  return bounded({{"type", "number"}}, parameter.bounds);
}
Json schema_of(const Parameter& parameter, const std::string&) {
  Json schema{{"type", "string"}};
  if (!parameter.choices.empty()) schema["enum"] = names_of(parameter.choices);
  return schema;
}
Json schema_of(const Parameter&, const InputFile&) { return {{"type", "string"}}; }
Json schema_of(const Parameter& parameter, const Bytes&) { return quantity(parameter, "B|[kKMG]i?B|flits?"); }
Json schema_of(const Parameter& parameter, const Duration&) {
  return quantity(parameter, "[pnum]?s|cycles?");
}
Json schema_of(const Parameter& parameter, const Rate&) {
  return quantity(parameter, "[kMGT]?B/s|[KMG]iB/s|[kMGT]?b(it)?/s|flits?/cycle");
}
template <class Number>
Json schema_of(const Parameter& parameter, const std::vector<Number>&) {
  return list_of(schema_of(parameter, Number{}));
}
Json schema_of(const Parameter& parameter, const std::vector<std::string>&) {
  // Switches without names have numbers.
  const std::vector<std::string> free{"string", "integer", "array"}, chosen{"string", "array"};
  Json element = parameter.choices.empty()
                     ? Json{{"type", Json(std::vector<std::string>{"string", "integer"})}}
                     : Json{{"enum", names_of(parameter.choices)}};
  Json schema{{"type", Json(parameter.choices.empty() ? free : chosen)}};
  schema["items"] = std::move(element);
  schema["uniqueItems"] = true;
  return schema;
}

Json schema_of_load(const Parameter& parameter) {
  const Parameter time{.name = "", .help = "", .bounds = {.at_least = 0}};
  const Json pair(Json::Array{schema_of(time, Duration{}), schema_of(parameter, double{})});
  Json schema = bounded({{"type", Json(std::vector<std::string>{"number", "array"})}}, parameter.bounds);
  schema["minItems"] = 1;
  schema["items"] = Json{{"type", "array"}, {"items", pair}, {"minItems", 2}, {"maxItems", 2}};
  return schema;
}

// A schema with the help and the default as editors show them.
Json with_help(Json schema, const Parameter& parameter, const std::string& facts,
               const std::optional<Document>& standard) {
  schema["description"] =
      facts.empty() ? std::string(parameter.help) : fmt::format("{} ({})", parameter.help, facts);
  if (standard) schema["default"] = json_of(*standard);
  return schema;
}

Json schema_of(const Parameter& parameter, const NodeSet& value);

// The keys of a set of nodes, each with its schema.
class SetKeys final : public ParameterVisitor<SetKeys> {
 public:
  Json properties = Json::object();
  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    add(parameter, value);
  }

 private:
  template <class V>
  void add(const Parameter& parameter, const std::optional<V>&) {
    add(parameter, V{});
  }
  template <class V>
  void add(const Parameter& parameter, const V& value) {
    properties[parameter.name] = with_help(schema_of(parameter, value), parameter, "", std::nullopt);
  }
  // Numbers and ranges such as "8-15".
  void add(const Parameter& parameter, const std::vector<std::int64_t>&) {
    Json element = bounded({{"type", Json(std::vector<std::string>{"integer", "string"})}}, parameter.bounds);
    element["pattern"] = "^[0-9]+-[0-9]+$";
    properties[parameter.name] = with_help(list_of(std::move(element)), parameter, "", std::nullopt);
  }
};

Json schema_of(const Parameter&, const NodeSet&) {
  SetKeys keys;
  NodeSetKeys().describe(keys);
  Json schema{{"type", Json(std::vector<std::string>{"string", "object"})}, {"pattern", "^all$"}};
  schema["properties"] = std::move(keys.properties);
  schema["additionalProperties"] = false;
  schema["minProperties"] = 1;
  schema["maxProperties"] = 1;
  return schema;
}

template <class V>
Json described(const Parameter& parameter, const V& value, bool is_default = true) {
  return with_help(schema_of(parameter, value), parameter, range_text(parameter, type_words<V>().base),
                   is_default ? std::optional(written_value(value)) : std::nullopt);
}
template <class V>
Json described(const Parameter& parameter, const std::optional<V>& value) {
  return described(parameter, value.value_or(V{}), value.has_value());
}

// The schema of values that satisfy one of both.
Json either(const Json& a, const Json& b) {
  if (a.dump() == b.dump()) return a;
  Json::Array all;
  for (const Json* part : {&a, &b}) {
    const Json* parts = part->find("anyOf");
    for (const Json& schema : parts != nullptr ? *parts->elements() : Json::Array{*part}) {
      const auto is_same = [&](const Json& other) { return other.dump() == schema.dump(); };
      if (std::ranges::none_of(all, is_same)) all.push_back(schema);
    }
  }
  return {{"anyOf", Json(all)}};
}

// Adds a property, or another meaning of one.
void add(Properties& properties, std::string_view name, const Json& schema) {
  const auto found = std::ranges::find(properties, name, &Properties::value_type::first);
  if (found == properties.end())
    properties.emplace_back(name, schema);
  else
    found->second = either(found->second, schema);
}

class TableVisitor final : public PathVisitor<TableVisitor> {
 public:
  Tables tables;

  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    key(parameter, described(parameter, value));
  }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    ChoiceKey chooser{std::string(parameter.name), std::string(choice.name()), {}};
    Json helps = Json::array();
    for (const ChoiceField::Member& member : choice.members()) {
      helps.push_back(member.help);
      chooser.members.emplace_back(member.name, properties_of(member.describe));
    }
    Json schema{{"type", "string"}, {"enum", choice.names()}, {"description", parameter.help}};
    if (!choice.name().empty()) schema["default"] = choice.name();
    schema["x-taplo"] = Json{{"docs", Json{{"enumValues", std::move(helps)}}}};
    key(parameter, std::move(schema));
    tables[table_].choices.push_back(std::move(chooser));
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    key(parameter, reference_to(path(parameter)));
    inner(parameter, false, describe);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    key(parameter, list_of_tables(path(parameter)));
    if (list.size() == 0) list.resize(1);
    inner(parameter, true, [&](SpecFields& fields) { list.describe(0, fields); });
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>& points) override {
    key(parameter, with_help(schema_of_load(parameter), parameter, "", Document(points.front().load)));
  }

 private:
  void key(const Parameter& parameter, Json schema) {
    tables[table_].keys.emplace_back(parameter.name, std::move(schema));
  }
  void inner(const Parameter& parameter, bool is_list, const Describe& describe) {
    const std::string outer = std::exchange(table_, path(parameter));
    tables[table_].help = parameter.help;
    tables[table_].is_list = is_list;
    within(table_, describe);
    table_ = outer;
  }

  std::string table_;  // path of the current table
};

}  // namespace

const Json* find(const Properties& properties, std::string_view name) {
  const auto found = std::ranges::find(properties, name, &Properties::value_type::first);
  return found == properties.end() ? nullptr : &found->second;
}

Json object_of(const Properties& properties) {
  Json object = Json::object();
  for (const auto& [name, schema] : properties) object.append(name, schema);
  return object;
}

Json reference_to(const std::string& definition) { return {{"$ref", "#/definitions/" + definition}}; }

// The definition has no type of its own, so that it also fits lists, to which its keys do not apply. Editors
// complete the head of a list, [[traffic.flow]], if a schema has the type "array" alone.
Json list_of_tables(const std::string& definition) {
  const Json all(Json::Array{reference_to(definition)});
  const Json types(Json::Array{Json{{"type", "array"}}, Json{{"type", "object"}}});
  return {{"anyOf", types}, {"items", Json{{"type", "object"}, {"allOf", all}}}, {"allOf", all}};
}

Properties properties_of(const std::function<void(Parameters&)>& describe) {
  Properties properties;
  EachParameter each([&](const Parameter& parameter, const auto& value) {
    properties.emplace_back(parameter.name, described(parameter, value));
  });
  describe(each);
  return properties;
}

Tables tables_of(Spec spec) {
  TableVisitor visitor;
  describe(spec, visitor);
  return std::move(visitor.tables);
}

void add_keys(const Tables& of_other, Tables& all) {
  for (const auto& [path, table] : of_other)
    for (const auto& [name, schema] : table.keys) add(all[path].keys, name, schema);
}

Properties all_properties(const Table& table) {
  Properties all = table.keys;
  for (const ChoiceKey& choice : table.choices)
    for (const auto& [member, parameters] : choice.members)
      for (const auto& [name, schema] : parameters) add(all, name, schema);
  return all;
}

}  // namespace headway::catalogue
