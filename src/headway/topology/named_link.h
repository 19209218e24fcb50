// SPDX-License-Identifier: Apache-2.0
// Links as users write them: "SWITCH:PORT", either end, with the name or the number of the switch; or both
// ends, "SWITCH -- SWITCH" or "SWITCH -- node NODE", if one link joins them.
#pragma once

#include <optional>
#include <string>

#include "headway/base/error.h"
#include "headway/config/row_reader.h"
#include "headway/topology/graph.h"

namespace headway {

enum class LinksToNodes : bool { refused, allowed };

// The end that identifies a link: the smaller one if the link has both directions.
PortId one_end(const Graph& graph, PortId output);

// The end that identifies the link. `switches` are those of the graph (members.h). None if there is a
// mistake, which is reported under `key`.
std::optional<PortId> named_link(const Graph& graph, const NumberedNames& switches, const std::string& text,
                                 LinksToNodes to_nodes, const std::string& key, Mistakes& mistakes);

// A link as named_link reads it; it must have an end at a switch.
std::string name_of_link(const Graph& graph, PortId end);

}  // namespace headway
