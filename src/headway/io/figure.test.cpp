// SPDX-License-Identifier: Apache-2.0
#include "headway/io/figure.h"

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
  Paper paper_{"obqa", "A title", "Somebody, 2010", {figure_}, {}};
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

TEST_F(FigureFilesTest, CurvesLookTheSameInAllFiguresOfAPaper) {
  FigureSpec second = figure_;
  second.curves = {{"obqa-4", "OBQA", {}}};
  paper_.figures.push_back(second);
  const std::vector<Curve> all = sweep_curves();
  const std::string colour_of_obqa = "'#E69F00'";
  EXPECT_NE(figure_script(paper_, second, std::span(all).subspan(1)).find(colour_of_obqa), std::string::npos);
  EXPECT_NE(figure_script(paper_, figure_, all).find(colour_of_obqa), std::string::npos);
}

TEST_F(FigureFilesTest, GnuplotDrawsEveryKind) {
  for (const Drawing drawing : {Drawing::lines, Drawing::bars}) {
    figure_.drawing = drawing;
    figure_.shades = {{0.6, 0.8, "hot spot"}};
    const FigureFiles files = write_figure(directory_, paper_, figure_, sweep_curves());
    EXPECT_EQ(files.problem, "");
    const std::string svg = read("figure.svg");
    for (const char* text :
         {"Figure 4(a): Latency_of a \"tree\"", "Offered load", "Latency (us)", "One queue, 1Q", "hot spot"})
      EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_FALSE(fs::exists(directory_ / "gnuplot.log"));
  }
}

TEST_F(FigureFilesTest, AFewWholeNumbersAreTheTicks) {
  const auto script = [&](std::vector<double> xs, bool logarithmic) {
    std::vector<Curve> curves = sweep_curves();
    for (Curve& curve : curves) curve.columns.front().values = xs;
    figure_.x.from = figure_.x.to = {};
    figure_.x.logarithmic = logarithmic;
    return figure_script(paper_, figure_, curves);
  };
  EXPECT_NE(script({2, 4}, false).find("set xrange [1.94:4.06]\nset yrange [*:*]\nset xtics (2, 4)\n"),
            std::string::npos);
  EXPECT_NE(script({1, 1024}, true).find("set xrange [0.812252:1260.69]"), std::string::npos);
  EXPECT_EQ(script({0.5, 1}, false).find("xtics"), std::string::npos);
}

TEST_F(FigureFilesTest, WithoutGnuplotDataAndScriptAreStillThere) {
  const std::string path = getenv("PATH");
  setenv("PATH", directory_.c_str(), 1);
  const FigureFiles files = write_figure(directory_, paper_, figure_, sweep_curves());
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(files.problem, "gnuplot is not installed");
  EXPECT_TRUE(files.picture.empty());
  EXPECT_EQ(read("data.csv"), figure_data(figure_, sweep_curves()));
  EXPECT_NE(read("figure.gp").find("plot data"), std::string::npos);
}

TEST_F(FigureFilesTest, AFullDiskIsAnError) {
  EXPECT_THROW(write_figure("/dev/full/nowhere", paper_, figure_, sweep_curves()), std::system_error);
}

}  // namespace
}  // namespace headway
