// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "headway/base/visible.h"

namespace headway {
namespace {

using Parsed = nlohmann::json;

// Receives the values of a text in their order.
class Builder {
 public:
  using number_integer_t = Parsed::number_integer_t;
  using number_unsigned_t = Parsed::number_unsigned_t;
  using number_float_t = Parsed::number_float_t;
  using string_t = Parsed::string_t;
  using binary_t = Parsed::binary_t;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t&) { return add(value); }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(string_t& name) {
    open_.back().name = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

  Json take() { return std::move(all_); }

 private:
  // An array or object that has not ended, and the name of an object's next member.
  struct Open {
    std::string name;
    Json json;
  };

  bool add(Json value) {
    if (open_.empty())
      all_ = std::move(value);
    else if (Open& into = open_.back(); into.json.members() != nullptr)
      into.json.append(into.name, std::move(value));
    else
      into.json.push_back(std::move(value));
    return true;
  }
  bool open(Json json) {
    if (open_.size() == Json::kMostDepth) return false;
    open_.push_back({{}, std::move(json)});
    return true;
  }
  bool close() {
    Json json = std::move(open_.back().json);
    open_.pop_back();
    return add(std::move(json));
  }

  std::vector<Open> open_;
  Json all_;
};

void append_number(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  std::array<char, 64> digits;
  text.append(digits.data(), nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
}

void append_string(std::string& text, const std::string& value) {
  text += Parsed(value).dump(-1, ' ', false, Parsed::error_handler_t::replace);
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

std::optional<Json> Json::parse(std::string_view text) {
  Builder builder;
  if (!Parsed::sax_parse(text, &builder)) return std::nullopt;
  return builder.take();
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
      append_string(text, member.name);
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
    append_string(text, *string);
  } else if (const auto* const truth = boolean()) {
    text += *truth ? "true" : "false";
  } else if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    text += std::to_string(*integer);
  } else if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) {
    text += std::to_string(*natural);
  } else if (const auto* const real = std::get_if<double>(&value_)) {
    append_number(text, *real);
  } else {
    text += "null";
  }
}

std::string json_text(const Json& json, int indent) { return escaped(json.dump(indent)); }

}  // namespace headway
