// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces as JSON: what chakra_jsonizer (mlcommons/chakra) prints of a trace. For every rank,
// an object with its metadata and an object per node, one behind the other, as protobuf writes its messages:
// whole numbers of 64 bits are texts, and fields that are 0 are missing.
#pragma once

#include <string_view>
#include <vector>

#include "headway/program_files/chakra_trace.h"

namespace headway {

// True if a file can begin so: an object that is not one of a matrix or system file.
bool is_chakra_json(std::string_view beginning);
// The nodes of all ranks. Throws WrongByte.
std::vector<ChakraRank> read_chakra_json(ProgramText& text);

}  // namespace headway
