// SPDX-License-Identifier: Apache-2.0
// JSON documents of moderate size as trees of values, to be written: manifests, reports, the data of a page.
// Results are written and read without a tree (json_text.h, json_reader.h).
//
// The values are not those of nlohmann::json, because these allocate memory when they are destroyed, which
// ends the program if memory is short.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headway {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // in the order of the text

  Json() = default;
  Json(std::nullptr_t) {}  // NOLINT: every value of these types is a value of JSON
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}  // NOLINT
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Json(T value)  // NOLINT
      : value_(number_of(value)) {}
  Json(double value) : value_(value) {}                                                 // NOLINT
  Json(std::string value) : value_(std::make_unique<std::string>(std::move(value))) {}  // NOLINT
  Json(std::string_view value) : Json(std::string(value)) {}                            // NOLINT
  Json(const char* value) : Json(std::string(value)) {}                                 // NOLINT
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {  // NOLINT
    Array& elements = *boxed<Array>();
    elements.reserve(values.size());
    for (const T& value : values) elements.emplace_back(value);
  }
  Json(std::initializer_list<Member> members);
  Json(const Json& other);
  Json(Json&&) noexcept = default;
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json& operator=(Json&&) noexcept = default;
  ~Json() = default;

  static Json array() { return Json(Value(std::make_unique<Array>())); }
  static Json object() { return Json(Value(std::make_unique<Object>())); }

  const Array* elements() const { return boxed<Array>(); }  // null if this is not an array
  // The first member with this name; null if there is none, or this is not an object.
  const Json* find(std::string_view name) const;

  // Makes a null value an object or an array.
  Json& operator[](std::string_view name);  // adds the member if there is none
  void append(std::string_view name,
              Json value);  // adds a member without looking for another one of this name
  void push_back(Json value);

  // Without white space, or with members and elements on lines of their own; values as in json_text.h.
  std::string dump(int indent = -1) const;

 private:
  template <class T>
  using Box = std::unique_ptr<T>;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, Box<std::string>,
                             Box<Array>, Box<Object>>;

  explicit Json(Value value) : value_(std::move(value)) {}
  template <std::integral T>
  static Value number_of(T value) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<std::int64_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }
  template <class T>
  T* boxed() const {
    const auto* box = std::get_if<Box<T>>(&value_);
    return box == nullptr ? nullptr : box->get();
  }
  void write(std::string& text, int indent, int depth) const;

  Value value_;
};

struct Json::Member {
  std::string name;
  Json value;
};

inline Json::Json(std::initializer_list<Member> members) : value_(std::make_unique<Object>(members)) {}

}  // namespace headway
