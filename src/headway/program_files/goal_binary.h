// SPDX-License-Identifier: Apache-2.0
// The binary form of GOAL: the schedules that LogGOPSim's txt2bin writes and that the simulator maps into its
// memory (docs/program-files.md).
#pragma once

#include "headway/base/units.h"
#include "headway/programs/builder.h"
#include "headway/programs/program_text.h"

namespace headway {

bool is_goal_binary(ProgramText& text);
// As FileProgram::read. `unit` of calc, in picoseconds. Reports the first mistake only.
void read_goal_binary(ProgramText& text, ProgramBuilder& builder, const Rational& unit, bool only_ranks);

inline constexpr const char* kCalcTooLong = "this calc takes more than 46 days";

}  // namespace headway
