// SPDX-License-Identifier: Apache-2.0
// headway view: writes a page with the snapshots that one or two runs kept with observe.keep.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <variant>

#include "headway/base/input_file.h"
#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/compile/check.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/io/atomic_file.h"
#include "headway/observe/snapshots.h"
#include "headway/run/results_dir.h"
#include "headway/spec/write_spec.h"
#include "headway/view/page.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHowToKeep =
    "simulate again with --set observe.waiting=true --set observe.keep=true --out";

struct Loaded {
  ViewedRun run;
  std::shared_ptr<const Graph> graph;
  Document network;  // the table of the spec
};

std::string name_of(const fs::path& directory) { return visible(directory.string()); }

std::string snapshots_in(const fs::path& directory, std::size_t point, std::size_t points) {
  if (point >= points)
    throw UsageError(fmt::format("{} has {} point{}, so there is no point {}", name_of(directory), points,
                                 points == 1 ? "" : "s", point + 1));
  const auto file = snapshots_of(directory, point);
  if (!file)
    throw UsageError(fmt::format("{} has no snapshots of point {}; {} {}", name_of(directory), point + 1,
                                 kHowToKeep, name_of(directory)));
  return read_text(*file);
}

Loaded load_run(const fs::path& directory, std::size_t point, bool asked, Terminal& terminal) {
  std::vector<PointResult> points = results_in(directory);
  if (!asked && points.size() > 1)
    terminal.say(fmt::format("{} has {} points; this is the first one, and --point N shows another",
                             name_of(directory), points.size()));
  Loaded loaded{{.name = directory.lexically_normal().string(),
                 .point = point,
                 .spec = {},
                 .result = {},
                 .snapshots = {}},
                nullptr,
                {}};
  loaded.run.snapshots = snapshots_in(directory, point, points.size());
  loaded.run.result = std::move(points[point]);
  const Experiment experiment = check_experiment(read_toml(directory / "spec.toml"));
  if (point >= experiment.points.size())
    throw UsageError(fmt::format("{} is damaged: its spec.toml has {} points and its results.json has {}",
                                 name_of(directory), experiment.points.size(), points.size()));
  const Spec spec = experiment.points[point].spec();
  const auto* event = std::get_if<EventSpec>(&spec);
  if (event == nullptr)
    throw UsageError(fmt::format("{} is of a slotted network, which has no snapshots", name_of(directory)));
  loaded.run.spec = resolved(spec);
  SeenNetworks networks;
  SpecChecks checks(networks);
  Mistakes mistakes;
  checks.check(spec, loaded.run.spec, mistakes);
  mistakes.throw_if_any();
  const NetworkPlan plan = checks.take_plan();
  loaded.graph = plan.graph;
  loaded.run.pooled = plan.options.is_pooled();
  loaded.run.lanes = plan.options.lanes;
  if (const Document* network = loaded.run.spec.member("network")) loaded.network = *network;
  return loaded;
}

bool same_wiring(const Graph& a, const Graph& b) {
  if (a.nodes() != b.nodes() || a.switches() != b.switches() || a.ports() != b.ports()) return false;
  for (SwitchId sw = 0; sw < a.switches(); ++sw)
    if (a.radix(sw) != b.radix(sw)) return false;
  for (PortId port = 0; port < a.ports(); ++port)
    if (a.peer_of(port) != b.peer_of(port)) return false;
  return true;
}

std::string difference(const Document& a, const Document& b) {
  std::string text;
  for (const Mistake& mistake : spec_differences(write_toml(a), write_toml(b))) {
    const auto value = [&](const Document& of) {
      const Document* found = of.find(mistake.key);
      return found == nullptr ? std::string("not given") : to_text(*found);
    };
    text += fmt::format("{}network.{}: {} and {}", text.empty() ? "" : ", ", mistake.key, value(a), value(b));
  }
  return text.empty() ? "their files describe other links" : text;
}

void check_same_network(const Loaded& a, const Loaded& b) {
  if (same_wiring(*a.graph, *b.graph)) return;
  throw UsageError(fmt::format("{} and {} are of different networks ({}); one page shows runs of one network",
                               visible(a.run.name), visible(b.run.name), difference(a.network, b.network)));
}

// Opens the page if standard output is a terminal on a desktop.
void open(const fs::path& page) {
  const auto is_set = [](const char* name) {
    return std::getenv(name) != nullptr && *std::getenv(name) != '\0';
  };
  if (isatty(STDOUT_FILENO) == 0 || !(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))) return;
  const std::string path = fs::absolute(page).string();  // a name may begin with a hyphen
  const pid_t child = fork();
  if (child == 0) {
    execlp("xdg-open", "xdg-open", path.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
}

std::size_t point_of(const std::vector<std::string>& given, std::size_t run) {
  if (given.empty()) return 0;
  const std::string& text = given[std::min(run, given.size() - 1)];
  Arguments one;
  one.add("--point", text);
  return *one.number("--point", 1, 1'000'000) - 1;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const std::vector<std::string> numbers = arguments.values("--point");
  std::vector<Loaded> loaded;
  loaded.push_back(load_run(*arguments.value("DIR"), point_of(numbers, 0), !numbers.empty(), terminal));
  if (const auto other = arguments.value("DIR2")) {
    loaded.push_back(load_run(*other, point_of(numbers, 1), !numbers.empty(), terminal));
    check_same_network(loaded[0], loaded[1]);
  } else if (numbers.size() > 1) {
    throw UsageError("a second --point is for a second directory, which can be the first one again");
  }
  std::vector<ViewedRun> runs;
  for (Loaded& one : loaded) runs.push_back(std::move(one.run));
  const fs::path file =
      arguments.value("--out").value_or((fs::path(*arguments.value("DIR")) / "view.html").string());
  try {
    const std::string page = view_page(*loaded[0].graph, runs);
    write_file(file, page);
  } catch (const BadSnapshots& problem) {
    throw UsageError(
        fmt::format("cannot read the snapshots: {}; {} of the directory", problem.what(), kHowToKeep));
  }
  terminal.print(visible(file.string()) + '\n');
  terminal.flush();
  open(file);
  return kFine;
}

}  // namespace

Command command_view() {
  return {
      .name = "view",
      .summary = "make a page that shows congestion grow",
      .description =
          "Makes one HTML file that shows the run in DIR over time: every switch, port and link, congestion "
          "trees from their roots, and the series of the run. With DIR2, it shows two runs of the same "
          "network "
          "side by side, with one slider. The file needs no network and no server.\n\n"
          "The runs must have kept snapshots: observe.waiting = true and observe.keep = true in their specs. "
          "The page opens where there is a desktop. docs/view.md explains what it shows.",
      .positionals = {{.name = "DIR",
                       .help = "directory of results with snapshots",
                       .completes = Completes::directories},
                      {.name = "DIR2",
                       .help = "directory of a second run, for a comparison",
                       .required = false,
                       .completes = Completes::directories}},
      .flags = {{.name = "--out",
                 .letter = "-o",
                 .value = "FILE",
                 .help = "the page; default: DIR/view.html",
                 .completes = Completes::files},
                {.name = "--point",
                 .value = "N",
                 .help = "the point of a sweep, from 1; give it twice for another point of DIR2; default: 1",
                 .repeatable = true}},
      .examples = {{"headway view out/hot", "writes out/hot/view.html and opens it"},
                   {"headway view out/1q out/obqa -o compare.html", "compares two runs"},
                   {"headway view out/sweep out/sweep --point 1 --point 2",
                    "compares two points of a sweep"}},
      .run = run};
}

}  // namespace headway::cli
