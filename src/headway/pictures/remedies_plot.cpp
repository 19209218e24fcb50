// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/remedies_plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/plural.h"
#include "headway/io/csv.h"
#include "headway/metrics/units.h"
#include "headway/pictures/sheet.h"
#include "headway/remedies/goal.h"

namespace headway {
namespace {

// In points.
constexpr double kNamesWide = 170, kTexts = 120, kSentences = 270;  // most width
constexpr double kHalfBar = 3.8;
constexpr double kBetweenRows = 3, kBetweenKinds = 6;
constexpr double kBetweenTicks = 8;

constexpr double kWider = 1.2;     // times: letters of other fonts, where there is no Helvetica
constexpr double kLeastEnd = 1.5;  // of the axis, so that small gains look small
constexpr double kBeyond = 1.02;   // power of the largest gain: end of the axis
constexpr double kFull = (kTwoColumns - 2 * kEdge) / kWider;  // of a line of text

constexpr double kDrawnSlower = 0.95;  // the axis has a name to the left of 1, if it goes so far
constexpr double kDrawnGain = 1.02;    // a range of less is not drawn

// Okabe and Ito's colours. Bars of the user's own changes are hatched, too.
struct Look {
  std::string_view colour, fill;
};
Look look_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::cause:
      return {"#D55E00", "solid noborder"};
    case ChangeKind::bound:
      return {"#7F7F7F", "solid noborder"};
    case ChangeKind::own:
      return {"#009E73", "pattern 4 border"};
    default:
      return {"#0072B2", "solid noborder"};
  }
}
std::string name_of_kind(ChangeKind kind, std::size_t bars) {
  const std::string_view name = name_of(kind);
  return kind == ChangeKind::own || bars == 1 ? std::string(name) : several(name);
}

// A bar, or words in its place, with its place below the upper end of the axes.
struct Line {
  const RemedyChart::Bar* bar;
  std::vector<std::string> name, text;
  double middle = 0;

  bool has_bar() const { return bar->words.empty(); }
  // Damaged results can have any numbers.
  double low() const { return bar->row->gain_low > 0 ? std::min(gain(), bar->row->gain_low) : gain(); }
  double high() const {
    return std::isfinite(bar->row->gain_high) ? std::max(gain(), bar->row->gain_high) : gain();
  }
  double gain() const { return bar->row->gain; }
  bool has_range() const { return has_bar() && bar->row->seeds > 1 && high() > kDrawnGain * low(); }
  double height() const { return kLine * static_cast<double>(std::max(name.size(), text.size())); }
  double text_width() const {
    double widest = 0;
    for (const std::string& part : text) widest = std::max(widest, kWider * width_of(part));
    return widest;
  }
};

// "4.54 (32 queues)", "1.2 times slower", "did not end in time"
std::string text_of(const RemedyChart::Bar& bar) {
  const RemedyRow& row = *bar.row;
  std::string text = bar.words;
  if (text.empty()) text = gain_text(row.metric, row.gain);
  if (bar.words.empty() && row.gain >= 1 && text != "no change") text = factor_text(row.gain);
  const bool is_useless = !bar.words.empty() && !std::isnan(row.base);
  return bar.costs.empty() || is_useless ? text : fmt::format("{} ({})", text, bar.costs);
}

// The logarithmic axis.
struct Axes {
  double from, to;     // gains
  double left, right;  // points

  double at(double gain) const { return left + (right - left) * std::log(gain / from) / std::log(to / from); }
};

// As many numbers as have room, and 1 among them.
std::vector<double> ticks_of(const Axes& axes) {
  static const std::vector<double> kOfDecades[] = {{1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}};
  const auto fits = [&](const std::vector<double>& ticks) {
    for (std::size_t i = 1; i < ticks.size(); ++i)
      if (axes.at(ticks[i]) - axes.at(ticks[i - 1]) <
          0.5 * (width_of(fmt::format("{:g}", ticks[i])) + width_of(fmt::format("{:g}", ticks[i - 1]))) +
              kBetweenTicks)
        return false;
    return true;
  };
  const auto in_range = [&](std::vector<double> ticks) {
    std::erase_if(ticks, [&](double tick) { return tick < axes.from || tick > axes.to; });
    return ticks;
  };
  if (axes.to / axes.from < 10)
    for (const int parts : {100, 50, 20, 10, 5, 2}) {  // of 1
      std::vector<double> ticks;
      for (int i = 1; i <= axes.to * parts; ++i) ticks.push_back(static_cast<double>(i) / parts);
      ticks = in_range(std::move(ticks));
      if (ticks.size() > 1 && fits(ticks)) return ticks;
    }
  for (const std::vector<double>& digits : kOfDecades) {
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(axes.from))); power <= std::log10(axes.to);
         ++power)
      for (const double digit : digits)
        ticks.push_back(power < 0 ? digit / std::pow(10, -power) : digit * std::pow(10, power));
    ticks = in_range(std::move(ticks));
    if (fits(ticks)) return ticks;
  }
  return {1};
}

