// SPDX-License-Identifier: Apache-2.0
// headway export: writes the network of a spec as files, or for ibsim.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "headway/cli/spec_arguments.h"
#include "headway/exports/export.h"
#include "headway/exports/export_ibsim.h"
#include "headway/io/atomic_file.h"

namespace headway::cli {
namespace {

void write_spec_files(const std::vector<ExportedFile>& files, const std::filesystem::path& folder,
                      Terminal& terminal) {
  std::filesystem::create_directories(folder);
  for (const ExportedFile& file : files) {
    write_file(folder / file.name, file.content);
    terminal.say(visible((folder / file.name).string()));
  }
}

void write_for_ibsim(const Spec& spec, const std::string& path, Terminal& terminal) {
  const IbsimNetwork network = ibsim_network(spec);
  for (const std::string& note : network.notes) terminal.warn(visible(note));
  if (path == "-") return terminal.print(network.text);
  write_file(path, network.text);
  terminal.say(visible(path));
}

int run_export(const Arguments& arguments, Terminal& terminal) {
  const auto out = arguments.value("--out"), ibsim = arguments.value("--ibsim");
  if (!out && !ibsim) throw UsageError("--out DIR or --ibsim FILE is needed: where should the network go?");
  const Experiment experiment = load(arguments, terminal);
  if (experiment.points.size() > 1)
    terminal.say(fmt::format("the spec has {} points; this is the first one, and --set chooses another",
                             experiment.points.size()));
  const Spec spec = experiment.points.front().spec();
  // before anything is written, because a network can have what files cannot express
  const std::vector<ExportedFile> files = out ? export_files(spec) : std::vector<ExportedFile>();
  if (ibsim) write_for_ibsim(spec, *ibsim, terminal);
  if (out) write_spec_files(files, *out, terminal);
  return kFine;
}

}  // namespace

Command command_export() {
  return {
      .name = "export",
      .place = 130,
      .summary = "write a network, its routes and its queues as files",
      .description =
          "Writes the network of a spec as the file of topology \"file\", its routes as that of algorithm "
          "\"table\", the queues of a static scheme as that of scheme \"table\", and a spec that uses them. "
          "The new spec gives the same results but for published_area_mm2, which belongs to the scheme that "
          "a table replaces. Its files can be changed (docs/files.md). Reports what "
          "such files cannot express: routings with several lanes, detours, adaptive routing, routes that "
          "change, "
          "links in one direction, rings with bubbles, switches that reduce for jobs, and nodes that failed "
          "links have disconnected.\n\n"
          "With --ibsim, writes the network alone, in the form of ibnetdiscover: ibsim and topology \"file\" "
          "read it. Names stay, links have the width and speed of their rate, and failed links are left out "
          "and named.",
      .positionals = {spec_positional()},
      .flags = joined(
          {spec_flags(),
           {{.spelled = "-o, --out DIR", .help = "directory of the files; existing files are replaced"},
            {.spelled = "--ibsim FILE",
             .help = "file of the network for ibsim, OpenSM's simulator; - prints it"}}}),
      .examples = {{"headway export my.toml --out own", "writes own/spec.toml and the files that it names"},
                   {"headway export my.toml --ibsim my.net", "writes the network for OpenSM's simulator"}},
      .run = run_export};
}

}  // namespace headway::cli
