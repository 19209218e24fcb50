// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/figure_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headway {
namespace {

namespace fs = std::filesystem;

// The place of an offset in a one-line value that begins at `where` ("claims.toml:7:11" is its opening
// quote).
std::string place_in_value(const std::string& where, std::size_t offset) {
  const std::size_t colon = where.rfind(':');
  const std::size_t column = std::stoul(where.substr(colon + 1));
  return fmt::format("{}:{}", where.substr(0, colon), column + 1 + offset);
}

Axis read_axis(const Document& table, const std::string& path, Mistakes& mistakes) {
  constexpr std::string_view kUnits[] = {"us", "ms"};
  PaperTable reader(table, path, mistakes);
  Axis axis;
  axis.column = reader.text("column");
  axis.label = reader.text("label");
  axis.unit = reader.choice("unit", kUnits).value_or("");
  if (!axis.unit.empty() && !axis.column.ends_with("_ns"))
    mistakes.add({path + ".unit", fmt::format("{} is not a time in ns", axis.column), "", table.where});
  axis.from = reader.number("from");
  axis.to = reader.number("to");
  axis.logarithmic = reader.flag("logarithmic", false);
  return axis;
}

// Swept keys and values.
Params read_where(PaperTable& reader) {
  Params where;
  reader.for_each_member("where", "swept keys and values",
                         [&](const std::string& key, const Document& value) {
                           const auto* text = value.get<std::string>();
                           where.emplace_back(key, text != nullptr ? *text : to_text(value));
                         });
  return where;
}

Params read_only(PaperTable& reader) {
  Params only;
  const auto read = [&](const std::string& column, const Document& value) {
    if (const auto* whole = value.get<std::int64_t>())
      only.emplace_back(column, std::to_string(*whole));
    else if (const auto* name = value.get<std::string>())
      only.emplace_back(column, *name);
    else
      reader.wrong("only", value, fmt::format("{} must be a whole number or a name", column));
  };
  reader.for_each_member("only", "columns and whole numbers or names", read);
  return only;
}

FigureSpec::CurveSpec read_curve(const Document& table, const std::string& path, Rows rows_of_figure,
                                 Mistakes& mistakes) {
  PaperTable reader(table, path, mistakes);
  FigureSpec::CurveSpec curve{reader.word("name"), reader.text("label"), read_where(reader),
                              reader.text("y", true)};
  curve.rows = reader.choice<Rows>("rows");
  curve.only = read_only(reader);
  curve.each = reader.texts("each");
  const double most = reader.number("most").value_or(static_cast<double>(curve.most));
  if (most < 1 || most != std::floor(most))
    reader.wrong("most", *reader.take("most"), "must be a whole number of curves");
  else
    curve.most = static_cast<std::size_t>(most);
  curve.hidden = reader.flag("hidden", false);
  if (table.member("measure") != nullptr) curve.measure = read_expression(reader, path, true, mistakes);

  const auto refuse = [&](bool wrong, std::string_view what) {
    if (wrong) mistakes.add({path, std::string(what), "", table.where});
  };
  const Rows rows = curve.rows.value_or(rows_of_figure);
  refuse((!curve.only.empty() || !curve.each.empty()) && !is_sparse(rows),
         "'only' and 'each' are for rows of tree_series, pair_series and flow_series");
  refuse(curve.rows && (*curve.rows == Rows::points) != (rows_of_figure == Rows::points),
         "points and the rows of a table cannot be in one figure");
  refuse(curve.measure && (!curve.where.empty() || !curve.column.empty() || curve.rows),
         "'measure' takes the place of 'where', 'y' and 'rows'");
  refuse(curve.measure && curve.measure->curves().empty(), "'measure' must name a curve, which gives its x");
  return curve;
}

// Checks that expressions use only curves of the figure with points of their own.
void check_expressions(const FigureSpec& figure, const std::string& path, const std::string& where,
                       Mistakes& mistakes) {
  for (const FigureSpec::CurveSpec& curve : figure.curves)
    for (const std::string& name : curve.measure ? curve.measure->curves() : std::vector<std::string>{}) {
      const auto named = std::ranges::find(figure.curves, name, &FigureSpec::CurveSpec::name);
      if (named == figure.curves.end() || named->measure || !named->each.empty())
        mistakes.add({path, fmt::format("the curve '{}' cannot use '{}'", curve.name, name),
                      "'measure' needs curves of this figure, with points of their own", where});
    }
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
  const auto read = [&](std::string_view name, double& number) {
    number = reader.number(name).value_or(number);
  };
  read("precision", search.precision);
  read("share", search.share);
  read("times", search.times);
  read("lowest", search.lowest);
  if (const Document* latency = reader.take("latency")) {
    const auto* text = latency->get<std::string>();
    search.latency = text == nullptr ? std::nullopt : parse_duration(*text);
    if (!search.latency) reader.wrong("latency", *latency, "must be a time, such as \"5 us\"");
  }
  Mistakes of_search;
  check(search, of_search);
  for (const Mistake& mistake : of_search.list())
    mistakes.add({fmt::format("{}.{}", path, mistake.key), mistake.message, mistake.hint, table.where});
  return search;
}

}  // namespace

Expression read_expression(PaperTable& reader, const std::string& path, bool over_x, Mistakes& mistakes) {
  const std::string text = reader.text("measure");
  const Document* value = reader.take("measure");
  if (value == nullptr) return {};
  try {
    return Expression(text, over_x);
  } catch (const ExpressionError& error) {
    mistakes.add(
        {path + ".measure", error.what(), error.hint(), place_in_value(value->where, error.offset())});
    return {};
  }
}

FigureSpec read_figure(const Document& table, const std::string& path, const fs::path& folder,
                       Mistakes& mistakes) {
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
  figure.rows = reader.choice<Rows>("rows").value_or(figure.rows);
  figure.drawing = reader.choice<Drawing>("draw").value_or(figure.drawing);
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
    figure.curves.push_back(read_curve(element, place, figure.rows, mistakes));
  });
  figure.where = read_where(reader);
  check_expressions(figure, path, table.where, mistakes);
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
