// SPDX-License-Identifier: Apache-2.0
// headway trace: writes a synthetic trace, or summarises a trace and the load that it puts on a network.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "headway/cli/command.h"
#include "headway/cli/parse.h"
#include "headway/cli/progress.h"
#include "headway/compile/trace.h"
#include "headway/config/nearest.h"
#include "headway/config/toml.h"
#include "headway/papers/figure.h"
#include "headway/spec/read_spec.h"
#include "headway/trace/summary.h"

namespace headway::cli {
namespace {

constexpr double kCompressions[] = {1, 20, 40};  // the last two are those of OBQA, section 4.4
constexpr double kLoadOfInterest = 0.3;
constexpr std::size_t kHottestShown = 5;

std::uint64_t seed_of(const Arguments& arguments) {
  return arguments.number("--seed", 0, INT64_MAX).value_or(1);
}

// [traffic.trace] as in a spec, from --set and the values that the command itself sets.
TraceSpec trace_spec(const Arguments& arguments, Document::Table table) {
  Document trace(std::move(table));
  Mistakes mistakes;
  for (const std::string& setting : arguments.values("--set")) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set needs KEY=VALUE, not '{}'", setting));
    const std::string key = setting.substr(0, equals);
    if (const auto problem = trace.set(key, parse_toml_value(setting.substr(equals + 1), "--set " + key)))
      mistakes.add(key, *problem);
  }
  Document document(
      Document::Table{{"traffic", "", Document(Document::Table{{"trace", "", std::move(trace)}})}});
  TraceSpec spec = std::get<EventSpec>(read_spec(document, {}, mistakes).spec).traffic.traces.at(0);
  spec.format->check(mistakes);
  mistakes.throw_if_any();
  return spec;
}

Document text(std::string value) { return Document(std::move(value)); }

std::vector<std::string_view> file_format_names() {
  std::vector<std::string_view> names;
  for (const Entry<TraceFormat>& entry : trace_formats())
    if (dynamic_cast<const FileFormat*>(entry.make().get()) != nullptr) names.push_back(entry.name);
  return names;
}

const FileFormat& file_format(const Choice<TraceFormat>& format) {
  const auto* file = dynamic_cast<const FileFormat*>(format.value.get());
  if (file == nullptr)
    throw UsageError(fmt::format("\"{}\" is not a file format; valid formats are {}", format.name,
                                 fmt::join(file_format_names(), ", ")));
  return *file;
}

Choice<TraceFormat> chosen_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Entry<TraceFormat>& entry : trace_formats()) names.push_back(entry.name);
  if (std::ranges::find(names, name) == names.end()) throw UsageError(unknown("trace format", name, names));
  return choose(trace_formats(), name);
}

// Writes a synthetic trace. Errors name the file and the record.
int make(const Arguments& arguments, Terminal& terminal) {
  const std::string path = *arguments.value("FILE");
  const TraceSpec spec = trace_spec(arguments, {{"format", "", text("synthetic")}});
  const Choice<TraceFormat> format = chosen_format(arguments.value("--format").value_or("csv"));
  const auto reader = spec.format->open({.seed = seed_of(arguments)});
  const auto writer = file_format(format).write(create_bytes(path), path);
  std::uint64_t bytes = 0;
  TraceTime length = 0;
  while (const auto record = reader->next()) {
    writer->write(*record);
    bytes += record->bytes;
    length = record->time;
  }
  writer->close();
  terminal.say(fmt::format("{}: {}, {} over {}", visible(path), plural(reader->records(), "record"),
                           to_string(Bytes{static_cast<std::int64_t>(bytes)}),
                           to_string(Duration{Rational(length / kNanosecond)})));
  return kFine;
}

// Computes loads from the numbers of a summary.
class Loads {
 public:
  Loads(const TraceSummary& summary, const Rate& link)
      : summary_(summary), bytes_per_ps_(link.bytes_per_ns.to_double() / kNanosecond) {}

  // Mean over the links of all nodes and the whole window, without compression.
  double mean() const {
    return static_cast<double>(summary_.bytes) /
           (bytes_per_ps_ * static_cast<double>(summary_.length) * static_cast<double>(summary_.in.size()));
  }
  double of(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / (bytes_per_ps_ * static_cast<double>(summary_.length));
  }
  double peak(const TimeBins& bins, NodeId node) const {
    double most = 0;
    for (std::size_t bin = 0; bin < bins.used(); ++bin) most = std::max(most, in_bin(bins, node, bin));
    return most;
  }
  double in_bin(const TimeBins& bins, NodeId node, std::size_t bin) const {
    return static_cast<double>(bins.at(node, bin)) / (bytes_per_ps_ * static_cast<double>(bins.width()));
  }
  double mean_in_bin(std::size_t bin) const {
    double sum = 0;
    for (NodeId node = 0; node < summary_.in.size(); ++node) sum += in_bin(summary_.bytes_out, node, bin);
    return sum / static_cast<double>(summary_.in.size());
  }

 private:
  const TraceSummary& summary_;
  double bytes_per_ps_;
};

