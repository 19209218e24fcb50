// SPDX-License-Identifier: Apache-2.0
// A family of extension points is an explicit list of entries, in the order in which they are listed to the
// user. There is no static registration: the list is in the family's registry.cpp, with one line per entry,
// or is a TypeList of members whose code the engine inlines.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway {

// Owns an object of a type that is known only at run time. Copying it copies the object.
template <class T>
class Value {
 public:
  Value() = default;
  Value(const Value& other) : copy_(other.copy_) {
    if (other.object_ != nullptr) object_ = copy_(*other.object_);
  }
  Value(Value&&) noexcept = default;
  Value& operator=(Value other) noexcept {
    object_ = std::move(other.object_);
    copy_ = other.copy_;
    return *this;
  }

  template <class Derived>
  static Value of() {
    Value value;
    value.object_ = std::make_unique<Derived>();
    value.copy_ = [](const T& object) -> std::unique_ptr<T> {
      return std::make_unique<Derived>(static_cast<const Derived&>(object));
    };
    return value;
  }

  T* get() { return object_.get(); }
  const T* get() const { return object_.get(); }
  T* operator->() { return get(); }
  const T* operator->() const { return get(); }
  T& operator*() { return *object_; }
  const T& operator*() const { return *object_; }
  // A copy with shared ownership.
  std::shared_ptr<const T> shared() const { return copy_(*object_); }

 private:
  std::unique_ptr<T> object_;
  std::unique_ptr<T> (*copy_)(const T&) = nullptr;
};

template <class T>
struct Entry {
  std::string_view name;    // as written in specs
  std::string_view help;    // one line
  std::string_view source;  // paper and section, or "Headway"
  Value<T> (*make)();
};

template <class T, class Derived>
Value<T> make_entry() {
  return Value<T>::template of<Derived>();
}

template <class T>
using Registry = std::span<const Entry<T>>;

// The entries of a family whose members are a TypeList: `first`, and then those of the members.
template <class T, class Members>
auto entries_of(const Entry<T>& first) {
  return Members::with_all([&]<class... Types>() { return std::to_array({first, Types::entry()...}); });
}

template <class T>
const Entry<T>* find(Registry<T> registry, std::string_view name) {
  for (const auto& entry : registry)
    if (entry.name == name) return &entry;
  return nullptr;
}

// The names of the elements of a list, such as a registry.
template <class List>
std::vector<std::string_view> names_of(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& element : list) names.push_back(element.name);
  return names;
}

// The names of the members that have a property, with default parameters.
template <class T, class Property>
std::vector<std::string_view> names_with(Registry<T> registry, Property&& has) {
  std::vector<std::string_view> names;
  for (const Entry<T>& entry : registry)
    if (has(std::as_const(*entry.make()))) names.push_back(entry.name);
  return names;
}

// A chosen member of a family with its parameters, as given by `topology = "..."` and its keys in a spec.
template <class T>
struct Choice : Value<T> {  // empty until chosen
  std::string_view name;

  explicit operator bool() const { return this->get() != nullptr; }
};

// A choice by name with default parameters. Throws std::out_of_range if the family has no such member.
template <class T>
Choice<T> choose(Registry<T> registry, std::string_view name) {
  const Entry<T>* entry = find(registry, name);
  if (entry == nullptr) throw std::out_of_range("no entry named '" + std::string(name) + "'");
  return {entry->make(), entry->name};
}

}  // namespace headway
