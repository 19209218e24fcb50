// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/figure.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace headway {
namespace {

namespace fs = std::filesystem;

FigureSpec sweep_figure() {
  FigureSpec figure;
  figure.id = "4a";
  figure.number = "Figure 4(a)";
  figure.title = "Latency_of a \"tree\"";
  figure.x = {.column = "load", .label = "Offered load", .unit = "", .from = 0, .to = 1};
  figure.y = {.column = "latency_mean_ns", .label = "Latency (us)", .unit = "us", .from = {}, .to = {}};
  figure.curves = {{"1q", "One queue, 1Q", {}}, {"obqa-4", "OBQA", {}}};
  return figure;
}

std::vector<Curve> sweep_curves() {
  Curve one{
      "1q", "One queue, 1Q", "latency_mean_us", {{"load", {0.5, 1}}, {"latency_mean_us", {0.25, 12}}}, {},
      {}};
  one.status = {Status::ok, Status::saturated};
  Curve obqa{"obqa-4", "OBQA", "latency_mean_us", {{"load", {0.5, 1}}, {"latency_mean_us", {0.125, 0.5}}},
             {},       {}};
  obqa.status = {Status::ok, Status::ok};
  return {one, obqa};
}

class FigureFilesTest : public testing::Test {
 protected:
  FigureFilesTest() { fs::create_directories(directory_); }
  ~FigureFilesTest() override { fs::remove_all(directory_); }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(directory_ / name).rdbuf();
    return text.str();
  }
  fs::path directory_ = fs::path(testing::TempDir()) / ("figure" + std::to_string(getpid()));
  FigureSpec figure_ = sweep_figure();
  FigureSet set_{"Somebody, 2010", {figure_}};
};

TEST(FigureData, IsTidyCsvInTheUnitsOfTheAxes) {
  EXPECT_EQ(figure_data(sweep_figure(), sweep_curves()),
            "curve,load,latency_mean_us,status\n"
            "1q,0.5,0.25,ok\n"
            "1q,1,12,saturated\n"
            "obqa-4,0.5,0.125,ok\n"
            "obqa-4,1,0.5,ok\n");
}

TEST(FigureData, HasIntervalsWhereThereAreSeveralSeeds) {
  std::vector<Curve> curves = sweep_curves();
  curves[0].intervals = {{"latency_mean_us", {0.01, 3}}};
  curves[1].intervals = {{"latency_mean_us", {0.02, 0.25}}};
  const std::string data = figure_data(sweep_figure(), curves);
  EXPECT_NE(data.find("curve,load,latency_mean_us,interval_95,status\n"), std::string::npos);
  EXPECT_NE(data.find("obqa-4,1,0.5,0.25,ok\n"), std::string::npos);
}

// The areas of curves that are later in the legend are below.
TEST(FigureData, HasTheEdgesOfStackedAreas) {
  FigureSpec figure = sweep_figure();
  figure.drawing = Drawing::areas;
  EXPECT_EQ(figure_data(figure, sweep_curves()),
            "curve,load,latency_mean_us,stacked,status\n"
            "1q,0.5,0.25,0.375,ok\n"
            "1q,1,12,12.5,saturated\n"
            "obqa-4,0.5,0.125,0.125,ok\n"
            "obqa-4,1,0.5,0.5,ok\n");
}

TEST_F(FigureFilesTest, HiddenCurvesAreOnlyInTheData) {
  std::vector<Curve> curves = sweep_curves();
  curves[1].hidden = true;
  EXPECT_NE(figure_data(figure_, curves).find("obqa-4,1,"), std::string::npos);
  EXPECT_EQ(figure_script(set_, figure_, curves).find("obqa-4"), std::string::npos);
}

TEST_F(FigureFilesTest, MarkersHaveNoLine) {
  EXPECT_NE(figure_script(set_, figure_, sweep_curves()).find("with lines"), std::string::npos);
  figure_.drawing = Drawing::markers;
  EXPECT_EQ(figure_script(set_, figure_, sweep_curves()).find("with lines"), std::string::npos);
}

