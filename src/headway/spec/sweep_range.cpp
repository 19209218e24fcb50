// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/sweep_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "headway/base/units.h"

namespace headway {
namespace {

constexpr std::string_view kRangeKeys[] = {"from", "to", "step", "points"};

enum class RangeKind { number, time, size, rate };

std::string_view words_of(RangeKind kind) {
  constexpr std::string_view kWords[] = {"a number", "a time", "a size", "a rate"};
  return kWords[static_cast<std::size_t>(kind)];
}

struct RangeQuantity {
  RangeKind kind;
  Rational value;
  bool whole;  // written as a whole number
};

// The exact value of the number's shortest decimal text: 1/10 for 0.1. Throws std::overflow_error.
Rational exact(double number) {
  const std::string text = fmt::format("{}", number);
  const std::size_t e = text.find('e');
  const auto parsed = parse_duration(text.substr(0, e) + "ns");
  if (!parsed) throw std::overflow_error("too many digits");
  Rational value = parsed->ns;
  int exponent = 0;
  if (e != std::string::npos) {
    const char* const digits = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(digits, text.data() + text.size(), exponent);
  }
  for (; exponent > 0; --exponent) value = value * 10;
  for (; exponent < 0; ++exponent) value = value / 10;
  return value;
}

std::optional<RangeQuantity> quantity_of(const Document& node) {
  if (const auto* whole = node.get<std::int64_t>()) return RangeQuantity{RangeKind::number, *whole, true};
  if (const auto* number = node.get<double>())
    return std::isfinite(*number) ? std::optional(RangeQuantity{RangeKind::number, exact(*number), false})
                                  : std::nullopt;
  const auto* text = node.get<std::string>();
  if (text == nullptr) return std::nullopt;
  if (const auto time = parse_duration(*text)) return RangeQuantity{RangeKind::time, time->ns, false};
  if (const auto size = parse_bytes(*text)) return RangeQuantity{RangeKind::size, size->count, false};
  if (const auto rate = parse_rate(*text)) return RangeQuantity{RangeKind::rate, rate->bytes_per_ns, false};
  return std::nullopt;
}

// The value as written in a list; nullopt for a size that is not a whole number of bytes.
std::optional<Document> written(const RangeQuantity& quantity, const std::string& where) {
  switch (quantity.kind) {
    case RangeKind::number:
      if (quantity.whole) return Document(quantity.value.numerator(), where);
      return Document(quantity.value.to_double(), where);
    case RangeKind::time:
      return Document(to_string(Duration{quantity.value}), where);
    case RangeKind::rate:
      return Document(to_string(Rate{quantity.value}), where);
    case RangeKind::size:
      if (!quantity.value.is_integer()) return std::nullopt;
      return Document(to_string(Bytes{quantity.value.numerator()}), where);
  }
  return std::nullopt;
}

class Range {
 public:
  Range(const std::string& key, const Document& table, std::size_t most, Mistakes& mistakes)
      : key_("sweep." + key), table_(table), most_(most), mistakes_(mistakes) {}

  Document::Array values() {
    const std::size_t before = mistakes_.list().size();
    for (const auto& member : std::get<Document::Table>(table_.value))
      if (std::ranges::find(kRangeKeys, member.name) == std::end(kRangeKeys))
        mistakes_.add({key_ + '.' + member.name, "unknown key", "a range has from, to, and step or points",
                       member.where});
    const Document* const points = table_.member("points");
    if ((table_.member("step") != nullptr) == (points != nullptr))
      wrong("", table_, "needs either step or points",
            "write for example { from = 0.1, to = 1.0, step = 0.05 }");
    const auto from = read("from", RangeKind::number, false);
    const auto to = read("to", from ? from->kind : RangeKind::number, from.has_value());
    const auto step = points != nullptr
                          ? step_of(*points, from, to)
                          : read("step", from ? from->kind : RangeKind::number, from.has_value());
    if (mistakes_.list().size() != before || !from || !to || !step) return {};
    if (to->value < from->value)
      wrong("to", *table_.member("to"), "is below from", "a range goes upward; a list can have any order");
    else if (step->value <= 0 && from->value != to->value)
      wrong("step", *table_.member(points != nullptr ? "points" : "step"), "must be above 0", "");
    else
      return all(*from, *to, *step);
    return {};
  }

 private:
  std::optional<RangeQuantity> read(std::string_view name, RangeKind kind, bool must_be_kind) {
    const Document* const node = table_.member(name);
    if (node == nullptr) {
      if (name != "step") wrong("", table_, fmt::format("has no {}", name), "a range has from and to");
      return std::nullopt;
    }
    const auto quantity = quantity_of(*node);
    if (!quantity)
      wrong(name, *node, fmt::format("{} is neither a number nor a quantity", to_text(*node)),
            "write for example 0.05 or \"1 us\"");
    else if (must_be_kind && quantity->kind != kind)
      wrong(name, *node, fmt::format("is {}, but from is {}", words_of(quantity->kind), words_of(kind)), "");
    else
      return quantity;
    return std::nullopt;
  }

  std::optional<RangeQuantity> step_of(const Document& points, const std::optional<RangeQuantity>& from,
                                       const std::optional<RangeQuantity>& to) {
    const auto* const number = points.get<std::int64_t>();
    if (number == nullptr || *number < 2 || *number > static_cast<std::int64_t>(most_)) {
      wrong("points", points, fmt::format("must be a whole number, not {}", to_text(points)),
            fmt::format("at least 2, at most {}", most_));
      return std::nullopt;
    }
    if (!from || !to) return std::nullopt;
    const Rational step = (to->value - from->value) / Rational(*number - 1);
    return RangeQuantity{from->kind, step, to->whole && step.is_integer()};
  }

  Document::Array all(const RangeQuantity& from, const RangeQuantity& to, const RangeQuantity& step) {
    const Rational steps = from.value == to.value ? Rational(0) : (to.value - from.value) / step.value;
    const std::int64_t last = steps.numerator() / steps.denominator();
    if (last >= static_cast<std::int64_t>(most_)) {
      wrong("", table_, fmt::format("has more than {} values", most_), "use a larger step");
      return {};
    }
    Document::Array values;
    RangeQuantity value{from.kind, from.value, from.whole && step.whole};
    for (std::int64_t i = 0; i <= last; ++i) {
      value.value = from.value + Rational(i) * step.value;
      auto text = written(value, table_.where);
      if (!text) {
        wrong("", table_, "has values that are not whole numbers of bytes", "");
        return {};
      }
      values.push_back(std::move(*text));
    }
    return values;
  }

  void wrong(std::string_view name, const Document& node, std::string message, std::string hint) {
    const std::string key = name.empty() ? key_ : fmt::format("{}.{}", key_, name);
    mistakes_.add({key, std::move(message), std::move(hint), node.where});
  }

  std::string key_;
  const Document& table_;
  std::size_t most_;
  Mistakes& mistakes_;
};

}  // namespace

bool is_range(const Document& value) {
  return std::ranges::any_of(kRangeKeys, [&](std::string_view name) {
    const Document* const member = value.member(name);
    return member != nullptr && member->get<Document::Table>() == nullptr;
  });
}

Document::Array range_values(const std::string& key, const Document& range, std::size_t most,
                             Mistakes& mistakes) try {
  return Range(key, range, most, mistakes).values();
} catch (const std::overflow_error&) {
  mistakes.add({"sweep." + key, fmt::format("{} cannot be computed exactly", to_text(range)),
                "use numbers with fewer digits, or a list", range.where});
  return {};
}

}  // namespace headway
