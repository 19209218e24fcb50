// SPDX-License-Identifier: Apache-2.0
// A family of extension points is an explicit list of entries, in the order they are shown. No static
// registration: the list is in the family's registry.cpp, one line per entry.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headway {

template <class T>
struct Entry {
  std::string_view name;    // as written in specs
  std::string_view help;    // one line
  std::string_view source;  // paper and section, or "Headway"
  std::unique_ptr<T> (*make)();
};

template <class T, class Derived>
std::unique_ptr<T> make_entry() {
  return std::make_unique<Derived>();
}

template <class T>
using Registry = std::span<const Entry<T>>;

template <class T>
const Entry<T>* find(Registry<T> registry, std::string_view name) {
  for (const auto& entry : registry)
    if (entry.name == name) return &entry;
  return nullptr;
}

// One member of a family together with its parameters: what a spec's `topology = "..."` and its keys become.
template <class T>
struct Choice {
  std::string_view name;
  std::shared_ptr<T> value;  // null until chosen

  T* operator->() const { return value.get(); }
  T& operator*() const { return *value; }
  explicit operator bool() const { return value != nullptr; }
};

// A choice by name with default parameters. Throws std::out_of_range if the family has no such member.
template <class T>
Choice<T> choose(Registry<T> registry, std::string_view name) {
  const Entry<T>* entry = find(registry, name);
  if (entry == nullptr) throw std::out_of_range("no entry named '" + std::string(name) + "'");
  return {entry->name, entry->make()};
}

}  // namespace headway