class Picture {
 public:
  Picture(const RemedyChart& chart, std::string_view title, std::string_view x_label) : chart_(chart) {
    if (!title.empty()) title_ = wrapped(title, kFull);
    place_lines();
    place_axes();
    if (has_axes_)
      x_label_ = wrapped(
          x_label.empty() ? fmt::format("{}: how many times better", chart.rows.front().metric) : x_label,
          kFull);
    for (const std::string& note : notes())
      for (std::string& line : wrapped(note, kFull)) notes_.push_back(std::move(line));
  }

  std::string script() {
    const double notes_top = kEdge + kLine * static_cast<double>(notes_.size());
    const double x_label_top = notes_top + 2 * kGap + kLine * static_cast<double>(x_label_.size());
    bottom_ = x_label_top + (has_axes_ ? kTicks : 0);
    top_ = bottom_ + rows_height_;
    const double heads_top = top_ + (has_axes_ ? kLine : 0) + kGap;
    const double height = heads_top + kEdge + kLine * static_cast<double>(title_.size());

    Sheet sheet(height, kTwoColumns);
    sheet.axes(axes_.left, axes_.right, bottom_, top_);
    sheet.lines(title_, 0.5 * kTwoColumns, height - kEdge);
    draw_names(sheet);
    if (has_axes_) draw_axes(sheet, x_label_top, heads_top);
    for (std::size_t i = 0; i < notes_.size(); ++i)
      sheet.add("label {} at {} left tc rgb '#404040'", gnuplot_text(notes_[i]),
                sheet.at(kEdge, notes_top - kLine * (static_cast<double>(i) + 0.5)));
    return svg_terminal(fmt::format("remedies of: {}", metric()), height, kTwoColumns) + sheet.text() +
           "unset ytics\n" +
           (has_axes_ ? plots() : "unset border\nunset tics\nset yrange [0:1]\nplot NaN\n") +
           pdf_terminal(height, "replot\n", kTwoColumns);
  }

 private:
  std::string metric() const { return chart_.rows.empty() ? "" : std::string(chart_.rows.front().metric); }

  void place_lines() {
    std::optional<ChangeKind> last;
    for (const RemedyChart::Bar& bar : chart_.bars) {
      if (!bar.is_main) continue;
      Line line{&bar, wrapped(bar.row->change, kNamesWide),
                wrapped(text_of(bar), chart_.base_ends() ? kTexts : kSentences)};
      if (last) rows_height_ += *last == bar.kind ? kBetweenRows : kBetweenKinds;
      line.middle = rows_height_ + 0.5 * line.height();
      rows_height_ += line.height();
      has_axes_ |= line.has_bar();
      last = bar.kind;
      lines_.push_back(std::move(line));
    }
  }

