// SPDX-License-Identifier: Apache-2.0
// A checkable statement of a paper as data, and its judgement. Nothing here knows any paper: what
// is compared is an Expression, what is expected a range.
#pragma once

#include <optional>
#include <string>

#include "headway/experiment/expression.h"

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
  std::string known;         // why it cannot be met here, and what was tried; empty for claims that are met
  std::string reading = {};  // under which it is judged; empty if the paper has one reading only
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

enum class Verdict {
  holds,
  fails,
  known,     // does not hold, as declared
  recovered  // holds, although declared not to
};

struct Judgement {
  double measured;  // NaN if the curves do not reach
  Verdict verdict;
};
Judgement judge(const Claim& claim, const Expression::Lookup& curve_of);

// "0.12 (0.08 to 0.16)", "at most 0.1", "1 (0.97 to 1.03)" ...
std::string expectation(const Claim& claim);
std::string_view to_string(Verdict verdict);

}  // namespace headway
