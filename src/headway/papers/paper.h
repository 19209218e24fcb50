// SPDX-License-Identifier: Apache-2.0
// A paper as an experiment: its figures, each with a spec, and its claims. papers/KEY/paper.toml and
// claims.toml define them (papers/paper_file.h).
#pragma once

#include <string>
#include <vector>

#include "headway/papers/claim.h"
#include "headway/pictures/figure_spec.h"

namespace headway {

// An interpretation of what the paper leaves open. A paper with readings has every figure and every claim
// once per reading, named "6@reading".
struct PaperReading {
  std::string name;
  std::string label;
  std::vector<Override> settings;  // applied to every spec
};

struct Paper : FigureSet {
  std::string key;
  std::string title;
  std::vector<Claim> claims = {};
  std::vector<PaperReading> readings = {};       // empty: the paper has one reading
  std::vector<std::string> contradictions = {};  // statements that no reading can meet together, and why
};

}  // namespace headway