  // The axis is as long as the texts behind the bars leave room for.
  void place_axes() {
    double names = 0, kinds = 0;
    axes_ = {1, kLeastEnd, 0, kTwoColumns - kRight};
    for (const Line& line : lines_) {
      for (const std::string& part : line.name) names = std::max(names, kWider * width_of(part));
      kinds = std::max(kinds, kWider * width_of(name_of_kind(line.bar->kind, 2)));
      if (!line.has_bar()) continue;
      axes_.from = std::min(axes_.from, line.low());
      axes_.to = std::max(axes_.to, line.high());
    }
    axes_.from = std::pow(axes_.from, kBeyond);
    axes_.to = std::pow(axes_.to, kBeyond);
    axes_.left = kEdge + kinds + 2 * kGap + names + 2 * kGap;
    for (const Line& line : lines_) {
      const double room = kTwoColumns - kEdge - line.text_width() - kGap - axes_.left;
      const double part = std::log(end_of(line) / axes_.from) / std::log(axes_.to / axes_.from);
      axes_.right = std::min(axes_.right, axes_.left + room / std::max(part, 0.01));
    }
  }
  // The gain behind which the text of a line begins.
  static double end_of(const Line& line) { return line.has_bar() ? std::max(1.0, line.high()) : 1; }

  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    const RemedyRow& first = chart_.rows.front();
    const bool ranges = std::ranges::any_of(lines_, &Line::has_range);
    if (chart_.base_ends())
      all.push_back(fmt::format("At 1, nothing changes; effects below {:.2g} % are none.{}",
                                100 * first.effect,
                                ranges ? " Black lines: the smallest and the largest gain over seeds." : ""));
    else
      all.emplace_back(
          "Without changes, the run is deadlocked or does not end, so that no change has a gain.");
    if (const std::string others = chart_.others(); !others.empty())
      all.push_back(fmt::format("Not drawn: {}.", others));
    for (std::string& sentence : skipped_sentences(chart_.rows, "the table remedies says why")) {
      sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
      all.push_back(std::move(sentence));
    }
    return all;
  }

  void draw_names(Sheet& sheet) const {
    std::optional<ChangeKind> last;
    const auto draw = [&](const std::vector<std::string>& parts, double x, double middle,
                          std::string_view how) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        sheet.add(
            "label {} at {} {}", gnuplot_text(parts[i]),
            sheet.at(x, top_ - middle +
                            kLine * (0.5 * static_cast<double>(parts.size() - 1) - static_cast<double>(i))),
            how);
    };
    for (const Line& line : lines_) {
      const ChangeKind kind = line.bar->kind;
      if (last != kind)
        draw({name_of_kind(kind, static_cast<std::size_t>(std::ranges::count(
                                     lines_, kind, [](const Line& one) { return one.bar->kind; })))},
             kEdge, line.middle, fmt::format("left tc rgb '{}'", look_of(kind).colour));
      last = kind;
      draw(line.name, axes_.left - 2 * kGap, line.middle, "right");
      draw(line.text, (has_axes_ ? axes_.at(end_of(line)) : axes_.left) + kGap, line.middle, "left front");
    }
  }

  void draw_axes(Sheet& sheet, double x_label_top, double heads_top) const {
    const bool more = grows_when_better(metric());
    const double one = axes_.at(1);
    sheet.lines(x_label_, 0.5 * (axes_.left + axes_.right), x_label_top);
    if (axes_.from < kDrawnSlower)
      sheet.add("label '{}' at {} right", more ? "less" : "slower",
                sheet.at(one - kGap, heads_top - 0.5 * kLine));
    sheet.add("label '{}' at {} left", more ? "more" : "faster",
              sheet.at(one + kGap, heads_top - 0.5 * kLine));
    sheet.add("border 1 lc rgb '#404040' lw 0.7");
    sheet.add("grid noytics");
    sheet.add("logscale x");
    sheet.add("xrange [{:.9g}:{:.9g}]", axes_.from, axes_.to);
    sheet.add("yrange [{:g}:0]", rows_height_);
    std::vector<std::string> ticks;
    for (const double tick : ticks_of(axes_)) ticks.push_back(fmt::format("\"{:g}\" {:.9g}", tick, tick));
    sheet.add("xtics ({})", fmt::join(ticks, ", "));
    sheet.add("arrow from first 1, graph 0 to first 1, graph 1 nohead front lc rgb 'black' lw 1");
    sheet.add("errorbars 0.5");
  }

  // A data block for each look, and one for the ranges.
  std::string plots() const {
    std::string data;
    std::vector<std::string> plots;
    const auto add = [&](std::string_view name, const std::string& rows, const std::string& how) {
      if (rows.empty()) return;
      data += fmt::format("${} << EOD\n{}EOD\n", name, rows);
      plots.push_back(fmt::format("${} using {}", name, how));
    };
    for (const ChangeKind kind :
         {ChangeKind::cause, ChangeKind::bound, ChangeKind::remedy, ChangeKind::pair, ChangeKind::own}) {
      std::string rows;
      for (const Line& line : lines_)
        if (line.has_bar() && line.bar->kind == kind)
          rows += fmt::format("{:.9g} {:g}\n", line.bar->row->gain, line.middle);
      add(name_of(kind), rows,
          fmt::format("1:2:(1):1:($2-{0}):($2+{0}) with boxxyerror fs {1} fc rgb '{2}' lc rgb '{2}'",
                      kHalfBar, look_of(kind).fill, look_of(kind).colour));
    }
    std::string ranges;
    for (const Line& line : lines_)
      if (line.has_range())
        ranges += fmt::format("{:.9g} {:g} {:.9g}\n", line.low(), line.middle, line.high());
    add("ranges", ranges, "1:2:1:3 with xerrorbars pt 0 ps 0 lw 1 lc rgb 'black'");
    return data + fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
  }

  const RemedyChart& chart_;
  std::vector<std::string> title_, x_label_, notes_;
  std::vector<Line> lines_;
  Axes axes_{};
  bool has_axes_ = false;
  double rows_height_ = 0, bottom_ = 0, top_ = 0;
};

}  // namespace

std::string remedies_data(const RemedyChart& chart) {
  std::string text = "kind,change,gain,gain_low,gain_high,seeds,words,costs,settings\n";
  for (const RemedyChart::Bar& bar : chart.bars)
    if (bar.is_main)
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", name_of(bar.kind), csv_cell(bar.row->change),
                          csv_cell(bar.row->gain), csv_cell(bar.row->gain_low), csv_cell(bar.row->gain_high),
                          csv_cell(bar.row->seeds), csv_cell(bar.words), csv_cell(bar.costs),
                          csv_cell(bar.row->settings));
  return text;
}

std::string remedies_script(const RemedyChart& chart, std::string_view title, std::string_view x_label) {
  return Picture(chart, title, x_label).script();
}

}  // namespace headway
