// SPDX-License-Identifier: Apache-2.0
// The program that the arguments of `headway program` name: a file, a built-in program with its keys, or a
// job of a spec.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/cli/command.h"
#include "headway/programs/program.h"

namespace headway::cli {

struct NamedProgram {
  std::string source;  // the file, or the name of the program
  std::string kind;    // its format, or the name of the program
  Program program;
  std::vector<std::uint32_t> tags;  // [operation]
};

Positional program_positional();
std::vector<Flag> program_flags();

// Throws SpecError with all mistakes of the program, also those of messages and cycles, or UsageError.
NamedProgram read_program(const Arguments& arguments, Terminal& terminal);

}  // namespace headway::cli