// The set does not name curves for values of a column; they get colours that no other curve of the figure
// has.
TEST_F(FigureFilesTest, CurvesThatTheSetDoesNotNameGetColoursOfTheirOwn) {
  std::vector<Curve> curves = sweep_curves();
  curves[0].name = "root-1";
  curves.push_back(curves[0]);
  curves.back().name = "root-2";
  curves.back().columns[1].values = {1, 2};
  const std::string script = figure_script(set_, figure_, curves);
  for (const char* colour : {"'#000000'", "'#E69F00'", "'#CC79A7'"})
    EXPECT_NE(script.find(colour), std::string::npos) << colour;
}

// 8 and 9 would overlap on this axis.
TEST_F(FigureFilesTest, NumbersOfAnAxisKeepApart) {
  std::vector<Curve> curves = sweep_curves();
  curves[0].columns[0].values = {1, 8};
  curves[1].columns[0].values = {9, 64};
  figure_.x = {.column = "load", .label = "Queues", .from = 1, .to = 100, .logarithmic = true};
  EXPECT_NE(figure_script(set_, figure_, curves).find("xtics (1, 8, 64)"), std::string::npos);
}

TEST(FigureTable, IsMarkdownWithGapsWhereNothingIsKnown) {
  FigureSpec figure = sweep_figure();
  figure.drawing = Drawing::table;
  figure.x = {};
  figure.columns = {"bytes", "area_mm2"};
  const Curve row{"obqa-4", "OBQA",      "", {{"", {0}}, {"bytes", {512}}, {"area_mm2", {std::nan("")}}},
                  {},       {Status::ok}};
  EXPECT_EQ(figure_table(figure, std::vector{row}),
            "| | bytes | area_mm2 |\n|---|---|---|\n| OBQA | 512 | |\n");
}

TEST_F(FigureFilesTest, CurvesLookTheSameInAllFiguresOfASet) {
  FigureSpec second = figure_;
  second.curves = {{"obqa-4", "OBQA", {}}};
  set_.figures.push_back(second);
  const std::vector<Curve> all = sweep_curves();
  const std::string colour_of_obqa = "'#E69F00'";
  EXPECT_NE(figure_script(set_, second, std::span(all).subspan(1)).find(colour_of_obqa), std::string::npos);
  EXPECT_NE(figure_script(set_, figure_, all).find(colour_of_obqa), std::string::npos);
}

TEST_F(FigureFilesTest, GnuplotDrawsEveryKind) {
  for (const Drawing drawing : {Drawing::lines, Drawing::areas, Drawing::markers, Drawing::bars}) {
    figure_.drawing = drawing;
    figure_.shades = {{0.6, 0.8, "hot spot"}};
    const FigureFiles files = write_figure(directory_, set_, figure_, sweep_curves());
    EXPECT_EQ(files.problem, "");
    const std::string svg = read("figure.svg");
    for (const char* text :
         {"Figure 4(a): Latency_of a \"tree\"", "Offered load", "Latency (us)", "One queue, 1Q", "hot spot"})
      EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_FALSE(fs::exists(directory_ / "gnuplot.log"));
    EXPECT_EQ(files.print, directory_ / "figure.pdf");
    EXPECT_TRUE(read("figure.pdf").starts_with("%PDF"));
  }
}

// 84 mm are 238 points; an SVG is twice as large.
TEST_F(FigureFilesTest, FitsOneColumnWithLettersOfEightPoints) {
  for (const char* title :
       {"short", "a title of very many words that one line of a picture cannot hold, nor two"}) {
    figure_.title = title;
    write_figure(directory_, set_, figure_, sweep_curves());
    const std::string svg = read("figure.svg"), pdf = read("figure.pdf");
    EXPECT_NE(svg.find("width=\"476\""), std::string::npos);
    EXPECT_NE(pdf.find("/MediaBox [ 0 0 238 "), std::string::npos);
    for (std::size_t at = svg.find("font-size=\""); at != std::string::npos;
         at = svg.find("font-size=\"", at + 1))
      EXPECT_EQ(std::stod(svg.substr(at + 11)), 16);
  }
}

