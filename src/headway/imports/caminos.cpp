#include "headway/imports/importers.h"
namespace headway::imports {
Import import_caminos(const Source&, Mistakes&) { return {}; }
}  // namespace headway::imports
