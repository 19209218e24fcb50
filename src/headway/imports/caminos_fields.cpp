// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/caminos_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/config/nearest.h"

namespace headway::imports {
const CaminosValue* CaminosFields::take(std::string_view key) {
  known_.push_back(key);
  return object_.field(key);
}

double CaminosFields::number(std::string_view key, double otherwise) {
  const CaminosValue* const value = take(key);
  return value == nullptr ? otherwise : number_of(key, *value).value_or(otherwise);
}

std::int64_t CaminosFields::whole(std::string_view key, std::int64_t otherwise) {
  return whole_number(number(key, static_cast<double>(otherwise)));
}

std::vector<std::int64_t> CaminosFields::wholes(std::string_view key) {
  std::vector<std::int64_t> numbers;
  const CaminosValue* const value = take(key);
  if (value == nullptr || value->kind != CaminosValue::Kind::list) {
    wrong(key, value == nullptr ? object_.where : value->where, "must be a list of numbers", "");
    return {1};
  }
  for (const CaminosValue& element : value->elements)
    numbers.push_back(whole_number(number_of(key, element).value_or(1)));
  return numbers;
}

std::vector<CaminosValue> CaminosFields::experiments(std::string_view key) {
  const CaminosValue* const value = take(key);
  if (value == nullptr) {
    wrong(key, object_.where, "is missing", "");
    return {};
  }
  return value->kind == CaminosValue::Kind::experiments ? value->elements : std::vector{*value};
}

std::optional<double> CaminosFields::number_of(std::string_view key, const CaminosValue& value) {
  if (const auto number = parse_number<double>(value.name);
      number && value.kind == CaminosValue::Kind::number)
    return number;
  wrong(key, value.where, fmt::format("{} is not a number", value.shown()),
        value.kind == CaminosValue::Kind::experiments
            ? "experiments of this key have no counterpart; sweep the key of the spec"
            : "");
  return std::nullopt;
}

void CaminosFields::wrong(std::string_view key, const std::string& where, std::string message,
                          std::string hint) {
  mistakes_.add({fmt::format("{}.{}", object_.name, key), std::move(message), std::move(hint), where});
}

void CaminosFields::without(std::initializer_list<std::string_view> starts, std::string_view why,
                            SpecText& spec) {
  for (const auto& [key, value] : object_.fields)
    for (const std::string_view start : starts)
      if (key.starts_with(start)) {
        known_.push_back(key);
        spec.without(fmt::format("{}.{} = {}", object_.name, key, value.shown()), why);
      }
}

void CaminosFields::name_others(SpecText& spec) {
  for (const auto& [key, value] : object_.fields) {
    if (std::ranges::find(known_, key) != known_.end()) {
      if (!spec.mentions(key))
        spec.without(fmt::format("{}.{} = {}", object_.name, key, value.shown()), "needs no setting here");
      continue;
    }
    const auto meant = nearest(key, known_);
    wrong(key, value.where, std::string(kUnknownKey),
          meant ? fmt::format("did you mean \"{}\"?", *meant) : "");
  }
}

}  // namespace headway::imports
