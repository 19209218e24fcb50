// SPDX-License-Identifier: Apache-2.0
// Writes programs as GOAL text or as CSV, so that reading gives the same program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/programs/program.h"
#include "headway/trace/byte_stream.h"

namespace headway {

// `tags` are those of ProgramBuilder::take. Operations are labelled l0, l1, ... within their rank if a
// dependency names them. Times are in ns if all of them are whole, and otherwise in ps, which the first line
// says. Returns the unit. Closes the sink.
std::string write_goal(const Program& program, const std::vector<std::uint32_t>& tags, ByteSink& sink);

// The first operation that requires a later one of its rank, which CSV cannot say, as text; none.
std::optional<std::string> not_in_csv(const Program& program);
// For programs without such operations. Closes the sink.
void write_operations_csv(const Program& program, const std::vector<std::uint32_t>& tags, ByteSink& sink);

}  // namespace headway
