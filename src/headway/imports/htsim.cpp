#include "headway/imports/importers.h"
namespace headway::imports {
Import import_htsim(const std::vector<Source>&, Mistakes&) { return {}; }
Import import_hpcc(const Source&, const std::string&, Mistakes&) { return {}; }
Import import_caminos(const Source&, Mistakes&) { return {}; }
}  // namespace headway::imports
