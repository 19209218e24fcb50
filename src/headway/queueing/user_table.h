// SPDX-License-Identifier: Apache-2.0
// Tables that users write: a number for every combination of some coordinates of a packet, such as its queue
// by switch and destination. Read from text or from a NumPy array (docs/files.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/queueing/coordinates.h"
#include "headway/topology/graph.h"

namespace headway {

struct TableForm {
  const char* file_key;             // key in the spec
  std::string_view value;           // name of the numbers: "queue"
  std::uint32_t most;               // highest valid number
  std::vector<Coordinate> columns;  // valid columns
  std::uint32_t services = 1;       // service levels in use; rows of others are not needed
  // The meaning of the dimensions of a NumPy array: given by a key of the spec, or by their number.
  const char* by_key = nullptr;
  std::vector<std::string> by = {};
  std::vector<std::vector<Coordinate>> by_rank = {};
};

struct UserTable {
  Dimensions dimensions;
  std::vector<std::uint32_t> values;  // of all combinations, in the order of their numbers
  std::uint32_t highest = 0;
};

// nullopt if there are mistakes, which are reported under the keys of the form.
std::optional<UserTable> read_user_table(const Graph& graph, const InputFile& file, const TableForm& form,
                                         Mistakes& mistakes);

}  // namespace headway
