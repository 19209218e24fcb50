// SPDX-License-Identifier: Apache-2.0
// Networks of ASTRA-sim's analytical backend: dimensions, each with a topology, a number of NPUs, a bandwidth
// and a latency, in YAML or, in older versions, in JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/network_draft.h"

namespace headway::imports {

enum class AstraTopology { ring, fully_connected, switched };

struct AstraDimension {
  AstraTopology topology = AstraTopology::ring;
  std::int64_t count = 1;
  std::string rate, delay;
};

bool is_astra_yaml(std::string_view text);
bool is_astra_json(std::string_view text);  // of a network
std::vector<AstraDimension> astra_dimensions(const Source& source, SpecText& spec, Mistakes& mistakes);

// NPUs are hosts, numbered by the first dimension first.
NetworkDraft draft_of(const std::vector<AstraDimension>& dimensions, const std::string& path,
                      Mistakes& mistakes);

}  // namespace headway::imports
