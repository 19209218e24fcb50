// SPDX-License-Identifier: Apache-2.0
// One importer per simulator.
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/import.h"

namespace headway::imports {

Import import_booksim(const Source& source, Mistakes& mistakes);
Import import_caminos(const Source& source, Mistakes& mistakes);
// A topology, and perhaps a connection matrix.
Import import_htsim(const std::vector<Source>& sources, Mistakes& mistakes);
// A configuration, which names the files of a topology and of flows. The topology is read.
Import import_hpcc(const Source& source, const std::string& stem, Mistakes& mistakes);

}  // namespace headway::imports
