// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"

namespace headway::imports {

const Setting* Settings::find(std::string_view name) const {
  const auto found = std::ranges::find(settings_.rbegin(), settings_.rend(), name, &Setting::name);
  return found == settings_.rend() ? nullptr : &*found;
}

const Setting* Settings::take(std::string_view name) {
  known_.emplace_back(name);
  return find(name);
}

std::string Settings::text(std::string_view name, std::string_view otherwise) {
  const Setting* const setting = take(name);
  return setting == nullptr ? std::string(otherwise) : setting->value;
}

std::int64_t Settings::whole(std::string_view name, std::int64_t otherwise, std::int64_t least,
                             std::int64_t most) {
  const Setting* const setting = take(name);
  if (setting == nullptr) return otherwise;
  const auto value = parse_number<std::int64_t>(setting->value);
  if (value && *value >= least && *value <= most) return *value;
  wrong(name, fmt::format("{} is not a whole number from {} to {}", setting->value, least, most));
  return otherwise;
}

double Settings::number(std::string_view name, double otherwise, double least, double most) {
  const Setting* const setting = take(name);
  if (setting == nullptr) return otherwise;
  const auto value = parse_number<double>(setting->value);
  if (value && *value >= least && *value <= most) return *value;
  wrong(name, fmt::format("{} is not a number from {} to {}", setting->value, least, most));
  return otherwise;
}

std::string Settings::said(std::string_view name, std::string_view otherwise) const {
  const Setting* const setting = find(name);
  return setting == nullptr ? fmt::format("{} = {}, the default", name, otherwise)
                            : fmt::format("{} = {}", name, setting->value);
}

void Settings::wrong(std::string_view name, std::string message, std::string hint) {
  const Setting* const setting = find(name);
  mistakes_.add(
      {std::string(name), std::move(message), std::move(hint), setting == nullptr ? file_ : setting->where});
}

void Settings::name_others(std::span<const Without> without, SpecText& spec) {
  std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const Without& group : without) known.insert(known.end(), group.names.begin(), group.names.end());
  for (const Setting& setting : settings_) {
    if (std::ranges::find(known_, setting.name) != known_.end()) {
      if (!spec.mentions(setting.name))
        spec.without(fmt::format("{} = {}", setting.name, setting.value), "needs no setting here");
      continue;
    }
    const auto group = std::ranges::find_if(without, [&](const Without& one) {
      return std::ranges::find(one.names, setting.name) != one.names.end();
    });
    if (group != without.end()) {
      spec.without(fmt::format("{} = {}", setting.name, setting.value), group->reason);
      continue;
    }
    const auto meant = nearest(setting.name, known);
    mistakes_.add({setting.name, std::string(kUnknownKey),
                   meant ? fmt::format("did you mean \"{}\"?", *meant) : "", setting.where});
  }
}

std::optional<std::string> translated(Settings& settings, std::string_view name, std::string_view value,
                                      std::span<const Translation> table) {
  std::vector<std::string_view> names;
  for (const Translation& one : table) {
    if (one.from == value) return std::string(one.to);
    names.push_back(one.from);
  }
  const auto meant = nearest(value, names);
  settings.wrong(
      name, fmt::format("{} has no counterpart", value),
      (meant ? fmt::format("did you mean \"{}\"? ", *meant) : "") + "translated: " + list_text(names));
  return std::nullopt;
}

}  // namespace headway::imports
