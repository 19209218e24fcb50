// SPDX-License-Identifier: Apache-2.0
// headway export: writes the network of a spec as files.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "headway/cli/spec_arguments.h"
#include "headway/compile/export.h"
#include "headway/io/atomic_file.h"

namespace headway::cli {
namespace {

int run_export(const Arguments& arguments, Terminal& terminal) {
  const auto out = arguments.value("--out");
  if (!out) throw UsageError("--out DIR is needed: where should the files go?");
  const Experiment experiment = load(arguments, terminal);
  if (experiment.points.size() > 1)
    terminal.say(fmt::format("the spec has {} points; this is the first one, and --set chooses another",
                             experiment.points.size()));
  const std::vector<ExportedFile> files = export_files(experiment.points.front().spec());
  const std::filesystem::path folder(*out);
  std::filesystem::create_directories(folder);
  for (const ExportedFile& file : files) {
    write_file(folder / file.name, file.content);
    terminal.say(visible((folder / file.name).string()));
  }
  return kFine;
}

}  // namespace

Command command_export() {
  std::vector<Flag> flags = spec_flags();
  flags.push_back({.name = "--out",
                   .letter = "-o",
                   .value = "DIR",
                   .help = "directory of the files; existing files are replaced",
                   .completes = Completes::directories});
  return {
      .name = "export",
      .summary = "write a network, its routes and its queues as files",
      .description =
          "Writes the network of a spec as the file of topology \"file\", its routes as that of algorithm "
          "\"table\", the queues of a static scheme as that of scheme \"table\", and a spec that uses them. "
          "The new spec gives the same results, and its files can be changed (docs/files.md). Reports what "
          "such files cannot express: routings with several lanes, detours, adaptive routing, links in one "
          "direction, rings with bubbles, and nodes that failed links have disconnected.",
      .positionals = {spec_positional()},
      .flags = flags,
      .examples = {{"headway export my.toml --out own", "writes own/spec.toml and the files that it names"}},
      .run = run_export};
}

}  // namespace headway::cli
