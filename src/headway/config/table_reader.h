// SPDX-License-Identifier: Apache-2.0
// Reads a table of a document member by member and reports mistakes with their places. Readers of network
// files and paper files build on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/document.h"

namespace headway {

class TableReader {
 public:
  // `path` is the key of the table, for mistakes: "figure[0]"; empty for the whole document. A document that
  // is not a table is a mistake and has no members.
  TableReader(const Document& table, std::string path, Mistakes& mistakes);

  // Returns the member, or null if there is none. `refuse_others` reports members that were never taken.
  const Document* take(std::string_view name);
  // Returns the text of a member, or nullopt; a member that is not text is a mistake.
  std::optional<std::string> text_of(std::string_view name);
  // A whole number in this range; nullopt if there is none.
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least, std::int64_t most);
  // A number with a unit.
  template <class Quantity>
  std::optional<Quantity> quantity(std::string_view name, std::optional<Quantity> (*parse)(std::string_view),
                                   Quantity least, std::string_view example) {
    const Document* const value = take(name);
    if (value == nullptr) return std::nullopt;
    const auto* text = value->get<std::string>();
    const auto result = text != nullptr ? parse(*text) : std::nullopt;
    if (!result || *result < least)
      wrong(name, *value, to_text(*value) + " is not a " + std::string(name),
            "write a number and a unit, for example \"" + std::string(example) + "\"");
    return result;
  }
  // Calls visit(element, path) for the elements of a list, if there is one.
  void for_each(std::string_view name, const auto& visit) {
    const Document* const value = take(name);
    if (value == nullptr) return;
    const auto* list = value->get<Document::Array>();
    if (list == nullptr) return wrong(name, *value, "must be a list");
    for (std::size_t i = 0; i < list->size(); ++i)
      visit((*list)[i], key(name) + '[' + std::to_string(i) + ']');
  }
  // Reports members that were not taken, each with the nearest known name or, if there is none, all known
  // names.
  void refuse_others();

  void wrong(std::string_view name, const Document& value, std::string message, std::string hint = "");
  void missing(std::string_view name);

  std::string key(std::string_view name) const;  // its path in the document
  const std::string& where() const { return table_.where; }

 private:
  const Document& table_;
  std::string path_;
  Mistakes& mistakes_;
  std::vector<std::string_view> known_;
};

}  // namespace headway
