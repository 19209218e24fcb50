// SPDX-License-Identifier: Apache-2.0
// The verdicts on a paper's claims, for programs (claims.json) and for readers (docs/reproduction.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "headway/papers/paper.h"
#include "headway/pictures/figure.h"

namespace headway {

struct JudgedClaim {
  const Claim* claim;
  Judgement judgement;
};

// A finished figure.
struct MadeFigure {
  const FigureSpec* spec;
  std::vector<Curve> curves;
  FigureFiles files;
};

std::string claims_json(const Paper& paper, const std::vector<JudgedClaim>& claims, bool quick);

// "48 claims: 41 hold, 1 does not, 2 are known not to, 3 cannot be told, 1 is not judged"
std::string tally(const std::vector<JudgedClaim>& claims);

// What the claims of a reading meet, of those that are judged: "7 of 11 printed numbers (mean distance
// 0.12), 20 of 24 statements, 2 of 3 inferences". The distance is the mean |ln(measured / printed)| of the
// printed numbers that are measured with an error; one that is only a bound and is met has the distance 0.
std::string met(const std::vector<JudgedClaim>& claims, std::string_view reading);

// Rewrites the paper's section of the page and keeps the rest. Appends the section if it is missing, and
// creates the page if necessary. Pictures are copied to figures/KEY-ID.svg beside the page. `cpu_s` is the
// processor time of all runs in seconds. Throws std::system_error.
void write_report(const std::filesystem::path& page, const Paper& paper,
                  const std::vector<MadeFigure>& figures, const std::vector<JudgedClaim>& claims,
                  double cpu_s);

}  // namespace headway