TEST_F(FigureFilesTest, TextOfAStrangerIsOnlyDrawn) {
  const std::string hostile = "`touch PWNED` '.system('touch PWNED').' \"@x\" $(id) _^{a} <b> &amp; \\";
  for (const Drawing drawing :
       {Drawing::lines, Drawing::areas, Drawing::markers, Drawing::bars, Drawing::table}) {
    figure_.drawing = drawing;
    figure_.columns = {hostile};
    figure_.id = figure_.number = figure_.title = figure_.x.label = figure_.y.label = hostile;
    figure_.shades = {{0.6, 0.8, hostile + "\nsystem('touch PWNED')\n"}};
    set_.citation = hostile + "\nsystem('touch PWNED')\n\\";
    std::vector<Curve> curves = sweep_curves();
    for (Curve& curve : curves) curve.label = hostile;
    EXPECT_EQ(write_figure(directory_, set_, figure_, curves).problem, "");
    for (const char* place : {".", "/tmp"}) EXPECT_FALSE(fs::exists(fs::path(place) / "PWNED"));
    EXPECT_FALSE(fs::exists(directory_ / "PWNED"));
  }
  const std::string svg = read("figure.svg");
  for (const char* drawn : {"`touch PWNED`", "'.system('touch PWNED').'", "\"@x\"", "$(id)", "_^{a}",
                            "&lt;b>", "&amp;amp;", "\\x0asystem"})
    EXPECT_NE(svg.find(drawn), std::string::npos) << drawn;
}

TEST_F(FigureFilesTest, TitlesCanBeLeftOut) {
  EXPECT_NE(figure_script(set_, figure_, sweep_curves()).find("Latency_of"), std::string::npos);
  const std::string script = figure_script(set_, figure_, sweep_curves(), Titles::left_out);
  EXPECT_EQ(script.find("Latency_of"), std::string::npos);
  EXPECT_NE(script.find("\"Offered load\""), std::string::npos);
}

TEST_F(FigureFilesTest, APointThatIsNotSteadyIsHollow) {
  std::vector<Curve> curves = sweep_curves();
  const std::string note = "\"hollow: not known to be steady";
  const auto script = [&] { return figure_script(set_, figure_, curves); };
  EXPECT_NE(script().find(note), std::string::npos);
  EXPECT_NE(
      script().find("$curve0 using 1:(column(3) == 0 ? column(2) : NaN) with points lc rgb '#000000' pt 6"),
      std::string::npos);
  figure_.drawing = Drawing::bars;
  EXPECT_NE(script().find(note), std::string::npos);
  EXPECT_NE(script().find("(column(3) == 0 ? column(2) : NaN) with boxes lc rgb '#000000' fs empty"),
            std::string::npos);
  for (const Rows rows : {Rows::destinations, Rows::stages}) {
    figure_.rows = rows;
    EXPECT_NE(script().find(note), std::string::npos);
  }
  figure_.rows = Rows::series;  // a time series does not mark points that are not steady
  EXPECT_EQ(script().find(note), std::string::npos);
  figure_.rows = Rows::points;
  curves[0].status = {Status::ok, Status::ok};
  EXPECT_EQ(script().find(note), std::string::npos);
  curves[0].status = {Status::ok, Status::not_steady};
  EXPECT_NE(script().find(note), std::string::npos);
}

TEST_F(FigureFilesTest, CurvesThatLieOnEachOtherAreNamedTogether) {
  std::vector<Curve> curves = sweep_curves();
  curves[1].columns = curves[0].columns;
  curves[1].status = curves[0].status;
  const std::string script = figure_script(set_, figure_, curves);
  EXPECT_NE(script.find("\"One queue, 1Q = OBQA\""), std::string::npos);
  EXPECT_EQ(script.find("$curve1 using"), std::string::npos);
  EXPECT_EQ(figure_script(set_, figure_, sweep_curves()).find(" = OBQA"), std::string::npos);
  figure_.drawing = Drawing::bars;  // bars stand side by side
  EXPECT_EQ(figure_script(set_, figure_, curves).find(" = OBQA"), std::string::npos);
  // a legend whose labels together are longer than a line
  figure_.drawing = Drawing::lines;
  for (Curve& curve : curves) curve.label = "a label that takes most of one line of the legend";
  EXPECT_EQ(write_figure(directory_, set_, figure_, curves).problem, "");
}

TEST_F(FigureFilesTest, ALegendOfOneIsNone) {
  const std::vector<Curve> curves = {sweep_curves()[0]};
  for (const Drawing drawing : {Drawing::lines, Drawing::areas, Drawing::markers, Drawing::bars}) {
    figure_.drawing = drawing;
    EXPECT_EQ(figure_script(set_, figure_, curves).find("One queue"), std::string::npos);
  }
}

