// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/paper_file.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "headway/io/atomic_file.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kPaper = R"toml(title = "A title"
citation = "Somebody, 2010"
[[figure]]
id = "4a"
number = "Figure 4(a)"
title = "latency"
spec = "figure-4a.toml"
x = { column = "traffic.flow.load", label = "Load", from = 0, to = 1 }
y = { column = "latency_mean_ns", label = "Latency (us)", unit = "us" }
shade = [{ from = 0.25, to = 0.5, label = "here" }]
quick = { "measure.duration" = "5 us", seeds = 1 }
curve = [
  { name = "1q", label = "1Q", where = { "switch.scheme" = "1q" } },
  { name = "obqa-4", label = "OBQA", where = { "switch.scheme" = "obqa", "switch.queues" = 4 } },
]
)toml";

constexpr std::string_view kClaims = R"toml([[claim]]
id = "gain"
figure = "4a"
where = "section 4"
says = "much better"
measure = "saturation('obqa-4') / saturation('4a/1q')"
expected = 1.5
tolerance = 0.25
)toml";

class PaperFile : public testing::Test {
 protected:
  PaperFile() { fs::create_directories(folder_); }
  ~PaperFile() override { fs::remove_all(root_); }

  Paper read(std::string_view paper, std::string_view claims) {
    write_file(folder_ / "paper.toml", paper);
    write_file(folder_ / "claims.toml", claims);
    return read_paper(folder_);
  }
  // One line per mistake, without the folder.
  std::vector<std::string> mistakes(std::string_view paper, std::string_view claims) {
    std::vector<std::string> lines;
    try {
      read(paper, claims);
    } catch (const SpecError& error) {
      for (Mistake mistake : error.mistakes()) {
        mistake.where = fs::path(mistake.where).filename().string();
        lines.emplace_back(SpecError({mistake}).what());
      }
    }
    return lines;
  }

  fs::path root_ = fs::path(testing::TempDir()) / ("paper" + std::to_string(getpid()));
  fs::path folder_ = root_ / "some-paper";
};

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result(text);
  result.replace(result.find(what), what.size(), with);
  return result;
}

TEST_F(PaperFile, IsReadWhole) {
  const Paper paper = read(kPaper, kClaims);
  EXPECT_EQ(paper.key, "some-paper");
  ASSERT_EQ(paper.figures.size(), 1U);
  const FigureSpec& figure = paper.figures[0];
  EXPECT_EQ(figure.spec, folder_ / "figure-4a.toml");
  EXPECT_TRUE(figure.simulated);
  EXPECT_EQ(figure.rows, Rows::points);
  EXPECT_EQ(figure.drawing, Drawing::lines);
  EXPECT_EQ(figure.y.shown(), "latency_mean_us");
  EXPECT_EQ(figure.x.to, 1);
  EXPECT_EQ(figure.shades[0].label, "here");
  EXPECT_EQ(figure.curves[1].where[1], (std::pair<std::string, std::string>("switch.queues", "4")));
  ASSERT_EQ(figure.quick.size(), 2U);
  EXPECT_EQ(figure.quick[0].key, "measure.duration");
  ASSERT_EQ(paper.claims.size(), 1U);
  EXPECT_EQ(paper.claims[0].at_least, 1.25);
  EXPECT_EQ(paper.claims[0].at_most, 1.75);
  EXPECT_EQ(paper.claims[0].kind, ClaimKind::statement);
}

TEST_F(PaperFile, AClaimMayBeANumberOrAnInference) {
  const std::string says = "says = \"much better\"";
  const auto with = [&](std::string_view kind) {
    return replaced(kClaims, says, says + "\nkind = \"" + std::string(kind) + '"');
  };
  EXPECT_EQ(read(kPaper, with("inference")).claims[0].kind, ClaimKind::inference);
  EXPECT_EQ(read(kPaper, with("number")).claims[0].kind, ClaimKind::number);
  EXPECT_THAT(mistakes(kPaper, with("guess")),
              ElementsAre(HasSubstr("there is no such kind; valid: number, statement, inference")));
}

