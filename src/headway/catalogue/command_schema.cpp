// SPDX-License-Identifier: Apache-2.0
// headway schema: a JSON Schema of specs, for editors.
#include "headway/catalogue/schema.h"

#include "headway/cli/command.h"

namespace headway::cli {
namespace {

int run_schema(const Arguments&, Terminal& terminal) {
  terminal.print(catalogue::spec_schema());
  return kFine;
}

}  // namespace

Command command_schema() {
  return {
      .name = "schema",
      .place = 170,
      .summary = "print a JSON Schema of specs, for editors",
      .description =
          "Prints a JSON Schema of spec files, made from the descriptions that the parser uses. Editors with "
          "a TOML language server, such as taplo or Even Better TOML, then complete keys and values, show "
          "their help and mark mistakes. A spec names the file of the schema in its first line: "
          "#:schema headway.schema.json. 'headway check' finds more mistakes.",
      .examples = {{"headway schema > headway.schema.json", "writes the schema beside your specs"}},
      .run = run_schema};
}

}  // namespace headway::cli
