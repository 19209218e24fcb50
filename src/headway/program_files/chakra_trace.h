// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces (mlcommons/chakra, schema/protobuf/et_def.proto): for every rank, its metadata and
// then its nodes, each a message of protobuf behind its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/programs/program_text.h"

namespace headway {

enum class ChakraType : std::uint8_t { invalid, metadata, load, store, compute, send, receive, collective };

struct ChakraNode {
  std::uint64_t at = 0;  // byte of its rank
  std::uint64_t id = 0;
  ChakraType type = ChakraType::invalid;
  bool on_cpu = false;
  bool in_part = false;  // a collective of some dimensions of the ranks only
  std::uint64_t duration = 0;
  std::optional<std::uint64_t> collective, size, source, destination;
  std::uint64_t tag = 0;
  std::string group;                  // empty: all ranks
  std::vector<std::uint64_t> needed;  // ids, without duplicates
};

using ChakraRank = std::vector<ChakraNode>;

// A mistake at this byte of the last of the ranks, which is being read.
WrongByte wrong_in_last(const std::vector<ChakraRank>& ranks, std::uint64_t byte, std::string message,
                        std::string hint);
// The nodes of all ranks. Throws WrongByte.
std::vector<ChakraRank> read_chakra(ProgramText& text);
// True if a file can begin so.
bool is_chakra(std::string_view beginning);

}  // namespace headway
