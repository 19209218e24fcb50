// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json.h"

#include <charconv>

#include "headway/io/json_reader.h"
#include "headway/io/json_text.h"

namespace headway {
namespace {

// A whole number without a fraction or an exponent; other numbers are doubles.
Json read_number(std::string_view text) {
  const auto read = [text]<class Number>(Number number) -> std::optional<Json> {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional<Json>(number)
                                                                    : std::nullopt;
  };
  if (std::optional<Json> natural = read(std::uint64_t{})) return *std::move(natural);
  if (std::optional<Json> integer = read(std::int64_t{})) return *std::move(integer);
  return JsonReader(text).number();
}

Json read_value(JsonReader& in) {
  switch (in.kind()) {
    case JsonKind::object: {
      Json json = Json::object();
      in.object([&](const std::string& name) { json.append(name, read_value(in)); });
      return json;
    }
    case JsonKind::array: {
      Json json = Json::array();
      in.array([&] { json.push_back(read_value(in)); });
      return json;
    }
    case JsonKind::text:
      return in.text();
    case JsonKind::number:
      return read_number(in.scalar());
    case JsonKind::boolean:
      return in.boolean();
    case JsonKind::null:
      break;
  }
  in.null();
  return nullptr;
}

void begin_line(std::string& text, int indent, int depth) {
  if (indent < 0) return;
  text += '\n';
  text.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

Json::Json(const Json& other) {
  if (const auto* const text = other.text())
    value_ = std::make_unique<std::string>(*text);
  else if (const auto* const array = other.elements())
    value_ = std::make_unique<Array>(*array);
  else if (const auto* const object = other.members())
    value_ = std::make_unique<Object>(*object);
  else if (const auto* const truth = other.boolean())
    value_ = *truth;
  else if (const auto* const integer = std::get_if<std::int64_t>(&other.value_))
    value_ = *integer;
  else if (const auto* const natural = std::get_if<std::uint64_t>(&other.value_))
    value_ = *natural;
  else if (const auto* const real = std::get_if<double>(&other.value_))
    value_ = *real;
}

std::optional<Json> Json::parse(std::string_view text) try {
  JsonReader in(text);
  Json json = read_value(in);
  in.end();
  return json;
} catch (const BadJson&) {
  return std::nullopt;
}

std::optional<double> Json::number() const {
  if (const auto* const real = std::get_if<double>(&value_)) return *real;
  if (const auto* const integer = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*integer);
  if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*natural);
  return std::nullopt;
}

std::optional<std::uint64_t> Json::whole() const {
  if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) return *natural;
  const auto* const integer = std::get_if<std::int64_t>(&value_);
  return integer != nullptr && *integer >= 0 ? std::optional(static_cast<std::uint64_t>(*integer))
                                             : std::nullopt;
}

const Json* Json::find(std::string_view name) const {
  const Object* const object = members();
  if (object == nullptr) return nullptr;
  for (const Member& member : *object)
    if (member.name == name) return &member.value;
  return nullptr;
}

Json& Json::operator[](std::string_view name) {
  if (const Json* const found = find(name)) return const_cast<Json&>(*found);  // this is not const
  append(name, nullptr);
  return boxed<Object>()->back().value;
}

void Json::append(std::string_view name, Json value) {
  if (is_null()) value_ = std::make_unique<Object>();
  boxed<Object>()->push_back({std::string(name), std::move(value)});
}

void Json::push_back(Json value) {
  if (is_null()) value_ = std::make_unique<Array>();
  boxed<Array>()->push_back(std::move(value));
}

std::string Json::dump(int indent) const {
  std::string text;
  write(text, indent, 0);
  return text;
}

void Json::write(std::string& text, int indent, int depth) const {
  if (const auto* const object = members()) {
    text += '{';
    for (const Member& member : *object) {
      if (&member != object->data()) text += ',';
      begin_line(text, indent, depth + 1);
      append_json(text, member.name);
      text += indent < 0 ? ":" : ": ";
      member.value.write(text, indent, depth + 1);
    }
    if (!object->empty()) begin_line(text, indent, depth);
    text += '}';
  } else if (const auto* const array = elements()) {
    text += '[';
    for (const Json& element : *array) {
      if (&element != array->data()) text += ',';
      begin_line(text, indent, depth + 1);
      element.write(text, indent, depth + 1);
    }
    if (!array->empty()) begin_line(text, indent, depth);
    text += ']';
  } else if (const auto* const string = this->text()) {
    append_json(text, *string);
  } else if (const auto* const truth = boolean()) {
    text += *truth ? "true" : "false";
  } else if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    text += std::to_string(*integer);
  } else if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) {
    append_json(text, *natural);
  } else if (const auto* const real = std::get_if<double>(&value_)) {
    append_json(text, *real);
  } else {
    text += "null";
  }
}

}  // namespace headway