std::string time_text(TraceTime time) {
  const auto ns = static_cast<double>(time) / kNanosecond;
  if (ns < 1e3) return fmt::format("{:.4g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.4g} ms", ns / 1e6) : fmt::format("{:.6g} s", ns / 1e9);
}

std::string summary_text(const TraceSummary& summary, const Rate& link, std::string_view format) {
  const Loads loads(summary, link);
  const TraceSummary::Hottest hottest = summary.hottest();
  const double peak = loads.peak(hottest.into ? summary.bytes_in : summary.bytes_out, hottest.node);
  std::string text = fmt::format(
      "format        {}\n"
      "records       {} ({} could not be read, {} are not requests according to the format)\n"
      "window        {}\n"
      "messages      {}, {} bytes\n"
      "sizes         {:.0f} bytes median, {:.0f} mean, {:.0f} 99 %, {} largest\n",
      format, summary.records, summary.skipped, summary.passed_over, time_text(summary.length),
      summary.messages, summary.bytes, summary.sizes.quantile(0.5),
      static_cast<double>(summary.bytes) / static_cast<double>(summary.messages),
      summary.sizes.quantile(0.99), summary.sizes.max());
  text += "burstiness    variance over mean of the messages in";
  for (const std::size_t bins : {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{64}})
    if (4 * bins <= summary.counts.used())
      text +=
          fmt::format(" {}: {:.3g}{}", time_text(summary.counts.width() * static_cast<TraceTime>(bins)),
                      summary.dispersion(bins), 16 * bins <= summary.counts.used() && bins < 64 ? "," : "");
  text += fmt::format(
      " (Poisson: 1)\n\nload on {} nodes with links of {}, as fractions of the link rate\n"
      "  {:>12}  {:>10}  {:>22}  {:>22}\n",
      summary.in.size(), to_string(link), "compression", "all nodes", "busiest link, mean",
      fmt::format("its peak in {}", time_text(summary.bytes_in.width())));
  for (const double compression : kCompressions)
    text +=
        fmt::format("  {:>12}  {:>10.3g}  {:>22.3g}  {:>22.3g}\n", compression, compression * loads.mean(),
                    compression * loads.of(hottest.bytes), compression * peak);
  text +=
      fmt::format("  a mean load of {} needs a compression of {:.4g}; on the busiest link, {:.4g}\n",
                  kLoadOfInterest, kLoadOfInterest / loads.mean(), kLoadOfInterest / loads.of(hottest.bytes));

  std::vector<TraceSummary::Hottest> links;
  for (NodeId node = 0; node < summary.in.size(); ++node) {
    links.push_back({node, true, summary.in[node]});
    links.push_back({node, false, summary.out[node]});
  }
  std::ranges::stable_sort(links, std::greater<>(), &TraceSummary::Hottest::bytes);
  text += fmt::format("\nbusiest links\n  {:>6}  {:>4}  {:>16}  {:>8}\n", "node", "", "bytes", "share");
  for (std::size_t i = 0; i < std::min(kHottestShown, links.size()); ++i)
    text += fmt::format("  {:>6}  {:>4}  {:>16}  {:>7.2f}%\n", links[i].node, links[i].into ? "in" : "out",
                        links[i].bytes,
                        100 * static_cast<double>(links[i].bytes) / static_cast<double>(summary.bytes));
  return text;
}

// Draws the load over time, of all nodes and of the busiest link.
FigureFiles draw(const std::filesystem::path& directory, const TraceSummary& summary, const Rate& link,
                 const std::string& name, Titles titles) {
  const Loads loads(summary, link);
  const TraceSummary::Hottest hottest = summary.hottest();
  const TimeBins& bins = hottest.into ? summary.bytes_in : summary.bytes_out;
  FigureSpec figure;
  figure.id = "load";
  figure.number = name;
  figure.title = fmt::format("load of {} on {} nodes before compression", to_string(link), summary.in.size());
  figure.rows = Rows::series;
  figure.x = {.column = "time_ns", .label = "Time (ms)", .unit = "ms"};
  figure.y = {.column = "load", .label = "Load (fraction of link rate)"};
  const auto curve = [&](std::string curve_name, std::string label, const TimeBins& times, const auto& load) {
    Curve result{std::move(curve_name),
                 std::move(label),
                 figure.y.shown(),
                 {{figure.x.shown(), {}}, {"load", {}}},
                 {},
                 {}};
    for (std::size_t bin = 0; bin < times.used(); ++bin) {
      const double end = static_cast<double>(bin + 1) * static_cast<double>(times.width());
      result.columns[0].values.push_back(end / kMillisecond);
      result.columns[1].values.push_back(load(bin));
      result.status.push_back(Status::ok);
    }
    return result;
  };
  const std::vector<Curve> curves = {
      curve("all", "all nodes", summary.bytes_out, [&](std::size_t bin) { return loads.mean_in_bin(bin); }),
      curve("busiest", fmt::format("node {}, {}", hottest.node, hottest.into ? "in" : "out"), bins,
            [&](std::size_t bin) { return loads.in_bin(bins, hottest.node, bin); })};
  for (const Curve& each : curves) figure.curves.push_back({each.name, each.label, {}});
  Paper paper;
  paper.citation = "headway trace info";
  paper.figures = {figure};
  std::filesystem::create_directories(directory);
  return write_figure(directory, paper, figure, curves, titles);
}

