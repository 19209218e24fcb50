// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/units_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "headway/config/limits.h"
#include "headway/spec/read_spec.h"

namespace headway {
namespace {

// The exact number before any of the unit's names.
std::optional<Rational> number_of(std::string_view text, std::string_view one, std::string_view several) {
  std::string_view number = text;
  if (number.ends_with(several))
    number.remove_suffix(several.size());
  else if (number.ends_with(one))
    number.remove_suffix(one.size());
  else
    return std::nullopt;
  // parsed as nanoseconds, which gives an exact fraction
  const auto parsed = parse_duration(std::string(number) + "ns");
  return parsed ? std::optional(parsed->ns) : std::nullopt;
}

// The exact quantity for a text; nullopt if the text is not one. Throws std::overflow_error.
std::optional<std::string> replaced(std::string_view text, const UnitsTable& units) {
  if (const auto cycles = number_of(text, "cycle", "cycles"))
    if (!text.ends_with("flit/cycle") && !text.ends_with("flits/cycle"))
      return to_string(Duration{*cycles * units.cycle.ns});
  if (const auto flits = number_of(text, "flit/cycle", "flits/cycle"))
    return to_string(Rate{*flits * Rational(units.flit.count) / units.cycle.ns});
  if (const auto flits = number_of(text, "flit", "flits"))
    if (const Rational bytes = *flits * Rational(units.flit.count); bytes.is_integer())
      return to_string(Bytes{bytes.numerator()});
  return std::nullopt;
}

}  // namespace

void UnitsTable::describe(Parameters& parameters) {
  parameters.field({.name = "cycle",
                    .help = "duration of one cycle, in a spec with the table [units]",
                    .bounds = Bounds::over(0, limits::kTime)},
                   cycle);
  parameters.field(
      {.name = "flit", .help = "size of one flit, likewise", .bounds = Bounds::from(1, limits::kBytes)},
      flit);
}

void replace_units(Document& document, const std::string& key, const UnitsTable& units, Mistakes& mistakes) {
  if (auto* text = std::get_if<std::string>(&document.value)) try {
      if (auto exact = replaced(*text, units)) *text = std::move(*exact);
    } catch (const std::overflow_error&) {
      mistakes.add({key,
                    fmt::format("\"{}\" is too large to compute with exactly: a cycle is {}, a flit {}",
                                *text, to_string(units.cycle), to_string(units.flit)),
                    "", document.where});
    }
  if (auto* table = std::get_if<Document::Table>(&document.value)) {
    for (Document::Member& member : *table)
      replace_units(member.value, key.empty() ? member.name : key + '.' + member.name, units, mistakes);
  } else if (auto* array = std::get_if<Document::Array>(&document.value)) {
    for (std::size_t i = 0; i < array->size(); ++i)
      replace_units((*array)[i], fmt::format("{}[{}]", key, i), units, mistakes);
  }
}

std::optional<UnitsTable> replace_units(Document& document, Mistakes& mistakes) {
  auto* table = std::get_if<Document::Table>(&document.value);
  if (table == nullptr) return std::nullopt;
  const auto found = std::ranges::find(*table, "units", &Document::Member::name);
  if (found == table->end()) return std::nullopt;
  const UnitsTable units = read_units(found->value, mistakes);
  table->erase(found);
  replace_units(document, "", units, mistakes);
  return units;
}

}  // namespace headway
