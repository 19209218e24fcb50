// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json.h"

#include "headway/io/json_text.h"

namespace headway {
namespace {

void begin_line(std::string& text, int indent, int depth) {
  if (indent < 0) return;
  text += '\n';
  text.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

Json::Json(const Json& other)
    : value_(std::visit(
          []<class T>(const T& value) -> Value {
            if constexpr (requires { *value; })
              return std::make_unique<typename T::element_type>(*value);
            else
              return value;
          },
          other.value_)) {}

const Json* Json::find(std::string_view name) const {
  const Object* const object = boxed<Object>();
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
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = std::make_unique<Object>();
  boxed<Object>()->push_back({std::string(name), std::move(value)});
}

void Json::push_back(Json value) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = std::make_unique<Array>();
  boxed<Array>()->push_back(std::move(value));
}

std::string Json::dump(int indent) const {
  std::string text;
  write(text, indent, 0);
  return text;
}

void Json::write(std::string& text, int indent, int depth) const {
  if (const auto* const object = boxed<Object>()) {
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
  } else if (const auto* const string = boxed<std::string>()) {
    append_json(text, *string);
  } else if (const auto* const truth = std::get_if<bool>(&value_)) {
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