int info(const Arguments& arguments, Terminal& terminal) {
  const std::string path = *arguments.value("FILE");
  std::string format;
  if (const auto given = arguments.value("--format")) {
    format = chosen_format(*given).name;
  } else if (const auto found = recognised_format(InputFile(path))) {
    format = *found;
  } else {
    throw UsageError(fmt::format("cannot recognise the format of {}; specify it with --format: {}", path,
                                 fmt::join(file_format_names(), ", ")));
  }
  const TraceSpec spec = trace_spec(arguments, {{"format", "", text(format)},
                                                {"file", "", text(path)},
                                                {"skip_bad", "", Document(arguments.has("--skip-bad"))}});
  const std::string rate_text = arguments.value("--rate").value_or("1 GB/s");
  const auto link = parse_rate(rate_text);
  if (!link || link->bytes_per_ns <= Rational(0))
    throw UsageError(fmt::format("--rate needs a rate above 0 such as \"1 GB/s\", not \"{}\"", rate_text));
  const auto nodes = static_cast<std::uint32_t>(arguments.number("--nodes", 2, 65'536).value_or(64));
  const TraceSummary summary =
      summarise(window_of(spec, nodes, seed_of(arguments)), [&](const TraceSummary& now) {
        terminal.progress(
            fmt::format("{}, {} of the trace", plural(now.records, "record"), time_text(now.length)));
      });
  terminal.progress("");
  if (summary.messages == 0) throw TraceError(path, "contains no message in this window");
  terminal.print(summary_text(summary, *link, format));
  if (const auto out = arguments.value("--out")) {
    const FigureFiles files = draw(*out, summary, *link, std::filesystem::path(path).filename().string(),
                                   arguments.has("--no-titles") ? Titles::left_out : Titles::shown);
    terminal.print(fmt::format("\nload over time  {}\n", visible(files.data.string())));
    for (const auto& picture : {files.picture, files.print})
      if (!picture.empty()) terminal.print(fmt::format("picture         {}\n", visible(picture.string())));
    if (!files.problem.empty()) terminal.warn(fmt::format("the figure was not drawn: {}", files.problem));
  }
  return kFine;
}

int run_trace(const Arguments& arguments, Terminal& terminal) {
  return *arguments.value("ACTION") == "make" ? make(arguments, terminal) : info(arguments, terminal);
}

}  // namespace

Command command_trace() {
  return {.name = "trace",
          .summary = "make a synthetic trace, or summarise a trace",
          .description =
              "make writes a synthetic storage trace to FILE: bursty on all time scales, with flushes and "
              "disks of unequal popularity. The same seed always gives the same trace. A run that replays "
              "FILE gives the same results as a run with format = \"synthetic\" and the same seed.\n\n"
              "info reads FILE once and prints its length, message sizes and burstiness. It also prints the "
              "load that the trace puts on a network at the compression factors of the papers, and the "
              "compression that a mean load of 0.3 needs.\n\n"
              "make compresses FILE if its name ends in .gz or .zst. --set takes keys of [[traffic.trace]]: "
              "for make those of the synthetic format, for info also the window and the rules that map "
              "requests to nodes.",
          .positionals = {{.name = "ACTION", .help = "make or info", .choices = {"make", "info"}},
                          {.name = "FILE", .help = "the trace", .completes = Completes::files}},
          .flags =
              {{.name = "--format",
                .value = "NAME",
                .help = "format of FILE; default: csv (make), or recognised from the first bytes (info)"},
               {.name = "--set",
                .value = "KEY=VALUE",
                .help = "sets a key of [[traffic.trace]], as in disks=40",
                .repeatable = true,
                .completes = Completes::trace_settings},
               {.name = "--seed",
                .value = "N",
                .help = "random seed of the synthetic trace and of random mappings; default: 1"},
               {.name = "--skip-bad", .help = "info: skip and count records that cannot be read"},
               {.name = "--nodes", .value = "N", .help = "info: number of nodes of the network; default: 64"},
               {.name = "--rate", .value = "RATE", .help = "info: data rate of its links; default: 1 GB/s"},
               {.name = "--out",
                .letter = "-o",
                .value = "DIR",
                .help = "info: writes the load over time to DIR, as data and as figures (SVG and PDF)",
                .completes = Completes::directories},
               {.name = "--no-titles",
                .help = "info: draws the figure without a title, for pages with captions"}},
          .examples = {{"headway trace make my.csv.zst --seed 3 --set disks=40",
                        "writes a compressed trace of forty disks"},
                       {"headway trace info cello.srt.gz --nodes 64 --rate \"1 GB/s\" --out out/cello",
                        "prints and draws the load of the trace on 64 nodes"}},
          .run = run_trace};
}

}  // namespace headway::cli
