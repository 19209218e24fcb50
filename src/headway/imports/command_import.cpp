// SPDX-License-Identifier: Apache-2.0
// headway import: makes a spec of a file of another tool.
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
using imports::Source;
using imports::Unknown;
namespace fs = std::filesystem;

Source read_source(const std::string& path) {
  Mistakes mistakes;
  const InputFile file(path);
  const std::string* const text = file.text("FILE", mistakes);
  mistakes.throw_if_any();
  return {path, *text};
}

const imports::Format& format(const Arguments& arguments, const std::vector<Source>& sources) {
  const auto name = arguments.value("--from");
  if (!name) return imports::format_of(sources);
  const imports::Format* const found = imports::find_format(*name);
  if (found == nullptr) throw UsageError(unknown("format", *name, imports::format_names()));
  return *found;
}

Unknown unknown_keys(const Arguments& arguments) {
  const auto given = arguments.value("--unknown");
  if (!given) return Unknown::refuse;
  const auto valid = value_of<Unknown>(*given);
  if (!valid) throw UsageError(unknown("value of --unknown", *given, kNames<Unknown>));
  return *valid;
}

int run_import(const Arguments& arguments, Terminal& terminal) {
  std::vector<Source> sources;
  for (const char* const name : {"FILE", "FILE2", "FILE3"})
    if (const auto path = arguments.value(name)) sources.push_back(read_source(*path));
  const auto out = arguments.value("--out");
  const fs::path path(out.value_or("")), folder = path.parent_path();
  if (!folder.empty())
    for (Source& source : sources) source.named = fs::proximate(source.path, folder).string();
  if (out && fs::exists(path)) throw UsageError(fmt::format("{} exists; choose another name", *out));
  const imports::Format& read_as = format(arguments, sources);
  const Import made =
      imports::import_from(read_as, {sources, out ? *out : "import.toml"}, unknown_keys(arguments));
  if (!out && !made.files.empty())
    throw UsageError("--out FILE is needed: the import has further files, which are written beside it");
  for (const std::string& line : made.said) terminal.warn(line);
  if (!out) {
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

// The formats, one a line.
std::string description() {
  std::string text =
      "Makes a spec of what another tool writes: the configuration of a simulator, a network in whatever "
      "form, a dump "
      "of a fabric. What a file is, is seen from its content. The spec has a comment on every choice and "
      "begins with "
      "what has no counterpart; what the file does not say is assumed, and told. A setting that is not known "
      "is a "
      "mistake, and so is a file that gives a spec which headway check refuses (docs/fabrics.md, "
      "docs/coming-from.md).";
  for (const std::string_view name : imports::format_names())
    text += fmt::format("\n\n{}: {}", name, imports::find_format(name)->what);
  return text;
}

}  // namespace

Command command_import() {
  static const std::string kDescription = description();
  return {
      .name = "import",
      .place = 140,
      .summary = "make a spec of a file of another tool",
      .description = kDescription,
      .positionals = {{.name = "FILE",
                       .help = "a configuration, a network, or a dump of a fabric",
                       .completes = Completes::files},
                      {.name = "FILE2",
                       .help =
                           "a connection matrix, forwarding tables, a topology or a system file beside it",
                       .required = false,
                       .completes = Completes::files},
                      {.name = "FILE3",
                       .help = "a workload beside them",
                       .required = false,
                       .completes = Completes::files}},
      .flags = {{.spelled = "--from FORMAT", .help = "the format; default: by the content of the file"},
                {.spelled = "--unknown WHAT",
                 .help =
                     "what happens to keys that are not known: refuse, the default, or warn, which leaves "
                     "them out and lists them"},
                {.spelled = "-o, --out FILE", .help = "the spec's file, which must not exist"}},
      .examples = {{"headway import mesh88_lat", "prints the spec of a configuration of BookSim"},
                   {"headway import edges.csv --out my.toml",
                    "writes a spec and the network of a list of links, with uniform traffic"},
                   {"headway import fat_tree.topo incast.cm --out incast.toml",
                    "writes the spec of a topology and a connection matrix of htsim"},
                   {"headway import ports.txt routes.lfts --out fabric.toml",
                    "writes the spec of an InfiniBand fabric with its forwarding tables"}},
      .run = run_import};
}

}  // namespace headway::cli
