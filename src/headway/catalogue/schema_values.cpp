// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/schema_values.h"

#include <fmt/format.h>

#include <utility>

#include "headway/catalogue/catalogue.h"
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
  Json names = Json::array();
  for (const std::string_view choice : choices) names.push_back(choice);
  return names;
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

}  // namespace

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
Json schema_of(const Parameter& parameter, const std::vector<std::int64_t>&) {
  return list_of(schema_of(parameter, std::int64_t{}));
}
Json schema_of(const Parameter& parameter, const std::vector<double>&) {
  return list_of(schema_of(parameter, double{}));
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

Json schema_of_load(const Parameter& parameter) {
  const Parameter time{.name = "", .help = "", .bounds = {.at_least = 0}};
  Json pair = Json::array();
  pair.push_back(schema_of(time, Duration{}));
  pair.push_back(schema_of(parameter, double{}));
  Json schema = bounded({{"type", Json(std::vector<std::string>{"number", "array"})}}, parameter.bounds);
  schema["minItems"] = 1;
  schema["items"] = Json{{"type", "array"}, {"items", std::move(pair)}, {"minItems", 2}, {"maxItems", 2}};
  return schema;
}

Json with_help(Json schema, const Parameter& parameter, const std::string& facts,
               const std::optional<Document>& standard) {
  schema["description"] =
      facts.empty() ? std::string(parameter.help) : fmt::format("{} ({})", parameter.help, facts);
  if (standard) schema["default"] = json_of(*standard);
  return schema;
}

Json either(const Json& a, const Json& b) {
  if (a.dump() == b.dump()) return a;
  Json::Array all;
  for (const Json* part : {&a, &b}) {
    const Json* parts = part->find("anyOf");
    for (const Json& schema : parts != nullptr ? *parts->elements() : Json::Array{*part}) {
      bool known = false;
      for (const Json& other : all) known |= other.dump() == schema.dump();
      if (!known) all.push_back(schema);
    }
  }
  return {{"anyOf", Json(all)}};
}

}  // namespace headway::catalogue
