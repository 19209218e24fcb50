// SPDX-License-Identifier: Apache-2.0
// headway view: writes a page with the snapshots that one or two runs kept with observe.keep.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/io/atomic_file.h"
#include "headway/view/stored_run.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

StoredRun load_run(const fs::path& directory, std::optional<std::uint64_t> point, Terminal& terminal) {
  StoredRun run = stored_run(directory, point.value_or(1) - 1);
  if (!point && run.points > 1)
    terminal.say(fmt::format("{} has {} points; this is the first one, and --point N shows another",
                             visible(directory.string()), run.points));
  return run;
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

int run(const Arguments& arguments, Terminal& terminal) {
  std::vector<StoredRun> runs;
  runs.push_back(load_run(*arguments.value("DIR"), arguments.number("--point", 1, kMostPoints, 0), terminal));
  if (const auto other = arguments.value("DIR2"))
    runs.push_back(load_run(*other, arguments.number("--point", 1, kMostPoints, 1), terminal));
  else if (arguments.values("--point").size() > 1)
    throw UsageError("a second --point is for a second directory, which can be the first one again");
  const fs::path file =
      arguments.value("--out").value_or((fs::path(*arguments.value("DIR")) / "view.html").string());
  write_file(file, view_page(std::move(runs)));
  terminal.print(visible(file.string()) + '\n');
  terminal.flush();
  open(file);
  return kFine;
}

}  // namespace

Command command_view() {
  return {
      .name = "view",
      .place = 80,
      .summary = "make a page that shows congestion grow",
      .description =
          "Makes one HTML file that shows the run in DIR over time: every switch, port and link, congestion "
          "trees from their roots, the series of the run, and what changes of its spec gain, if `headway why "
          "--try` wrote DIR. With DIR2, it shows two runs of the same "
          "network side by side, with one slider. The file needs no network and no server.\n\n"
          "The runs must have kept snapshots: observe.waiting = true and observe.keep = true in their specs. "
          "The page is opened if the output is a terminal on a desktop. docs/view.md explains what it shows.",
      .positionals = {{.name = "DIR",
                       .help = "directory of results with snapshots",
                       .completes = Completes::directories},
                      {.name = "DIR2",
                       .help = "directory of a second run, for a comparison",
                       .required = false,
                       .completes = Completes::directories}},
      .flags = {{.spelled = "-o, --out FILE", .help = "the page; default: DIR/view.html"},
                {.spelled = "--point N",
                 .help = "the point of a sweep, from 1; repeat it to select a point of DIR2; default: 1",
                 .repeatable = true}},
      .examples = {{"headway view out/hot", "writes out/hot/view.html and opens it"},
                   {"headway view out/1q out/obqa -o compare.html", "compares two runs"},
                   {"headway view out/sweep out/sweep --point 1 --point 2",
                    "compares two points of a sweep"}},
      .run = run};
}

}  // namespace headway::cli
