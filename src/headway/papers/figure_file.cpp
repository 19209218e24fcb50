// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/figure_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "headway/papers/paper_table.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

Axis read_axis(const Document& table, const std::string& path, Mistakes& mistakes) {
  constexpr std::array<std::string_view, 3> kUnits = {"", "us", "ms"};
  PaperTable reader(table, path, mistakes);
  Axis axis;
  axis.column = reader.text("column");
  axis.label = reader.text("label");
  axis.unit = kUnits[reader.choice("unit", kUnits)];
  if (!axis.unit.empty() && !axis.column.ends_with("_ns"))
    mistakes.add({path + ".unit", fmt::format("{} is not a time in ns", axis.column), "", table.where});
  axis.from = reader.number("from");
  axis.to = reader.number("to");
  axis.logarithmic = reader.flag("logarithmic", false);
  return axis;
}

FigureSpec::CurveSpec read_curve(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  FigureSpec::CurveSpec curve{reader.word("name"), reader.text("label"), {}, reader.text("y", true)};
  if (const Document* where = reader.take("where")) {
    const auto* conditions = where->get<Document::Table>();
    if (conditions == nullptr)
      reader.wrong("where", *where, "must be a table of swept keys and values");
    else
      for (const Document::Member& condition : *conditions) {
        const auto* text = condition.value.get<std::string>();
        curve.where.emplace_back(condition.name, text != nullptr ? *text : to_text(condition.value));
      }
  }
  return curve;
}

void read_quick(PaperTable& reader, FigureSpec& figure) {
  figure.quick = read_settings(reader, "quick");
  for (const Override& setting : figure.quick)
    if (!setting.key.starts_with("measure.") && setting.key != "seeds")
      reader.wrong("quick", setting.value, fmt::format("{} is not a time", setting.key),
                   "a quick run can only change keys of [measure] and seeds, not the model");
}

SaturationSearch read_search(const Document& table, const std::string& path, Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  SaturationSearch search;
  const auto read = [&](std::string_view name, double& number, double below) {
    number = reader.number(name).value_or(number);
    if (!(number > 0) || number >= below)
      mistakes.add({fmt::format("{}.{}", path, name), fmt::format("{} is out of range", number),
                    std::isinf(below) ? "above 0" : fmt::format("above 0, below {}", below), table.where});
  };
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  read("precision", search.precision, 1);
  read("share", search.share, kNoLimit);
  read("times", search.times, kNoLimit);
  read("lowest", search.lowest, 1);
  if (const Document* latency = reader.take("latency")) {
    const auto* text = latency->get<std::string>();
    search.latency = text == nullptr ? std::nullopt : parse_duration(*text);
    if (!search.latency) reader.wrong("latency", *latency, "must be a time, such as \"5 us\"");
  }
  return search;
}

}  // namespace

FigureSpec read_figure(const Document& table, const std::string& path, const fs::path& folder,
                       Mistakes& mistakes) {
  constexpr std::array<std::string_view, 4> kRows = {"points", "series", "destinations", "stages"};
  constexpr std::array<std::string_view, 3> kDrawings = {"lines", "bars", "table"};
  PaperTable reader(table, path, mistakes);
  FigureSpec figure;
  figure.id = reader.word("id");
  figure.number = reader.text("number");
  figure.title = reader.text("title");
  figure.spec = folder / reader.text("spec");
  figure.simulated = reader.flag("simulated", true);
  if (const Document* search = reader.take("saturation")) {
    figure.saturation = read_search(*search, path + ".saturation", mistakes);
    if (!figure.simulated)
      reader.wrong("saturation", *search, "needs runs, but this figure is not simulated");
  }
  figure.rows = static_cast<Rows>(reader.choice("rows", kRows));
  figure.drawing = static_cast<Drawing>(reader.choice("draw", kDrawings));
  if (const Document* x = reader.take("x")) figure.x = read_axis(*x, path + ".x", mistakes);
  if (const Document* y = reader.take("y")) figure.y = read_axis(*y, path + ".y", mistakes);
  figure.columns = reader.texts("columns");
  const bool is_table = figure.drawing == Drawing::table;
  if (!is_table && (figure.x.column.empty() || figure.y.column.empty()))
    mistakes.add({path, "a drawn figure needs x and y", "", table.where});
  if (is_table == figure.columns.empty())
    mistakes.add(
        {path, is_table ? "a table needs columns" : "only a table can have columns", "", table.where});
  reader.for_each("shade", [&](const Document& element, const std::string& place) {
    PaperTable shade(element, place, mistakes);
    figure.shades.push_back(
        {shade.number("from").value_or(0), shade.number("to").value_or(0), shade.text("label")});
  });
  reader.for_each("curve", [&](const Document& element, const std::string& place) {
    figure.curves.push_back(read_curve(element, place, mistakes));
  });
  if (figure.curves.empty()) mistakes.add({path, "the figure has no curve", "", table.where});
  read_quick(reader, figure);
  if (const Document* trace = reader.take("trace")) {
    figure.trace = *trace;
    if (trace->get<Document::Table>() == nullptr)
      reader.wrong("trace", *trace, "must be a table of keys of [traffic.trace]");
  }
  return figure;
}

}  // namespace headway
