// SPDX-License-Identifier: Apache-2.0
// A spec file as plain values, each with the place where it was read. Formats are read into it
// (config/toml.h) and written from it. Overrides and sweep axes change it by dotted paths before it becomes a
// Spec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
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
  // The member of a table; null if this is not a table or has no such member.
  const Document* member(std::string_view name) const;

  // Number of names in a path, for functions that call themselves once per name.
  static constexpr std::size_t kMostNames = 64;

  // The value at a path such as "switch.queues" or "traffic.flow[1].load"; null if there is none. A table can
  // also be addressed as its own element [0], and the element of a list of one without an index.
  const Document* find(std::string_view path) const;
  // The path with indices instead of names: an element of a list of tables can also be addressed by its key
  // `name`, in place of the list. "traffic.storage.load" becomes "traffic.flow[1].load".
  std::string with_indices(std::string_view path) const;
  // The names of elements that can be used here in a path.
  std::vector<std::string_view> element_names() const;
  // Sets the value at a path and creates missing tables. A name without index means all elements of an array
  // of tables, so "traffic.flow.load" is the load of all flows. An element at index = length is appended.
  // Returns an error message if this is not possible. A table that is set by the name of an element keeps the
  // name.
  std::optional<std::string> set(std::string_view path, const Document& content);
  // The paths of all single values that a path means in this document. Different spellings of a value give
  // the same path: only elements of lists with several elements have an index.
  std::vector<std::string> meant_by(std::string_view path) const;
  // The place of a path, or of the nearest enclosing value that exists.
  std::string place_of(std::string_view path) const;

  Value value;
  std::string where;  // "my.toml:3:8", "--set", or empty
};

struct Document::Member {
  std::string name;
  std::string where;  // of the name
  Document value;
};

// Compares values and their order, but not places.
bool operator==(const Document& a, const Document& b);
bool operator==(const Document::Member& a, const Document::Member& b);

// The keys of single values that differ or that only one document has: "switch.queues",
// "traffic.flow[1].load".
std::set<std::string> differing_keys(const Document& a, const Document& b);

// Returns true for a list with elements that are all tables.
bool is_list_of_tables(const Document& document);

// A value as written in a file, on one line: 4, 0.5, "obqa", [1, 2], { first = 3 }.
std::string to_text(const Document& document);
// A name as written in a file, in quotes if necessary.
std::string key_text(const std::string& name);

}  // namespace headway