TEST_F(FigureFilesTest, ABarThatTheAxisCutsHasAGapAndItsValue) {
  figure_.drawing = Drawing::bars;
  figure_.y.to = 10;
  EXPECT_EQ(write_figure(directory_, set_, figure_, sweep_curves()).problem, "");
  const std::string svg = read("figure.svg");
  EXPECT_NE(svg.find("<text>12</text>"), std::string::npos);
  EXPECT_NE(read("figure.gp").find("boxxyerror fc rgb 'white'"), std::string::npos);
  figure_.y.to = 20;
  EXPECT_EQ(figure_script(set_, figure_, sweep_curves()).find("boxxyerror"), std::string::npos);
  figure_.y.to = 10;
  figure_.drawing = Drawing::lines;
  EXPECT_EQ(figure_script(set_, figure_, sweep_curves()).find("boxxyerror"), std::string::npos);
}

TEST_F(FigureFilesTest, AFewWholeNumbersAreTheTicks) {
  const auto script = [&](std::vector<double> xs, bool logarithmic) {
    std::vector<Curve> curves = sweep_curves();
    for (Curve& curve : curves) curve.columns.front().values = xs;
    figure_.x.from = figure_.x.to = {};
    figure_.x.logarithmic = logarithmic;
    return figure_script(set_, figure_, curves);
  };
  EXPECT_NE(script({2, 4}, false).find("set xrange [1.94:4.06]\nset yrange [*:*]\nset xtics (2, 4)\n"),
            std::string::npos);
  EXPECT_NE(script({1, 1024}, true).find("set xrange [0.812252:1260.69]"), std::string::npos);
  EXPECT_EQ(script({0.5, 1}, false).find("xtics ("), std::string::npos);
}

TEST_F(FigureFilesTest, WithoutGnuplotDataAndScriptAreStillThere) {
  const std::string path = getenv("PATH");
  setenv("PATH", directory_.c_str(), 1);
  const FigureFiles files = write_figure(directory_, set_, figure_, sweep_curves());
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(files.problem, "gnuplot is not installed");
  EXPECT_TRUE(files.picture.empty());
  EXPECT_EQ(read("data.csv"), figure_data(figure_, sweep_curves()));
  EXPECT_NE(read("figure.gp").find("plot $curve0"), std::string::npos);
}

TEST_F(FigureFilesTest, CurvesMayHaveAnyName) {
  const auto drawn_with = [&](const std::vector<std::string>& names) {
    std::vector<Curve> curves;
    for (const std::string& name : names) {
      Curve& curve = curves.emplace_back(sweep_curves()[0]);
      curve.name = name;
      curve.label = std::to_string(curves.size());
      for (double& y : curve.columns[1].values) y += static_cast<double>(curves.size());
    }
    EXPECT_EQ(write_figure(directory_, set_, figure_, curves).problem, "");
    return read("figure.svg");
  };
  const std::string plain = drawn_with({"a", "b", "c", "d", "e", "f"});
  EXPECT_EQ(drawn_with({"1q, 4 KiB", "1q, 8 KiB", "a \"quoted\" name", "{x}_y^z", "two\nlines", ""}), plain);
}

TEST_F(FigureFilesTest, APictureThatGnuplotCannotFinishIsRemoved) {
  std::ofstream(directory_ / "gnuplot")
      << "#!/bin/sh\necho half >figure.svg\necho half >figure.pdf\nexit 1\n";
  fs::permissions(directory_ / "gnuplot", fs::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", (directory_.string() + ":" + path).c_str(), 1);
  const FigureFiles files = write_figure(directory_, set_, figure_, sweep_curves());
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(files.problem, "");
  EXPECT_FALSE(fs::exists(directory_ / "figure.svg"));
  EXPECT_FALSE(fs::exists(directory_ / "figure.pdf"));
}

TEST_F(FigureFilesTest, AFullDiskIsAnError) {
  EXPECT_THROW(write_figure("/dev/full/nowhere", set_, figure_, sweep_curves()), std::system_error);
}

}  // namespace
}  // namespace headway
