// SPDX-License-Identifier: Apache-2.0
// Forwarding tables as dumped from real fabrics: per switch, the output port, or ports, for each destination
// (route_file.h).
#include "headway/routing/cycle_rule.h"
#include "headway/routing/hash_salt.h"
#include "headway/routing/route_file.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

enum class PortChoice { pair, packet };
constexpr auto names_in_specs(PortChoice) { return name_list("pair", "packet"); }

class Table final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "file",
         .help = "file with an output port, or several, per switch and destination: text, a NumPy array, or "
                 "a dump of forwarding tables by ibroute or OpenSM (docs/files.md); a relative path is "
                 "relative to the spec"},
        file_);
    parameters.field({.name = "choice",
                      .help = "choice among several ports: by a hash of source and destination (pair), or at "
                              "random for every packet (packet)"},
                     choice_);
    salt_.describe(parameters);
    cycles_.describe(parameters);
  }
  bool single_path() const override { return choice_ == PortChoice::pair; }
  bool by_destination() const override { return true; }  // the file decides

  bool routes(const Shape&) const override { return true; }
  // read_routes reports routes over failed links.
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (!file_.named())
      throw SpecError("routing.file", "no file is given", "write for example file = \"routes.txt\"");
    if (salt_.is_set() && choice_ == PortChoice::packet)
      throw SpecError("routing.salt", "packets that choose at random have no hash",
                      "omit it, or set choice = \"pair\"");
    Routes routes = read_routes(graph, file_, choice_ == PortChoice::pair, cycles_.refuses());
    salt_.apply_to(routes.table);
    cycles_.apply_to(routes);
    return routes;
  }

  InputFile file_;
  CycleRule cycles_;
  PortChoice choice_ = PortChoice::pair;
  HashSalt salt_;
};

}  // namespace

Entry<Routing> table() {
  return {"table", "forwarding tables read from a file, such as one dumped from a fabric", "Headway",
          make_entry<Routing, Table>};
}

}  // namespace headway