TEST_F(PaperFile, CurvesMayChooseRowsAndBeExpressions) {
  const std::string paper = replaced(
      replaced(replaced(kPaper, "shade =",
                        "where = { \"network.k\" = 4 }\nrows = \"tree_series\"\ndraw = \"areas\"\nshade ="),
               "{ name = \"1q\", label = \"1Q\", where = { \"switch.scheme\" = \"1q\" } }",
               "{ name = \"1q\", label = \"1Q\", only = { to_node = 123 } },\n"
               "{ name = \"root\", label = \"Others\", each = [\"kind\", \"port\"], most = 3 },\n"
               "{ name = \"double\", label = \"Double\", measure = \"2 * at('1q', x)\" },\n"
               "{ name = \"lines\", label = \"Lines\", rows = \"series\", y = \"cfqs\", hidden = true }"),
      "where = { \"switch.scheme\" = \"obqa\", \"switch.queues\" = 4 }", "only = { port = 7 }");
  const FigureSpec figure = read(paper, kClaims).figures[0];
  EXPECT_EQ(figure.rows, Rows::tree_series);
  EXPECT_EQ(figure.drawing, Drawing::areas);
  EXPECT_EQ(figure.where[0], (std::pair<std::string, std::string>("network.k", "4")));
  EXPECT_EQ(figure.curves[0].only[0], (std::pair<std::string, std::string>("to_node", "123")));
  EXPECT_THAT(figure.curves[1].each, ElementsAre("kind", "port"));
  EXPECT_EQ(figure.curves[1].most, 3U);
  EXPECT_EQ(figure.curves[2].measure->text(), "2 * at('1q', x)");
  EXPECT_EQ(figure.curves[3].rows, Rows::series);
  EXPECT_TRUE(figure.curves[3].hidden);

  EXPECT_THAT(mistakes(replaced(paper, "2 * at('1q', x)", "at('root', x)"), kClaims),
              ElementsAre(HasSubstr("the curve 'double' cannot use 'root'")));
  EXPECT_THAT(mistakes(replaced(paper, "2 * at('1q', x)", "2 * x"), kClaims),
              ElementsAre(HasSubstr("'measure' must name a curve")));
  EXPECT_THAT(mistakes(replaced(paper, "rows = \"tree_series\"\n", ""), kClaims),
              testing::Contains(HasSubstr("'only' and 'each' are for rows of tree_series")));
  EXPECT_THAT(mistakes(replaced(paper, "most = 3", "most = 0"), kClaims),
              ElementsAre(HasSubstr("must be a whole number of curves")));
  EXPECT_THAT(mistakes(paper, replaced(kClaims, "saturation('4a/1q')", "mean('root', 0, 1)")),
              ElementsAre(HasSubstr("'root' is a curve for each of several; give it 'only'")));
}

TEST_F(PaperFile, AFigureMayAskForSaturationSearches) {
  const std::string paper =
      replaced(kPaper, "shade =", "saturation = { precision = 0.02, latency = \"5 us\" }\nshade =");
  const auto search = read(paper, kClaims).figures[0].saturation;
  ASSERT_TRUE(search);
  EXPECT_EQ(search->precision, 0.02);
  EXPECT_EQ(search->share, SaturationSearch{}.share);
  EXPECT_EQ(search->latency, Duration{5000});
  EXPECT_FALSE(read(kPaper, kClaims).figures[0].saturation);
  EXPECT_THAT(
      mistakes(replaced(replaced(paper, "0.02", "0"), "shade", "simulated = false\nshade"), kClaims),
      ElementsAre(HasSubstr("figure[0].saturation.precision: must be at least 1e-06 and below 1, not 0"),
                  HasSubstr("figure[0].saturation: needs runs, but this figure is not simulated")));
  EXPECT_THAT(mistakes(replaced(paper, "latency = \"5 us\"", "share = 2, times = 0.5"), kClaims),
              ElementsAre(HasSubstr("figure[0].saturation.share: must be above 0 and at most 1, not 2"),
                          HasSubstr("figure[0].saturation.times: must be at least 1, not 0.5")));
}

