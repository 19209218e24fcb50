// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/earlier_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "headway/base/visible.h"
#include "headway/spec/enums.h"

namespace headway {
namespace {

constexpr std::string_view kTable = "measure.";
constexpr std::string_view kKeyNow = "measure.tables";

constexpr std::string_view kSwitches[] = {"per_destination", "destination_series", "per_pair",
                                          "pair_series",     "fairness",           "per_link",
                                          "port_series"};

// "per-pair" for per_pair; nullopt if no earlier key has this name.
std::optional<std::string> table_of(std::string name) {
  if (std::ranges::find(kSwitches, name) == std::end(kSwitches)) return std::nullopt;
  std::ranges::replace(name, '_', '-');
  return name;
}
std::optional<std::string> table_of_key(const std::string& key) {
  return key.starts_with(kTable) ? table_of(key.substr(kTable.size())) : std::nullopt;
}

// Slotted networks never had these keys.
bool is_slotted(const Document& document) {
  const Document* kernel = document.member("kernel");
  return kernel != nullptr && *kernel == Document(std::string(name_of(Kernel::slotted)));
}

void not_a_switch(std::string key, const Document& value, Mistakes& mistakes) {
  mistakes.add({std::move(key), fmt::format("must be true or false, not {}", to_text(value)),
                fmt::format("{} replaces this key", kKeyNow), value.where});
}

// The list in the document; nullopt if it is not a list.
std::optional<Document> listed_in(const Document& document) {
  const Document* written = document.find(kKeyNow);
  if (written == nullptr) return Document(Document::Array{});
  if (written->get<std::string>() != nullptr) return Document(Document::Array{*written}, written->where);
  return written->get<Document::Array>() != nullptr ? std::optional(*written) : std::nullopt;
}

// Adds or removes the name.
void put(Document::Array& tables, const std::string& name, bool listed, const std::string& where) {
  const Document value(name, where);
  const auto at = std::ranges::find(tables, value);
  if (listed && at == tables.end()) tables.push_back(value);
  if (!listed && at != tables.end()) tables.erase(at);
}

}  // namespace

std::string EarlierKeys::key_now(const std::string& key) {
  return table_of_key(key) ? std::string(kKeyNow) : key;
}

void EarlierKeys::found(std::string key, const std::string& where) {
  if (std::ranges::find(found_, key, &Found::key) == found_.end()) found_.push_back({std::move(key), where});
}

void EarlierKeys::replace(Document& document, Mistakes& mistakes) {
  const Document* measure = document.member("measure");
  if (measure == nullptr || measure->get<Document::Table>() == nullptr || is_slotted(document)) return;
  const std::optional<Document> before = listed_in(document);
  Document tables = before.value_or(Document(Document::Array{}));
  Document::Table others;
  for (const Document::Member& member : std::get<Document::Table>(measure->value)) {
    const auto table = table_of(member.name);
    if (!table) {
      others.push_back(member);
      continue;
    }
    const std::string key = fmt::format("{}{}", kTable, member.name);
    const bool* listed = member.value.get<bool>();
    if (listed == nullptr) {
      not_a_switch(key, member.value, mistakes);
      continue;
    }
    found(key, member.where.empty() ? member.value.where : member.where);
    if (tables.where.empty()) tables.where = member.value.where;
    put(std::get<Document::Array>(tables.value), *table, *listed, member.value.where);
    now_ = fmt::format("{} = {}", kKeyNow, to_text(tables));
  }
  if (others.size() == std::get<Document::Table>(measure->value).size()) return;
  document.set("measure", Document(std::move(others), measure->where));
  if (before) document.set(kKeyNow, tables);  // if it is not a list, reading reports this mistake
}

void EarlierKeys::replace(SweepAxes& axes, const Document& document, Mistakes& mistakes) {
  if (is_slotted(document)) return;
  const Document always = listed_in(document).value_or(Document(Document::Array{}));
  int axes_of_tables = 0;
  for (SweepAxis& axis : axes.list()) {
    const auto is_earlier = [](const SweepAxis::Key& key) { return table_of_key(key.name).has_value(); };
    const auto first = std::ranges::find_if(axis.keys, is_earlier);
    const bool sweeps_now = std::ranges::find(axis.keys, kKeyNow, &SweepAxis::Key::name) != axis.keys.end();
    if (sweeps_now || first != axis.keys.end()) ++axes_of_tables;
    if (first == axis.keys.end()) continue;
    if (axes_of_tables > 1 || sweeps_now)
      mistakes.add({"sweep." + first->name, fmt::format("is part of {}, which is already swept", kKeyNow),
                    fmt::format("sweep {} alone, a list of names for each point", kKeyNow), first->where});

    const auto place = first - axis.keys.begin();
    Document::Array said;
    for (std::vector<Document>& row : axis.rows) {
      Document::Array tables = std::get<Document::Array>(always.value);
      std::vector<Document> others;
      for (std::size_t key = 0; key < axis.keys.size(); ++key) {
        const auto table = table_of_key(axis.keys[key].name);
        if (!table)
          others.push_back(row[key]);
        else if (const bool* listed = row[key].get<bool>())
          put(tables, *table, *listed, row[key].where);
        else
          not_a_switch("sweep." + axis.keys[key].name, row[key], mistakes);
      }
      said.emplace_back(std::move(tables), row[static_cast<std::size_t>(place)].where);
      others.insert(others.begin() + place, said.back());
      row = std::move(others);
    }
    now_ = fmt::format("\"{}\" = {} in [sweep]", kKeyNow, to_text(Document(said)));
    const SweepAxis::Key key_now{std::string(kKeyNow), first->where};
    for (const SweepAxis::Key& key : axis.keys)
      if (is_earlier(key)) found(key.name, key.where);
    std::erase_if(axis.keys, is_earlier);
    axis.keys.insert(axis.keys.begin() + place, key_now);
  }
}

std::string EarlierKeys::note() const {
  if (found_.empty()) return "";
  std::vector<std::string> keys;
  for (const Found& found : found_) keys.push_back(found.key);
  return fmt::format("{}: {}: the next version will not support {}; write {} instead",
                     visible(found_.front().where), fmt::join(keys, ", "),
                     keys.size() == 1 ? "this key" : "these keys", now_);
}

}  // namespace headway
