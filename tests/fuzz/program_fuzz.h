// SPDX-License-Identifier: Apache-2.0
// Reads bytes to their end as a program of every format, and writes what was read. Any outcome other than a
// program, mistakes or a SpecError escapes as a crash; so does a program that changes when it is read again.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/program_bytes.h"

namespace headway {

inline void read_program_bytes(std::string_view bytes) {
  for (const Choice<ProgramKind>& choice : file_programs()) try {
      dynamic_cast<const FileProgram&>(*choice.get()).recognises(bytes);
      const test::ReadProgram read = test::read_program(choice.name, std::string(bytes));
      if (!read.program) continue;
      Mistakes mistakes;
      report_cycle(*read.program, 0, mistakes);
      if (choice.name != "goal" || test::goal_text(read).starts_with("//")) continue;
      const test::ReadProgram again = test::read_program("goal", test::goal_text(read));
      if (!again.program || !test::equal(*read.program, *again.program))
        throw std::logic_error("the program changes when it is written and read");
    } catch (const SpecError&) {
    }
}

}  // namespace headway
