// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/paper_report.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "headway/base/input_file.h"
#include "headway/io/atomic_file.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Example {
  Example() {
    FigureSpec figure;
    figure.id = "4a";
    figure.number = "Figure 4(a)";
    figure.title = "latency";
    paper.figures = {figure};
    paper.claims = {{"a", "4a", "section 4", "a | b", Expression("1"), 1.0, 0.9, 1.1, ""},
                    {"b", "4a", "section 5", "never", Expression("0 / 0"), {}, 2.0, {}, "tried everything"}};
    judged = {{&paper.claims[0], judge(paper.claims[0], estimate(std::vector{1.04, 1.05, 1.06}))},
              {&paper.claims[1], judge(paper.claims[1], {.value = std::nan("")})}};
  }
  Paper paper{{"Somebody, 2010", {}}, "obqa", "A title"};
  std::vector<JudgedClaim> judged;
};

TEST(PaperReport, ClaimsAsJson) {
  Example example;
  const auto json = nlohmann::json::parse(claims_json(example.paper, example.judged, true));
  EXPECT_EQ(json["quick"], true);
  EXPECT_EQ(json["claims"][0]["kind"], "statement");
  EXPECT_EQ(json["claims"][0]["measured"], 1.05);
  EXPECT_NEAR(json["claims"][0]["standard_error"], 0.0057735, 1e-6);
  EXPECT_NEAR(json["claims"][0]["half_width"], 0.024841, 1e-6);
  EXPECT_EQ(json["claims"][0]["seeds"], 3);
  EXPECT_EQ(json["claims"][0]["verdict"], "holds");
  EXPECT_EQ(json["claims"][0]["by_a_hair"], false);
  EXPECT_EQ(json["claims"][0]["unexpected"], false);
  EXPECT_TRUE(json["claims"][1]["measured"].is_null());
  EXPECT_EQ(json["claims"][1]["verdict"], "does not hold");
  EXPECT_EQ(json["claims"][1]["known"], "tried everything");
}

TEST(PaperReport, Tally) {
  Example example;
  EXPECT_EQ(tally(example.judged), "2 claims: 1 hold, 1 is known not to");
  example.judged[0].judgement = judge(example.paper.claims[0], estimate(std::vector{1.0, 1.2}));
  EXPECT_EQ(tally(example.judged), "2 claims: 0 hold, 1 is known not to, 1 cannot be told");
  example.paper.claims[0].undecidable = "no number";
  example.judged[0].judgement = judge(example.paper.claims[0], {});
  EXPECT_EQ(tally(example.judged), "2 claims: 0 hold, 1 is known not to, 1 is not judged");
}

// The distance counts printed numbers that are measured with an error; a bound that is met has none.
TEST(PaperReport, CountsWhatIsMetByKind) {
  Example example;
  EXPECT_EQ(met(example.judged, ""), "1 of 2 statements");
  example.paper.claims[0].kind = ClaimKind::number;
  example.paper.claims[1].kind = ClaimKind::inference;
  EXPECT_EQ(met(example.judged, ""), "1 of 1 printed numbers (mean distance 0.05), 0 of 1 inferences")
      << "ln(1.05 / 1)";
  EXPECT_EQ(met(example.judged, "another reading"), "nothing");
  example.paper.claims[0].at_most.reset();
  EXPECT_EQ(met(example.judged, ""), "1 of 1 printed numbers (mean distance 0.00), 0 of 1 inferences");
  example.judged[0].judgement = judge(example.paper.claims[0], {.value = 1});
  EXPECT_EQ(met(example.judged, ""), "1 of 1 printed numbers, 0 of 1 inferences") << "nothing is random";
  example.judged[0].judgement.verdict = Finding::not_judged;
  EXPECT_EQ(met(example.judged, ""), "0 of 1 inferences");
}

