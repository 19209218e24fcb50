// SPDX-License-Identifier: Apache-2.0
// A checkable claim of a paper as data, and its verdict. The code is independent of the paper: the measured
// value is an Expression, the expected value a range.
//
// A claim is measured once per seed, over the curves of that seed alone. All schemes of a seed have the same
// traffic, so a ratio or a difference of two schemes has a smaller error than either. The mean over the seeds
// is judged by its 95 % confidence interval (base/statistics.h): a claim holds if the interval lies within
// the range, and does not hold if it lies outside. If a bound lies within the interval, the claim is
// undecided. A random value from a single seed is also undecided, because its error is unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/config/names.h"
#include "headway/pictures/expression.h"

namespace headway {

// Where a claim comes from: a number that the paper prints, a statement that it makes in words, or our
// inference from what it says, which it does not say itself.
enum class ClaimKind { number, statement, inference };
constexpr auto names_in_specs(ClaimKind) { return name_list("number", "statement", "inference"); }

struct Claim {
  std::string id;
  std::string figure;  // figure whose curves an expression uses unless it names another figure
  std::string where;   // place in the paper: "section 4.2"
  std::string says;    // the statement, quoted or shortened
  Expression measure;
  std::optional<double> expected;  // the paper's number, if it gives one
  std::optional<double> at_least;  // bounds within which the claim holds; one of them can be missing
  std::optional<double> at_most;
  std::string known;  // why the claim does not hold here, and what was tried; empty for claims that hold
  std::string undecidable = {};  // why no measurement here can decide it; the claim is listed but not judged
  std::string not_quick = {};    // why a quick run cannot decide it; empty: a quick run is judged, too
  std::string depends_on = {};   // the choice on which the verdict depends; printed with it
  std::string reading = {};      // reading under which it is judged; empty if the paper has only one reading
  ClaimKind kind = ClaimKind::statement;
};

// A curve as named in an expression, 'curve' or 'figure/curve', with its figure.
struct CurveName {
  std::string figure;
  std::string_view curve;
};
CurveName curve_name(const Claim& claim, std::string_view name);

// The name of a figure or claim with a reading, "6@input", and without it.
std::string name_under(const std::string& name, const std::string& reading);
std::string_view name_without_reading(std::string_view name);

// The curves of one figure for each seed.
struct FigureCurves {
  std::string figure;                       // its id
  std::vector<std::vector<Curve>> of_seed;  // [seed]
  bool random = true;                       // if false, the curves are the same for all seeds
};

// A mean over seeds.
struct Estimate {
  double value = 0;           // NaN if some seed has none
  double standard_error = 0;  // NaN if it is unknown
  double half_width = 0;      // of the 95 % interval; infinite if it is unknown
  std::size_t seeds = 0;      // 0: nothing in it is random
};
Estimate estimate(std::span<const double> of_seeds);

// Evaluates the claim's expression for each seed, over as many seeds as all its figures have; nullopt if one
// of its figures is not among these.
std::optional<Estimate> measure(const Claim& claim, std::span<const FigureCurves> figures);

enum class Finding { holds, fails, cannot_tell, not_judged };
constexpr auto names_in_specs(Finding) {
  return name_list("holds", "does not hold", "cannot tell", "not judged");
}

struct Judgement {
  Estimate measured;
  Finding verdict;
  bool by_a_hair = false;   // holds, but a bound is nearer than 1.5 half widths
  bool unexpected = false;  // fails but is not declared as known to fail, or holds although it is declared so
};
Judgement judge(const Claim& claim, const Estimate& measured, bool quick = false);

// "0.12 (0.08 to 0.16)", "at most 0.1", "1 (0.97 to 1.03)" ..., "–" for nothing
std::string expectation(const Claim& claim);
// "0.1234 ± 0.0012", "512" where nothing is random, "0.1234 (one seed: error unknown)", "–" for nothing
std::string to_string(const Estimate& measured);
// The verdict with additional remarks.
std::string describe(const Claim& claim, const Judgement& judgement);
// A remark on the verdict: why it is known, undecidable or not judged, and on which choice it depends.
std::string remark(const Claim& claim, const Judgement& judgement);

}  // namespace headway
