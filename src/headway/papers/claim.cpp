// SPDX-License-Identifier: Apache-2.0
// Judges a claim by comparing the confidence interval of the measured value with the claim's range.
#include "headway/papers/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "headway/base/statistics.h"

namespace headway {
namespace {

// If a bound is nearer than this number of half widths, the claim holds at 95 %, but hardly at 99 %.
constexpr double kHair = 1.5;

// Distance from the value to the nearest bound of the claim.
double distance_to_bound(const Claim& claim, double value) {
  double distance = std::numeric_limits<double>::infinity();
  for (const auto& bound : {claim.at_least, claim.at_most})
    if (bound) distance = std::min(distance, std::abs(value - *bound));
  return distance;
}

}  // namespace

CurveName curve_name(const Claim& claim, std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {claim.figure, name};
  return {name_under(std::string(name.substr(0, slash)), claim.reading), name.substr(slash + 1)};
}

std::string name_under(const std::string& name, const std::string& reading) {
  return reading.empty() ? name : name + "@" + reading;
}

std::string_view name_without_reading(std::string_view name) { return name.substr(0, name.find('@')); }

Estimate estimate(std::span<const double> of_seeds) {
  if (of_seeds.size() == 1)
    return {of_seeds.front(), std::nan(""), std::numeric_limits<double>::infinity(), 1};
  const double error = standard_error_of(of_seeds);
  return {mean_of(of_seeds), error, student_t(of_seeds.size() - 1) * error, of_seeds.size()};
}

std::optional<Estimate> measure(const Claim& claim, std::span<const FigureCurves> figures) {
  const auto find = [&](std::string_view name) {
    const auto found = std::ranges::find(figures, name, &FigureCurves::figure);
    return found == figures.end() ? nullptr : &*found;
  };
  if (find(claim.figure) == nullptr) return std::nullopt;
  std::size_t seeds = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : claim.measure.curves()) {
    const FigureCurves* figure = find(curve_name(claim, name).figure);
    if (figure == nullptr) return std::nullopt;
    if (figure->random) seeds = std::min(seeds, figure->of_seed.size());
  }
  if (!claim.undecidable.empty() && claim.measure.curves().empty()) return Estimate{.value = std::nan("")};
  const auto of_seed = [&](std::size_t seed) {
    return claim.measure.evaluate([&](std::string_view name) -> const Curve& {
      const CurveName wanted = curve_name(claim, name);
      const FigureCurves& figure = *find(wanted.figure);
      return *std::ranges::find(figure.of_seed[figure.random ? seed : 0], wanted.curve, &Curve::name);
    });
  };
  if (seeds == std::numeric_limits<std::size_t>::max()) return Estimate{.value = of_seed(0)};
  std::vector<double> values;
  for (std::size_t seed = 0; seed < seeds; ++seed) values.push_back(of_seed(seed));
  return estimate(values);
}

Judgement judge(const Claim& claim, const Estimate& measured, bool quick) {
  Judgement judgement{measured, Finding::not_judged};
  if (!claim.undecidable.empty() || (quick && !claim.not_quick.empty())) return judgement;
  const double low = measured.value - measured.half_width, high = measured.value + measured.half_width;
  const bool within =
      (!claim.at_least || low >= *claim.at_least) && (!claim.at_most || high <= *claim.at_most);
  const bool outside = (claim.at_least && high < *claim.at_least) || (claim.at_most && low > *claim.at_most);
  // a claim without a measured number does not hold
  if (std::isnan(measured.value) || outside)
    judgement.verdict = Finding::fails;
  else
    judgement.verdict = within ? Finding::holds : Finding::cannot_tell;
  judgement.by_a_hair = judgement.verdict == Finding::holds &&
                        distance_to_bound(claim, measured.value) < kHair * measured.half_width;
  judgement.unexpected = judgement.verdict == (claim.known.empty() ? Finding::fails : Finding::holds);
  return judgement;
}

std::string expectation(const Claim& claim) {
  std::string range;
  if (claim.at_least && claim.at_most && *claim.at_least == *claim.at_most)
    return fmt::format("{:g}", *claim.at_least);
  if (claim.at_least && claim.at_most)
    range = fmt::format("{:g} to {:g}", *claim.at_least, *claim.at_most);
  else if (claim.at_least)
    range = fmt::format("at least {:g}", *claim.at_least);
  else if (claim.at_most)
    range = fmt::format("at most {:g}", *claim.at_most);
  if (range.empty()) return claim.expected ? fmt::format("{:g}", *claim.expected) : "–";
  return claim.expected ? fmt::format("{:g} ({})", *claim.expected, range) : range;
}

std::string to_string(const Estimate& measured) {
  if (std::isnan(measured.value)) return "–";
  std::string value = fmt::format("{:.5g}", measured.value);
  if (measured.seeds == 0) return value;
  if (measured.seeds == 1) return value + " (one seed: error unknown)";
  return fmt::format("{} ± {:.2g}", value, measured.half_width);
}

std::string describe(const Claim& claim, const Judgement& judgement) {
  std::string text(name_of(judgement.verdict));
  if (judgement.by_a_hair) text += " by a hair";
  if (judgement.verdict == Finding::holds && !claim.known.empty()) text += " (declared not to)";
  if (judgement.verdict == Finding::fails && !claim.known.empty()) text += " (known)";
  return text;
}

std::string remark(const Claim& claim, const Judgement& judgement) {
  if (!claim.undecidable.empty()) return "undecidable: " + claim.undecidable;
  if (judgement.verdict == Finding::not_judged) return "not in a quick run: " + claim.not_quick;
  std::string text;
  if (!claim.depends_on.empty()) text = "depends on " + claim.depends_on;
  if (!claim.known.empty()) text += fmt::format("{}known: {}", text.empty() ? "" : "; ", claim.known);
  return text;
}

}  // namespace headway