TEST(PaperReport, MarksInferences) {
  Example example;
  const fs::path folder = fs::path(testing::TempDir()) / ("kinds" + std::to_string(getpid()));
  fs::create_directories(folder);
  example.paper.claims[1].kind = ClaimKind::inference;
  write_report(folder / "page.md", example.paper, {{&example.paper.figures[0], {}, {}}}, example.judged, 0);
  const std::string text = read_text(folder / "page.md");
  EXPECT_THAT(text, HasSubstr("\n\nMet: 1 of 1 statements, 0 of 1 inferences.\n\n2 claims: "));
  EXPECT_THAT(text, HasSubstr("| never *(our inference)* *(known: tried everything)* |"));
  fs::remove_all(folder);
}

TEST(PaperReport, SaysTheErrorAndWhatAVerdictDependsOn) {
  Example example;
  const fs::path folder = fs::path(testing::TempDir()) / ("errors" + std::to_string(getpid()));
  fs::create_directories(folder);
  example.paper.claims[0].depends_on = "the up port";
  write_report(folder / "page.md", example.paper, {{&example.paper.figures[0], {}, {}}}, example.judged, 0);
  EXPECT_THAT(
      read_text(folder / "page.md"),
      HasSubstr(
          "| a \\| b *(depends on the up port)* | section 4 | 1 (0.9 to 1.1) | 1.05 ± 0.025 | holds |"));
  fs::remove_all(folder);
}

TEST(PaperReport, SaysWhatTheRunsTook) {
  Example example;
  const fs::path folder = fs::path(testing::TempDir()) / ("took" + std::to_string(getpid()));
  fs::create_directories(folder);
  write_report(folder / "page.md", example.paper, {}, example.judged, 99.4);
  EXPECT_THAT(read_text(folder / "page.md"), HasSubstr(", 99 s of processor time.\n"));
  write_report(folder / "page.md", example.paper, {}, example.judged, 2500);
  EXPECT_THAT(read_text(folder / "page.md"), HasSubstr(", 42 min of processor time.\n"));
  fs::remove_all(folder);
}

TEST(PaperReport, SaysWhatCannotHoldTogether) {
  Example example;
  const fs::path folder = fs::path(testing::TempDir()) / ("together" + std::to_string(getpid()));
  fs::create_directories(folder);
  write_report(folder / "page.md", example.paper, {}, example.judged, 0);
  EXPECT_THAT(read_text(folder / "page.md"), Not(HasSubstr("together")));
  example.paper.contradictions = {"one FIFO against Figure 4", "a | b"};
  write_report(folder / "page.md", example.paper, {}, example.judged, 0);
  EXPECT_THAT(read_text(folder / "page.md"),
              HasSubstr("\n\nWhat the paper says and cannot hold together:\n\n1. one FIFO against Figure 4\n"
                        "2. a \\| b\n"));
  fs::remove_all(folder);
}

TEST(PaperReport, ReplacesItsSectionAndKeepsTheOthers) {
  Example example;
  const fs::path folder = fs::path(testing::TempDir()) / ("report" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path page = folder / "reproduction.md";
  write_file(folder / "figure.svg", "<svg/>");
  const std::vector<MadeFigure> figures = {
      {&example.paper.figures[0], {}, {.picture = folder / "figure.svg"}}};

  write_report(page, example.paper, figures, example.judged, 0);
  Paper other = example.paper;
  other.key = "dbbm";
  write_report(page, other, {}, {}, 0);
  example.judged[0].judgement = judge(example.paper.claims[0], {.value = 0.5});
  write_report(page, example.paper, figures, example.judged, 0);

  const std::string text = read_text(page);
  EXPECT_THAT(text, HasSubstr("| a \\| b | section 4 | 1 (0.9 to 1.1) | 0.5 | does not hold |"));
  EXPECT_THAT(text, Not(HasSubstr("1.05")));
  EXPECT_THAT(text, HasSubstr("never *(known: tried everything)*"));
  EXPECT_THAT(text, HasSubstr("<!-- begin dbbm -->"));
  EXPECT_THAT(text, HasSubstr("![Figure 4(a)](figures/obqa-4a.svg)"));
  EXPECT_EQ(read_text(folder / "figures" / "obqa-4a.svg"), "<svg/>");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace headway
