// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/schema_tables.h"

#include <algorithm>

#include "headway/catalogue/catalogue.h"
#include "headway/spec/spec_fields.h"

namespace headway::catalogue {
namespace {

// Adds a property, or another meaning of one.
void add(Properties& properties, std::string_view name, const Json& schema) {
  const auto found = std::ranges::find(properties, name, &Properties::value_type::first);
  if (found == properties.end())
    properties.emplace_back(name, schema);
  else
    found->second = either(found->second, schema);
}

std::string_view help_of_member(std::string_view key, std::string_view name) {
  for (const Family& family : families())
    if (family.key == key)
      for (const Member& member : family.members)
        if (member.name == name) return member.help;
  return "";
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
    Json names = Json::array(), helps = Json::array();
    for (const std::string_view name : choice.names()) {
      names.push_back(name);
      helps.push_back(help_of_member(path(parameter), name));
      PropertyVisitor parameters;
      choice.describe_default(name, parameters);
      chooser.members.emplace_back(name, std::move(parameters.properties));
    }
    Json schema{{"type", "string"}, {"enum", std::move(names)}, {"description", parameter.help}};
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
  Json all = Json::array(), types = Json::array();
  all.push_back(reference_to(definition));
  for (const std::string_view type : {"array", "object"}) types.push_back(Json{{"type", type}});
  Json element{{"type", "object"}, {"allOf", all}};
  return {{"anyOf", std::move(types)}, {"items", std::move(element)}, {"allOf", std::move(all)}};
}

Tables tables_of(Spec spec) {
  TableVisitor visitor;
  describe(spec, visitor);
  return std::move(visitor.tables);
}

Tables merged(const Tables& event_driven, const Tables& slotted) {
  Tables all = event_driven;
  for (const auto& [path, table] : slotted)
    for (const auto& [name, schema] : table.keys) add(all[path].keys, name, schema);
  return all;
}

Properties all_properties(const Table& table) {
  Properties all = table.keys;
  for (const ChoiceKey& choice : table.choices)
    for (const auto& [member, parameters] : choice.members)
      for (const auto& [name, schema] : parameters) add(all, name, schema);
  return all;
}

}  // namespace headway::catalogue
