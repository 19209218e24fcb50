// SPDX-License-Identifier: Apache-2.0
// headway trace: writes a synthetic trace, or summarises a trace and the load that it puts on a network.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "headway/base/plural.h"
#include "headway/cli/command.h"
#include "headway/cli/parse.h"
#include "headway/cli/spec_arguments.h"
#include "headway/compile/trace.h"
#include "headway/config/nearest.h"
#include "headway/spec/read_spec.h"
#include "headway/trace/byte_stream.h"
#include "headway/traces/summary.h"
#include "headway/traces/summary_page.h"
#include "headway/traces/trace_figure.h"

namespace headway::cli {
namespace {

std::uint64_t seed_of(const Arguments& arguments) {
  return arguments.number("--seed", 0, INT64_MAX).value_or(1);
}

// [traffic.trace] as in a spec, from --set and the values that the command itself sets.
TraceSpec trace_spec(const Arguments& arguments, Document::Table table) {
  Document trace(std::move(table));
  Mistakes mistakes;
  for (const auto& [key, value] : settings_of(arguments))
    if (const auto problem = trace.set(key, value)) mistakes.add(key, *problem);
  Document document(
      Document::Table{{"traffic", "", Document(Document::Table{{"trace", "", std::move(trace)}})}});
  TraceSpec spec = std::get<EventSpec>(read_spec(document, mistakes).spec).traffic.traces.at(0);
  spec.format->check(mistakes);
  mistakes.throw_if_any();
  return spec;
}

Document text(std::string value) { return Document(std::move(value)); }

// Writes a synthetic trace.
int make(const Arguments& arguments, Terminal& terminal) {
  if (arguments.value("--format")) throw UsageError("--format is for info; make writes CSV");
  const std::string path = *arguments.value("FILE");
  const TraceSpec spec = trace_spec(arguments, {{"format", "", text("synthetic")}});
  const auto reader = spec.format->open({.seed = seed_of(arguments)});
  const WrittenTrace written = write_csv(*reader, *create_bytes(path));
  terminal.say(fmt::format("{}: {}, {} over {}", visible(path), plural(written.records, "record"),
                           to_string(Bytes{static_cast<std::int64_t>(written.bytes)}),
                           to_string(Duration{Rational(written.length / kNanosecond)})));
  return kFine;
}

int info(const Arguments& arguments, Terminal& terminal) {
  const std::string path = *arguments.value("FILE");
  std::string format;
  if (const auto given = arguments.value("--format")) {
    const auto names = file_formats();
    if (std::ranges::find(names, *given) == names.end())
      throw UsageError(unknown("trace format", *given, names));
    format = *given;
  } else if (const auto found = recognised_format(InputFile(path))) {
    format = *found;
  } else {
    throw UsageError(fmt::format("cannot recognise the format of {}; specify it with --format: {}", path,
                                 fmt::join(file_formats(), ", ")));
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
            fmt::format("{}, {} of the trace", plural(now.records, "record"), trace_time_text(now.length)));
      });
  terminal.progress("");
  if (summary.messages == 0) throw TraceError(path, "contains no message in this window");
  terminal.print(summary_page(summary, *link, format));
  if (const auto out = arguments.value("--out")) {
    const FigureFiles files =
        write_trace_figure(*out, summary, *link, std::filesystem::path(path).filename().string(),
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
  return {
      .name = "trace",
      .place = 110,
      .summary = "make a synthetic trace, or summarise a trace",
      .description =
          "The action make writes a synthetic storage trace to FILE as CSV. It is bursty on all time scales, "
          "with flushes and disks of unequal popularity. The same seed always gives the same "
          "trace. A run that replays FILE gives the same results as a run with format = "
          "\"synthetic\" and the same seed.\n\n"
          "The action info reads FILE once and prints its length, message sizes and burstiness. It "
          "also prints the load that the trace puts on a network at the compression factors of the "
          "papers, and the compression that a mean load of 0.3 needs.\n\n"
          "The action make compresses FILE if its name ends in .gz or .zst. --set takes keys of "
          "[[traffic.trace]]: for make those of the synthetic format, for info also the window and "
          "the rules that map requests to nodes.",
      .positionals = {{.name = "ACTION", .help = "what to do", .choices = {"make", "info"}},
                      {.name = "FILE", .help = "the trace", .completes = Completes::files}},
      .flags = {{.spelled = "--format NAME",
                 .help = "info: format of FILE; default: recognised from the first bytes"},
                {.spelled = "--set KEY=VALUE",
                 .help = "sets a key of [[traffic.trace]], as in disks=40",
                 .repeatable = true,
                 .table = "traffic.trace."},
                {.spelled = "--seed N",
                 .help = "random seed of the synthetic trace and of random mappings; default: 1"},
                {.spelled = "--skip-bad", .help = "info: skip and count records that cannot be read"},
                {.spelled = "--nodes N", .help = "info: number of nodes of the network; default: 64"},
                {.spelled = "--rate RATE", .help = "info: data rate of its links; default: 1 GB/s"},
                {.spelled = "-o, --out DIR",
                 .help = "info: writes the load over time to DIR, as data and as figures (SVG and PDF)"},
                {.spelled = "--no-titles",
                 .help = "info: draws the figure without a title, for pages with captions"}},
      .examples = {{"headway trace make my.csv.zst --seed 3 --set disks=40",
                    "writes a compressed trace of forty disks"},
                   {"headway trace info cello.srt.gz --nodes 64 --rate \"1 GB/s\" --out out/cello",
                    "prints and draws the load of the trace on 64 nodes"}},
      .run = run_trace};
}

}  // namespace headway::cli
