// SPDX-License-Identifier: Apache-2.0
// Minimal routing in networks of small diameter. In dragonflies, at most one local link to a switch with a
// link to the destination's group, one global link, and one local link there (Kim, Dally, Scott and Abts,
// ISCA 2008, section 4.1); in dragonflies+, up to a spine, over one global link, and down; in slim flies, at
// most two links.
#include "headway/routing/direct.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class Minimal final : public Routing {
 public:
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return has_minimal_routes(shape); }

 private:
  Routes routes_of(const Graph& graph) const override { return minimal_routes(graph); }
};

}  // namespace

Entry<Routing> minimal() {
  return {"minimal", "the shortest path in dragonflies, dragonflies+ and slim flies",
          "Kim et al., ISCA 2008, section 4.1; Besta and Hoefler, SC 2014, section IV",
          make_entry<Routing, Minimal>};
}

}  // namespace headway
