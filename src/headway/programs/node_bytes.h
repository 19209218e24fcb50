// SPDX-License-Identifier: Apache-2.0
// What a program puts on the links of its nodes.
#pragma once

#include <span>
#include <vector>

#include "headway/base/ids.h"
#include "headway/programs/compiled_program.h"

namespace headway {

// Of the ranks on a node, in an iteration: bytes that they send to other nodes and receive from them, without
// control messages.
struct NodeBytes {
  NodeId node = 0;
  double sent = 0, received = 0;
};

// `nodes`: [rank]. The nodes ascend.
std::vector<NodeBytes> node_bytes(const CompiledProgram& program, std::span<const NodeId> nodes);

}  // namespace headway
