// SPDX-License-Identifier: Apache-2.0
// Queue maps that users write: the queue of an input port for every combination of some coordinates of a
// packet there. Read from text or from a NumPy array (docs/files.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/queueing/queue_map.h"
#include "headway/topology/graph.h"

namespace headway {

// Reports mistakes under "switch.file" and "switch.by". `by`: the coordinates of an array's dimensions.
QueueMap read_queue_table(const Graph& graph, const InputFile& file, const std::vector<std::string>& by,
                          std::optional<std::uint32_t> queues, Mistakes& mistakes);

}  // namespace headway
