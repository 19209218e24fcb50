// SPDX-License-Identifier: Apache-2.0
#include "headway/config/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"

namespace headway {

TableReader::TableReader(const Document& table, std::string path, Mistakes& mistakes)
    : table_(table), path_(std::move(path)), mistakes_(mistakes) {
  if (table.get<Document::Table>() == nullptr) mistakes_.add({path_, "must be a table", "", table.where});
}

const Document* TableReader::take(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.push_back(name);
  return table_.member(name);
}

std::optional<std::string> TableReader::text_of(std::string_view name) {
  const Document* const value = take(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* text = value->get<std::string>()) return *text;
  wrong(name, *value, "must be text in quotes");
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::whole(std::string_view name, std::int64_t least, std::int64_t most) {
  const Document* const value = take(name);
  if (value == nullptr) return std::nullopt;
  const auto* number = value->get<std::int64_t>();
  if (number != nullptr && *number >= least && *number <= most) return *number;
  wrong(name, *value, to_text(*value) + " is not a valid number", fmt::format("from {} to {}", least, most));
  return std::nullopt;
}

void TableReader::refuse_others() {
  const auto* members = table_.get<Document::Table>();
  if (members == nullptr) return;
  for (const Document::Member& member : *members) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    const auto meant = nearest(member.name, known_);
    mistakes_.add({key(member.name),
                   std::string(kUnknownKey),
                   meant ? fmt::format("did you mean \"{}\"?", *meant) : "valid here: " + list_text(known_),
                   member.where,
                   {known_.begin(), known_.end()},
                   std::string(meant.value_or(""))});
  }
}

void TableReader::wrong(std::string_view name, const Document& value, std::string message, std::string hint) {
  mistakes_.add({key(name), std::move(message), std::move(hint), value.where});
}

void TableReader::missing(std::string_view name) {
  mistakes_.add({key(name), "is missing", "", table_.where});
}

std::string TableReader::key(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

}  // namespace headway