TEST_F(PaperFile, HasEveryFigureAndClaimOncePerReading) {
  const std::string readings =
      "[[reading]]\nname = \"a\"\nlabel = \"as it stands\"\n"
      "[[reading]]\nname = \"b\"\nlabel = \"otherwise\"\nset = { \"switch.queues\" = 2 }\n";
  const std::string paper_text = replaced(kPaper, "[[figure]]", readings + "[[figure]]");
  const Paper paper = read(paper_text, std::string(kClaims) + "known = { b = \"too few queues\" }\n");
  ASSERT_EQ(paper.figures.size(), 2U);
  EXPECT_EQ(paper.figures[0].id, "4a@a");
  EXPECT_EQ(paper.figures[1].id, "4a@b");
  EXPECT_TRUE(paper.figures[0].settings.empty());
  ASSERT_EQ(paper.figures[1].settings.size(), 1U);
  EXPECT_EQ(paper.figures[1].settings[0].key, "switch.queues");
  ASSERT_EQ(paper.claims.size(), 2U);
  EXPECT_EQ(paper.claims[0].known, "");
  EXPECT_EQ(paper.claims[1].known, "too few queues");
  EXPECT_EQ(paper.claims[1].figure, "4a@b");
  EXPECT_EQ(curve_name(paper.claims[1], "4a/1q").figure, "4a@b");
  EXPECT_THAT(mistakes(paper_text, std::string(kClaims) + "known = { c = \"no such reading\" }\n"),
              ElementsAre(HasSubstr("claim[0].known.c: unknown key")));
}

TEST_F(PaperFile, AClaimMayBeUndecidableOrNotForQuickRuns) {
  const std::string undecided = replaced(
      replaced(kClaims, "expected = 1.5\ntolerance = 0.25\n", "undecidable = \"the trace is lost\"\n"),
      "measure = \"saturation('obqa-4') / saturation('4a/1q')\"\n", "");
  EXPECT_EQ(read(kPaper, undecided).claims[0].undecidable, "the trace is lost");
  const Claim claim =
      read(kPaper, std::string(kClaims) + "not_quick = \"too short\"\ndepends_on = \"the arbiter\"\n")
          .claims[0];
  EXPECT_EQ(claim.not_quick, "too short");
  EXPECT_EQ(claim.depends_on, "the arbiter");

  const std::string readings =
      "[[reading]]\nname = \"a\"\nlabel = \"as it stands\"\n"
      "[[reading]]\nname = \"b\"\nlabel = \"otherwise\"\n";
  const Paper paper = read(replaced(kPaper, "[[figure]]", readings + "[[figure]]"),
                           std::string(kClaims) + "undecidable = { b = \"all are the same\" }\n");
  EXPECT_EQ(paper.claims[0].undecidable, "");
  EXPECT_EQ(paper.claims[1].undecidable, "all are the same");
}

TEST_F(PaperFile, SaysWhereEveryMistakeIs) {
  const std::string paper = replaced(
      replaced(replaced(replaced(kPaper, "title = \"A", "titel = \"A"), "unit = \"us\"", "unit = \"h\""),
               "measure.duration\" = \"5 us\"", "network.n\" = 2"),
      "label = \"here\"", "label = 3");
  EXPECT_THAT(mistakes(paper, kClaims),
              ElementsAre("paper.toml:1:1: title: is missing",
                          "paper.toml:9:66: figure[0].y.unit: there is no such unit; valid: us, ms",
                          "paper.toml:10:43: figure[0].shade[0].label: must be text in quotes",
                          HasSubstr("figure[0].quick: network.n is not a time; a quick run can only change"),
                          "paper.toml:1:1: titel: unknown key; did you mean \"title\"?"));
}

TEST_F(PaperFile, ClaimsMustNameWhatExists) {
  const auto of_claim = [&](std::string_view what, std::string_view with) {
    return mistakes(kPaper, replaced(kClaims, what, with));
  };
  EXPECT_THAT(of_claim("figure = \"4a\"", "figure = \"4b\""),
              ElementsAre("claims.toml:3:10: claim[0].figure: there is no figure '4b'; did you mean '4a'?"));
  EXPECT_THAT(of_claim("'obqa-4'", "'obqa-8'"),
              ElementsAre("claims.toml:6:11: claim[0].measure: there is no curve in figure 4a 'obqa-8'; did "
                          "you mean 'obqa-4'?"));
  EXPECT_THAT(of_claim("'4a/1q'", "'7/1q'"), ElementsAre(HasSubstr("there is no figure '7'")));
  EXPECT_THAT(of_claim("saturation('obqa-4')", "saturatoin('obqa-4')"),
              ElementsAre(HasSubstr("claims.toml:6:12: claim[0].measure: unknown function 'saturatoin'")));
  EXPECT_THAT(of_claim("tolerance = 0.25", ""), ElementsAre(HasSubstr("has no expected value")));
}

