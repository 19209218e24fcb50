// SPDX-License-Identifier: Apache-2.0
// What recognisers of formats share.
#pragma once

#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/imports/import.h"

namespace headway::imports {

// The text without comments, which can name another format: "//" and "#" to the end of a line, "/* */".
std::string without_comments_of_any(std::string_view text);

// Whether a line of the text begins with the word, in capital letters or small ones.
bool has_line(std::string_view text, std::string_view word);

// Files that a job of the spec reads as they are.
bool is_astra_text(std::string_view text);  // a workload of ASTRA-sim 1.0 or SimAI
bool is_hpcc_flows(std::string_view text);  // a number, then a line per flow
bool is_htsim_matrix(std::string_view text);
// Forwarding tables of an InfiniBand fabric, as ibroute prints them.
bool is_lft_dump(std::string_view text);

// The name of the program that the text is; empty: none.
std::string_view program_in(const std::string& text);

}  // namespace headway::imports
