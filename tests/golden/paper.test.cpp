// SPDX-License-Identifier: Apache-2.0
// A paper from its files to its figure and verdicts, as in `headway paper`. A small paper is compared to the
// last digit. The files of all other papers are only read.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/papers/paper_file.h"
#include "headway/papers/reproduce.h"
#include "headway/pictures/figure.h"
#include "headway/run/run.h"
#include "test_paths.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

TEST(GoldenPaper, ASmallFigureIsTheSameToTheLastDigit) {
  const fs::path folder = fs::path(kSourceDir) / "tests" / "golden" / "hot_spot";
  const Paper paper = read_paper(folder);
  const FigureSpec& figure = paper.figures.at(0);
  const Experiment experiment = load_experiment(read_toml(figure.spec));
  Mistakes mistakes;
  const auto points_of = points_of_curves(figure, experiment.points, mistakes);
  ASSERT_TRUE(mistakes.empty());
  const auto curves_of_seed = [&](std::uint64_t seed) {
    std::vector<Result> results;
    for (const Point& point : experiment.points) {
      EventSpec spec = std::get<EventSpec>(point.spec());
      spec.seed += seed;
      results.push_back(run(spec));
    }
    return make_curves(figure, experiment.points, points_of, results);
  };
  const std::vector<Curve> curves = curves_of_seed(0);

  // an intended change of the model raises kModelVersion and replaces the file by the values shown here
  EXPECT_EQ(figure_data(figure, curves), read_text(folder / "data.csv"));
  const std::vector<FigureCurves> seeds = {{figure.id, {curves, curves_of_seed(1), curves_of_seed(2)}}};
  const auto verdict = [&](const Claim& claim) {
    return judge(claim, measure(claim, seeds).value()).verdict;
  };
  EXPECT_EQ(verdict(paper.claims.at(0)), Finding::holds);
  EXPECT_EQ(verdict(paper.claims.at(1)), Finding::fails);
}

// The papers of a folder, with their figures.
std::vector<Paper> papers_in(const char* folder) {
  std::vector<Paper> papers;
  for (const fs::path& paper : paper_folders(fs::path(kSourceDir) / folder))
    papers.push_back(read_paper(paper));
  EXPECT_FALSE(papers.empty()) << folder;
  return papers;
}

bool is_claimed(const Paper& paper, const FigureSpec& figure) {
  return std::ranges::any_of(paper.claims, [&](const Claim& claim) { return claim.figure == figure.id; });
}

// The settings of a figure, in full and in a hurry.
std::vector<std::vector<Override>> settings_of(const FigureSpec& figure) {
  std::vector<Override> quick = figure.settings;
  quick.insert(quick.end(), figure.quick.begin(), figure.quick.end());
  return {figure.settings, quick};
}

TEST(GoldenPaper, EveryPaperAndStudyIsReadyToRunInFullAndInAHurry) {
  for (const char* folder : {"papers", "studies"})
    for (const Paper& paper : papers_in(folder))
      for (const FigureSpec& figure : paper.figures)
        for (const auto& overrides : settings_of(figure)) {
          std::vector<Point> points = experiment_of(figure, overrides).points;
          std::erase_if(points, [&](const Point& point) { return !matches(figure.where, point); });
          Mistakes mistakes;
          points_of_curves(figure, points, mistakes);
          EXPECT_NO_THROW(mistakes.throw_if_any()) << paper.key << ' ' << figure.id;
        }
}

TEST(GoldenPaper, SomethingIsClaimedAboutEveryFigureOfAPaper) {
  for (const Paper& paper : papers_in("papers"))
    for (const FigureSpec& figure : paper.figures)
      EXPECT_TRUE(is_claimed(paper, figure)) << paper.key << ' ' << figure.id;
}

// Table 1 of the FBICM paper: while there is a hot spot, all nodes generate at full rate, even the nodes with
// the least throughput. Otherwise a curve would show the sources instead of the switches.
TEST(GoldenPaper, TheHotSpotOfFbicmStopsNoSource) {
  const fs::path spec_file = fs::path(kSourceDir) / "papers" / "fbicm" / "figure-6a.toml";
  for (const Point& point : load_experiment(read_toml(spec_file)).points) {
    EventSpec spec = std::get<EventSpec>(point.spec());
    if (spec.switches.scheme.name != "voqsw") continue;
    spec.measure.duration = Duration{1'300'000};
    const Result result = run(spec);
    const std::vector<double> end = test::column(result.table("series"), "time_ns"),
                              offered = test::column(result.table("series"), "offered_efficiency");
    for (std::size_t bin = 0; bin < end.size(); ++bin)
      if (end[bin] > 1'020'000) EXPECT_GT(offered[bin], 0.95) << end[bin];
    return;
  }
  FAIL() << "no VOQsw in the figure";
}

// The error is unknown with a single seed, and every verdict would be "cannot tell".
TEST(GoldenPaper, EveryClaimIsAboutSeveralSeeds) {
  for (const char* folder : {"papers", "studies"})
    for (const Paper& paper : papers_in(folder))
      for (const FigureSpec& figure : paper.figures)
        if (figure.simulated && is_claimed(paper, figure))
          for (const auto& settings : settings_of(figure))
            EXPECT_GE(load_experiment(read_toml(figure.spec), settings).seeds, 2)
                << paper.key << ' ' << figure.id;
}

TEST(GoldenPaper, TheReproductionPageHasEveryClaimAndPicture) {
  const fs::path docs = fs::path(kSourceDir) / "docs";
  const std::string page = read_text(docs / "reproduction.md");
  for (const Paper& paper : papers_in("papers")) {
    for (const Claim& claim : paper.claims) {
      const std::string row = "| " + claim.says;
      EXPECT_NE(page.find(row), std::string::npos)
          << claim.id << ": run headway paper " << paper.key << " --report docs/reproduction.md";
    }
    for (const FigureSpec& figure : paper.figures)
      EXPECT_EQ(fs::exists(docs / "figures" / (paper.key + "-" + figure.id + ".svg")),
                figure.drawing != Drawing::table &&
                    (paper.readings.empty() || figure.reading == paper.readings.front().name))
          << figure.id;
  }
}

}  // namespace
}  // namespace headway
