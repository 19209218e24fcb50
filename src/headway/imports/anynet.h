// SPDX-License-Identifier: Apache-2.0
// BookSim's anynet files, alone or named by a configuration.
#pragma once

#include <cstddef>

#include "headway/imports/network_draft.h"

namespace headway::imports {

struct Anynet {
  NetworkDraft draft;
  std::size_t one_way = 0;  // links whose directions have different cycles
};

Anynet read_anynet(const Source& source, Mistakes& mistakes);
void name_one_way(const Anynet& read, SpecText& spec);

}  // namespace headway::imports
