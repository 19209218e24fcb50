// SPDX-License-Identifier: Apache-2.0
// headway why: explains why packets wait, from results or from a spec that it runs first.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "headway/base/visible.h"
#include "headway/remedies/command_why_spec.h"
#include "headway/why/compared_points.h"
#include "headway/why/why.h"

namespace headway::cli {
namespace {

bool is_directory(const std::string& place) {
  std::error_code error;
  return std::filesystem::is_directory(place, error);
}

void refuse(const Arguments& arguments, std::string_view flag, const std::string& why) {
  if (arguments.has(flag)) throw UsageError(fmt::format("{} is for {}", flag, why));
}

StoredPoints stored_points(const Arguments& arguments, std::string_view name, std::size_t run) {
  StoredPoints stored{.directory = *arguments.value(name)};
  if (const auto number = arguments.number("--point", 1, kMostPoints, run)) stored.point = *number - 1;
  return stored;
}

int compare(const Arguments& arguments, Terminal& terminal) {
  const StoredPoints first = stored_points(arguments, "SPEC", 0),
                     second = stored_points(arguments, "DIR2", 1);
  if (!is_directory(second.directory))
    throw UsageError(fmt::format("DIR2 is a directory of results, but '{}' is not a directory",
                                 second.directory.string()));
  refuse(arguments, "--all", "one run, not for a comparison");
  std::error_code error;
  if (std::filesystem::equivalent(first.directory, second.directory, error) && first.point == second.point)
    throw UsageError("both runs are the same; --point N, given twice, compares two points of a sweep");
  bool is_first = true;
  for (const ComparedPair& pair : compared_points(first, second))
    terminal.print((std::exchange(is_first, false) ? "" : "\n") +
                   terminal.folded(why_compare(pair, terminal.text_width(kWhyColumns))));
  return kFine;
}

int tell_stored(const Arguments& arguments, Terminal& terminal) {
  if (arguments.values("--point").size() > 1)
    throw UsageError("a second --point is for a second directory, which can be the first one again");
  const std::vector<PointResult> points = chosen_points(stored_points(arguments, "SPEC", 0));
  for (const PointResult& point : points)
    terminal.print(page_of(point, &point == &points.front(), arguments.has("--all"), terminal));
  return kFine;
}

int run_why(const Arguments& arguments, Terminal& terminal) {
  const std::string place = *arguments.value("SPEC");
  if (!is_directory(place)) {
    if (arguments.has("DIR2"))
      throw UsageError(
          fmt::format("two directories of results can be compared; {} is a spec", visible(place)));
    return explain_spec(arguments, terminal);
  }
  for (const Flag& flag : flags_of_explaining())
    refuse(arguments, flag.name(), fmt::format("a spec; {} is a directory of results", visible(place)));
  return arguments.has("DIR2") ? compare(arguments, terminal) : tell_stored(arguments, terminal);
}

}  // namespace

Command command_why() {
  return {
      .name = "why",
      .place = 70,
      .summary = "explain why packets wait",
      .description =
          "Begins with the conclusion for every point, in some sentences: where the time goes, what packets "
          "wait "
          "for, whose packets are in the way, who waits for them and by how much, since when, and whether it "
          "recovers. Behind each sentence is what supports it: [account], what was counted or measured in "
          "this "
          "run; [run], what another run shows; [theorem], what holds in every run under the conditions that "
          "it "
          "names. Then the evidence: the roots of congestion, those that tell the same story in one line, "
          "and "
          "the waiting of every flow. --all prints all numbers instead. With jobs, it first says why they "
          "took "
          "so long, from their critical paths, and how long they take alone (docs/programs.md).\n\n"
          "Whether a part of the time is a cause, only other runs can tell. For a spec that is one run, it "
          "makes "
          "some: it takes the largest part away, runs again, and so on, and then takes back what was not "
          "needed. "
          "--try also measures remedies, with what they cost and whom they harm (docs/remedies.md).\n\n"
          "Reads a directory that `headway run` wrote for a spec with observe.waiting = true. A spec is "
          "simulated first, with observe.waiting set (and, with jobs, \"critical-path\" in measure.tables "
          "and "
          "measure.alone); --out keeps its results. With DIR2, it compares two runs: what is better in the "
          "second one, what is worse, and why. Points of two sweeps are compared if all swept keys that both "
          "have agree. docs/waiting.md defines all numbers.",
      .positionals =
          {{.name = "SPEC",
            .help = "directory of results, or spec of an experiment; - reads a spec from standard input",
            .completes = Completes::files},
           {.name = "DIR2",
            .help = "directory of the results of a second run, for a comparison",
            .required = false,
            .completes = Completes::directories}},
      .flags = joined(
          {{{.spelled = "--all",
             .help = "prints all numbers: the main roots one by one, where the time of packets and links "
                     "goes, and stalls"},
            {.spelled = "--point N",
             .help = "the point of a sweep, from 1; repeat it to select a point of DIR2; default: all",
             .repeatable = true}},
           flags_of_explaining()}),
      .examples = {{"headway why examples/hot.toml", "simulates the spec and explains why packets wait"},
                   {"headway why examples/all-reduce-incast.toml --point 1 --try",
                    "measures what helps the first point"},
                   {"headway why examples/hot.toml --out out/hot", "keeps the results, too"},
                   {"headway why out/hot --all", "prints all numbers of stored results"},
                   {"headway why out/1q out/fbicm", "says what is better with the second scheme, and why"},
                   {"headway why out/sweep out/sweep --point 1 --point 6", "compares two points of a sweep"}},
      .run = run_why};
}

}  // namespace headway::cli
