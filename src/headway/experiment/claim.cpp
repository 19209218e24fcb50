// SPDX-License-Identifier: Apache-2.0
// Judging a claim: the measured number against its range.
#include "headway/experiment/claim.h"

#include <fmt/format.h>

namespace headway {

CurveName curve_name(const Claim& claim, std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {claim.figure, name};
  return {name_under(std::string(name.substr(0, slash)), claim.reading), name.substr(slash + 1)};
}

std::string name_under(const std::string& name, const std::string& reading) {
  return reading.empty() ? name : name + "@" + reading;
}

std::string_view name_without_reading(std::string_view name) { return name.substr(0, name.find('@')); }

Judgement judge(const Claim& claim, const Expression::Lookup& curve_of) {
  const double measured = claim.measure.evaluate(curve_of);
  // written so that NaN is outside of every range
  const bool low_enough = !claim.at_most || measured <= *claim.at_most;
  const bool high_enough = !claim.at_least || measured >= *claim.at_least;
  const bool holds = low_enough && high_enough;
  if (claim.known.empty()) return {measured, holds ? Verdict::holds : Verdict::fails};
  return {measured, holds ? Verdict::recovered : Verdict::known};
}

std::string expectation(const Claim& claim) {
  std::string range;
  if (claim.at_least && claim.at_most && *claim.at_least == *claim.at_most)
    return fmt::format("{:g}", *claim.at_least);
  if (claim.at_least && claim.at_most)
    range = fmt::format("{:g} to {:g}", *claim.at_least, *claim.at_most);
  else if (claim.at_least)
    range = fmt::format("at least {:g}", *claim.at_least);
  else
    range = fmt::format("at most {:g}", *claim.at_most);
  return claim.expected ? fmt::format("{:g} ({})", *claim.expected, range) : range;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "does not hold";
    case Verdict::known:
      return "does not hold (known)";
    case Verdict::recovered:
      return "holds (declared not to)";
  }
  return "";
}

}  // namespace headway