// The list of valid names shows a rejected name with escapes, so that it cannot forge a line of output.
TEST_F(PaperFile, NamesInAdviceAreVisible) {
  EXPECT_THAT(mistakes(replaced(kPaper, "\"obqa-4\"", "\"a\\n\\tb\""), kClaims),
              Contains(HasSubstr("there is no curve in figure 4a 'obqa-4'; valid: 1q, a\\x0a\\x09b")));
}

TEST_F(PaperFile, NamesMustBeUnique) {
  EXPECT_THAT(mistakes(replaced(kPaper, "\"obqa-4\"", "\"1q\""), std::string(kClaims) + std::string(kClaims)),
              testing::IsSupersetOf({HasSubstr("figure.curve.name: the name '1q' is used twice"),
                                     HasSubstr("claim.id: the name 'gain' is used twice")}));
}

// Names become file names.
TEST_F(PaperFile, NamesArePlainWords) {
  EXPECT_THAT(
      mistakes(replaced(kPaper, "\"4a\"", "\"../../esc\""), replaced(kClaims, "\"4a\"", "\"../../esc\"")),
      testing::Contains(
          "paper.toml:4:6: figure[0].id: \"../../esc\" is not a plain word; at most 64 letters, "
          "digits and . _ + -, the first a letter or a digit"));
  for (const std::string& name :
       std::vector<std::string>{"..", ".hidden", "a/b", "/etc/x", "", "a b", "x\\u0000y", "-rf", "a@b",
                                "a\\nb", "µ", std::string(65, 'x')}) {
    const auto quoted = "\"" + name + "\"";
    EXPECT_THAT(mistakes(replaced(kPaper, "\"4a\"", quoted), kClaims),
                testing::Contains(HasSubstr("figure[0].id")))
        << name;
    EXPECT_THAT(mistakes(replaced(kPaper, "\"1q\", label", quoted + ", label"), kClaims),
                testing::Contains(HasSubstr("figure[0].curve[0].name")))
        << name;
    EXPECT_THAT(mistakes(kPaper, replaced(kClaims, "\"gain\"", quoted)),
                testing::Contains(HasSubstr("claim[0].id")))
        << name;
    EXPECT_THAT(
        mistakes(std::string(kPaper) + "[[reading]]\nname = " + quoted + "\nlabel = \"x\"\n", kClaims),
        testing::Contains(HasSubstr("reading[0].name")))
        << name;
  }
  EXPECT_THAT(
      mistakes(replaced(kPaper, "\"4a\"", "\"4.a_b+c-D\""), replaced(kClaims, "\"4a\"", "\"4.a_b+c-D\"")),
      Not(testing::Contains(HasSubstr("figure[0].id"))));
}

TEST_F(PaperFile, TheFoldersNameIsAPlainWord) {
  folder_ = root_ / "some\npaper";
  fs::create_directories(folder_);
  EXPECT_THAT(mistakes(kPaper, kClaims), ElementsAre(HasSubstr("the name of its directory")));
}

TEST_F(PaperFile, TextIsOnePrintableLine) {
  for (const std::string text : {"a\\nsystem('x')", "\\u001b[2J", "\\u009b", "\\u202e", "\\r"}) {
    const std::string quoted = "\"" + text + "\"";
    EXPECT_THAT(mistakes(replaced(kPaper, "\"Somebody, 2010\"", quoted), kClaims),
                ElementsAre(HasSubstr("citation: \"")));
    EXPECT_THAT(mistakes(replaced(kPaper, "\"OBQA\"", quoted), kClaims),
                ElementsAre(HasSubstr("has characters that cannot be printed")));
    EXPECT_THAT(mistakes(kPaper, replaced(kClaims, "\"much better\"", quoted)),
                ElementsAre(HasSubstr("claim[0].says")));
  }
  EXPECT_THAT(mistakes(replaced(kPaper, "from = 0,", "from = nan,"), kClaims),
              ElementsAre(HasSubstr("must be a number")));
}

}  // namespace
}  // namespace headway
