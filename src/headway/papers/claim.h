// SPDX-License-Identifier: Apache-2.0
// A checkable statement of a paper as data, and its judgement. Nothing here knows any paper: what is compared
// is an Expression, what is expected a range.
//
// A claim is measured once per seed, over the curves of that seed alone. All schemes of a seed meet the same
// traffic, so a ratio or a difference of two of them has a smaller error than either. The mean over the seeds
// is judged by its 95 % interval (student_t.h): a claim holds if the interval lies within the range, does not
// hold if it lies outside, and where a bound lies within the interval nobody can tell. From one seed of
// something random nothing can be told, because its error is unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/papers/expression.h"

namespace headway {

struct Claim {
  std::string id;
  std::string figure;  // whose curves are meant where an expression names no other
  std::string where;   // in the paper: "section 4.2"
  std::string says;    // the statement, quoted or in short
  Expression measure;
  std::optional<double> expected;  // the paper's number, where it gives one
  std::optional<double> at_least;  // it holds within these; one of them may be missing
  std::optional<double> at_most;
  std::string known;  // why it cannot be met here, and what was tried; empty for claims that are met
  std::string undecidable = {};  // why nothing that can be measured here decides it; it is listed, not judged
  std::string not_quick = {};    // why a quick run says nothing about it; empty: that is judged, too
  std::string depends_on = {};   // the choice that the verdict hangs on; said with it
  std::string reading = {};      // under which it is judged; empty if the paper has one reading only
};

// A curve as an expression names it, 'curve' or 'figure/curve', with the figure it belongs to.
struct CurveName {
  std::string figure;
  std::string_view curve;
};
CurveName curve_name(const Claim& claim, std::string_view name);

// The name of a figure or claim under a reading, "6@input", and without it.
std::string name_under(const std::string& name, const std::string& reading);
std::string_view name_without_reading(std::string_view name);

// The curves of one figure, seed by seed.
struct FigureCurves {
  std::string figure;                       // its id
  std::vector<std::vector<Curve>> of_seed;  // [seed]
  bool random = true;                       // otherwise the first seed's are those of every seed
};

// A mean over seeds.
struct Estimate {
  double value = 0;           // NaN if some seed has none
  double standard_error = 0;  // NaN if it is unknown
  double half_width = 0;      // of the 95 % interval; infinite if it is unknown
  std::size_t seeds = 0;      // 0: nothing in it is random
};
Estimate estimate(std::span<const double> of_seeds);

// The claim's expression seed by seed, over as many seeds as all its figures have; nothing if one of its
// figures is not among these.
std::optional<Estimate> measure(const Claim& claim, std::span<const FigureCurves> figures);

enum class Verdict { holds, fails, cannot_tell, not_judged };

struct Judgement {
  Estimate measured;
  Verdict verdict;
  bool by_a_hair = false;   // holds, but a bound is nearer than 1.5 half widths
  bool unexpected = false;  // fails and is not known to, or holds although declared not to
};
Judgement judge(const Claim& claim, const Estimate& measured, bool quick = false);

// "0.12 (0.08 to 0.16)", "at most 0.1", "1 (0.97 to 1.03)" ..., "–" for nothing
std::string expectation(const Claim& claim);
// "0.1234 ± 0.0012", "512" where nothing is random, "0.1234 (one seed: error unknown)", "–" for nothing
std::string to_string(const Estimate& measured);
// The verdict in the words of claims.json, and with what makes it special.
std::string_view to_string(Verdict verdict);
std::string describe(const Claim& claim, const Judgement& judgement);
// What is to be said beside the verdict: why it is known, undecidable or not judged, and what it hangs on.
std::string remark(const Claim& claim, const Judgement& judgement);

}  // namespace headway
