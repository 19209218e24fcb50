// SPDX-License-Identifier: Apache-2.0
// headway new: writes a spec to start from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "headway/catalogue/schema.h"
#include "headway/catalogue/starters.h"
#include "headway/cli/command.h"
#include "headway/config/registry.h"
#include "headway/io/atomic_file.h"

namespace headway::cli {
namespace {

using catalogue::Starter;
namespace fs = std::filesystem;

std::vector<std::string_view> names() { return names_of(catalogue::starters()); }

// Never replaces a file: it may be one that the user has changed.
void write_new(const fs::path& path, std::string_view content, Terminal& terminal) {
  write_file(path, std::string(content));
  terminal.say(visible(path.string()));
}

int run_new(const Arguments& arguments, Terminal& terminal) {
  const auto name = arguments.value("FAMILY");
  if (!name) {
    for (const Starter& starter : catalogue::starters())
      terminal.print(terminal.folded(fmt::format("{:<10}  {}\n", starter.name, starter.help)));
    return kFine;
  }
  const Starter& starter = *std::ranges::find(catalogue::starters(), *name, &Starter::name);
  const std::string spec = catalogue::explained_spec(starter);
  const auto out = arguments.value("--out");
  if (!out) {
    terminal.print(spec);
    if (!starter.file.empty())
      terminal.say(fmt::format("the spec names the file {}, which --out FILE writes, too", starter.file));
    return kFine;
  }
  const fs::path path(*out), folder = path.parent_path();
  if (fs::exists(path)) throw UsageError(fmt::format("{} exists; choose another name", *out));
  write_new(path, spec, terminal);
  for (const auto& [file, content] : {std::pair{starter.file, std::string(starter.content)},
                                      {"headway.schema.json", catalogue::spec_schema()}})
    if (!file.empty() && !fs::exists(folder / file)) write_new(folder / file, content, terminal);
  return kFine;
}

}  // namespace

Command command_new() {
  return {
      .name = "new",
      .place = 10,
      .summary = "write a spec to start from",
      .description =
          "Prints a small spec that runs, with the meaning, the valid values and the default above every "
          "key. "
          "Without FAMILY, lists the families. With --out, also writes the files that the spec names: "
          "headway.schema.json, with which editors complete keys and mark mistakes ('headway help schema'), "
          "and the network of family fabric. No existing file is replaced.",
      .positionals =
          {{.name = "FAMILY", .help = "what the spec is about", .required = false, .choices = names()}},
      .flags = {{.spelled = "-o, --out FILE", .help = "the spec's file, which must not exist"}},
      .examples = {{"headway new", "lists the families"},
                   {"headway new dragonfly --out my.toml", "writes my.toml and headway.schema.json"},
                   {"headway new tree | headway check -", "checks a spec without a file"}},
      .run = run_new};
}

}  // namespace headway::cli
