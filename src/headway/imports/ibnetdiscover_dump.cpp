// SPDX-License-Identifier: Apache-2.0
// A dump of ibnetdiscover, or a network of ibsim, which topology "file" reads as it is. The import adds a
// spec around it, with the forwarding tables if they are given.
#include "headway/imports/formats.h"
#include "headway/imports/infiniband_draft.h"
#include "headway/topology/fabric.h"

namespace headway::imports {
namespace {

Import import_dump(const Request& request, Mistakes& mistakes) {
  return import_of_dump(request, "", "a dump of ibnetdiscover or a network of ibsim", mistakes);
}

}  // namespace

Format ibnetdiscover() {
  return {"ibnetdiscover",
          "the output of ibnetdiscover, or a network of ibsim, and perhaps forwarding tables",
          is_ibnetdiscover, import_dump, 2};
}

}  // namespace headway::imports
