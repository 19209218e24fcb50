// SPDX-License-Identifier: Apache-2.0
// A spec file as plain values, each with the place it was read from. Formats are read into it (config/toml.h)
// and written from it; overrides and sweep axes change it by dotted path before it becomes a Spec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headway {

struct Document {
  struct Member;
  using Table = std::vector<Member>;  // in the order of the file
  using Array = std::vector<Document>;
  using Value = std::variant<Table, Array, bool, std::int64_t, double, std::string>;

  Document() = default;
  explicit Document(Value content, std::string place = "");

  template <class T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
  // The member of a table; null if this is no table or has none of that name.
  const Document* member(std::string_view name) const;

  // What stands at a path such as "switch.queues" or "traffic.flow[1].load"; null if nothing does. A single
  // table stands for a list of one, so it is its own [0].
  const Document* find(std::string_view path) const;
  // Puts a value at a path, making tables on the way. A name without index stands for every element of an
  // array of tables, so "traffic.flow.load" is the load of all flows; a whole element at index = length is
  // appended. Returns what makes it impossible, or nothing.
  std::optional<std::string> set(std::string_view path, const Document& content);
  // The paths of the single things that a path stands for here. Two spellings of a thing give the same one:
  // only an element of a list of several has an index.
  std::vector<std::string> meant_by(std::string_view path) const;
  // The place of a path, or of the nearest thing around it that exists.
  std::string place_of(std::string_view path) const;

  Value value;
  std::string where;  // "my.toml:3:8", "--set", or empty
};

struct Document::Member {
  std::string name;
  std::string where;  // of the name
  Document value;
};

// Same values in the same order; places do not count.
bool operator==(const Document& a, const Document& b);
bool operator==(const Document::Member& a, const Document::Member& b);

// A value as it would be written in a file, on one line: 4, 0.5, "obqa", [1, 2], { first = 3 }.
std::string to_text(const Document& document);
// A name as it would be written, in quotes if it needs them.
std::string key_text(const std::string& name);

}  // namespace headway
