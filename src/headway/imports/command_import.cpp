// SPDX-License-Identifier: Apache-2.0
// headway import: makes a spec of the configuration of another simulator.
#include <fmt/format.h>

#include <filesystem>

#include "headway/base/input_file.h"
#include "headway/catalogue/schema.h"
#include "headway/cli/command.h"
#include "headway/config/nearest.h"
#include "headway/imports/import.h"
#include "headway/io/atomic_file.h"

namespace headway::cli {
namespace {

using imports::Import;
using imports::Simulator;
using imports::Source;
namespace fs = std::filesystem;

Source read_source(const std::string& path) {
  Mistakes mistakes;
  const InputFile file(path);
  const std::string* const text = file.text("FILE", mistakes);
  mistakes.throw_if_any();
  return {path, *text};
}

Simulator simulator(const Arguments& arguments, const std::vector<Source>& sources) {
  if (const auto name = arguments.value("--from")) {
    const auto valid = value_of<Simulator>(*name);
    if (!valid) throw UsageError(unknown("simulator", *name, kNames<Simulator>));
    return *valid;
  }
  const auto found = imports::simulator_of(sources);
  if (!found)
    throw UsageError(
        fmt::format("{} is of no simulator that Headway knows; --from names one", sources.front().path));
  return *found;
}

int run_import(const Arguments& arguments, Terminal& terminal) {
  std::vector<Source> sources{read_source(*arguments.value("FILE"))};
  if (const auto more = arguments.value("MATRIX")) sources.push_back(read_source(*more));
  const auto out = arguments.value("--out");
  const fs::path path(out.value_or("")), folder = path.parent_path();
  if (!folder.empty())
    for (Source& source : sources) source.named = fs::proximate(source.path, folder).string();
  if (out && fs::exists(path)) throw UsageError(fmt::format("{} exists; choose another name", *out));
  const Import made =
      imports::import_from(simulator(arguments, sources), sources, out ? *out : "import.toml");
  if (!out) {
    if (!made.files.empty())
      throw UsageError("--out FILE is needed: the import has further files, which are written beside it");
    terminal.print(made.spec);
    return kFine;
  }
  write_file(path, made.spec);
  terminal.say(visible(path.string()));
  for (const imports::ImportedFile& file : made.files) {
    write_file(folder / file.name, file.content);
    terminal.say(visible((folder / file.name).string()));
  }
  if (!fs::exists(folder / "headway.schema.json"))
    write_file(folder / "headway.schema.json", catalogue::spec_schema());
  return kFine;
}

}  // namespace

Command command_import() {
  return {.name = "import",
          .place = 140,
          .summary = "make a spec of the configuration of another simulator",
          .description =
              "Reads a configuration of BookSim 2 or CAMINOS, a topology of htsim with its connection "
              "matrix, or a "
              "configuration of HPCC's simulator with the topology and flows that it names. Prints a spec "
              "with a comment "
              "on every choice, which begins with what has no counterpart. A setting that is not known is a "
              "mistake, and so is a configuration that gives a spec which headway check refuses "
              "(docs/coming-from.md).",
          .positionals = {{.name = "FILE",
                           .help = "a configuration, or a topology of htsim",
                           .completes = Completes::files},
                          {.name = "MATRIX",
                           .help = "the connection matrix of htsim",
                           .required = false,
                           .completes = Completes::files}},
          .flags = {{.spelled = "--from SIMULATOR",
                     .help = "booksim, htsim, hpcc or caminos; default: by the content of the file"},
                    {.spelled = "-o, --out FILE", .help = "the spec's file, which must not exist"}},
          .examples = {{"headway import mesh88_lat", "prints the spec of a configuration of BookSim"},
                       {"headway import fat_tree.topo incast.cm --out incast.toml",
                        "writes the spec of a topology and a connection matrix of htsim"}},
          .run = run_import};
}

}  // namespace headway::cli
