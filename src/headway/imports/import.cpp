// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/import.h"

#include "headway/base/error.h"

namespace headway::imports {

Import import_booksim(const Source& source, Mistakes& mistakes);
Import import_caminos(const Source& source, Mistakes& mistakes);
// A topology, and perhaps a connection matrix.
Import import_htsim(const std::vector<Source>& sources, Mistakes& mistakes);
// A configuration, which names the files of a topology and of flows. The topology is read.
Import import_hpcc(const Source& source, const std::string& stem, Mistakes& mistakes);

std::optional<Simulator> simulator_of(const std::vector<Source>& sources) {
  const auto has = [&](std::string_view word) {
    for (const Source& source : sources)
      if (source.text.find(word) != std::string::npos) return true;
    return false;
  };
  if (has("Configuration") && has("{")) return Simulator::caminos;
  if (has("Connections ") || has("Tiers ")) return Simulator::htsim;
  if (has("TOPOLOGY_FILE")) return Simulator::hpcc;
  if (has("=") && has(";")) return Simulator::booksim;
  return std::nullopt;
}

Import import_from(Simulator simulator, const std::vector<Source>& sources, const std::string& stem) {
  Mistakes mistakes;
  if (sources.size() > 1 && simulator != Simulator::htsim)
    mistakes.add({"FILE", "is one file for this simulator", "", sources[1].path});
  Import result;
  switch (simulator) {
    case Simulator::booksim:
      result = import_booksim(sources.front(), mistakes);
      break;
    case Simulator::htsim:
      result = import_htsim(sources, mistakes);
      break;
    case Simulator::hpcc:
      result = import_hpcc(sources.front(), stem, mistakes);
      break;
    case Simulator::caminos:
      result = import_caminos(sources.front(), mistakes);
      break;
  }
  mistakes.throw_if_any();
  return result;
}

}  // namespace headway::imports
