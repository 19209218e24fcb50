// SPDX-License-Identifier: Apache-2.0
// Non-minimal routing: packets go over a random waypoint, always or when this is faster according to the
// queues. A waypoint is a switch of a grid, HyperX or slim fly, or a group of a dragonfly.
#include "headway/routing/direct.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class WithDetours : public Routing {
 public:
  bool single_path() const override { return false; }
  bool routes(const Shape& shape) const override { return has_detours(shape); }
};

class Valiant final : public WithDetours {
 private:
  Routes routes_of(const Graph& graph) const override {
    return routes_with_detours(graph, Detour::always, 0);
  }
};

// Common parts of UGAL and PAR.
class Decided : public WithDetours {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "bias",
                      .help = "number of packets added to the queue of the detour before queues are "
                              "multiplied by the lengths of the paths; favours the direct path; with "
                              "switch.cell, the cells of so many full packets",
                      .bounds = Bounds::from(0, 1'000'000)},
                     bias_);
  }

 protected:
  std::uint32_t bias() const { return static_cast<std::uint32_t>(bias_); }

 private:
  std::int64_t bias_ = 0;
};

enum class Knowledge { local, global };
constexpr auto names_in_specs(Knowledge) { return name_list("local", "global"); }

class Ugal final : public Decided {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "knowledge",
                      .help = "queues that the source's switch compares: at its own outputs (UGAL-L), or in "
                              "a dragonfly at the global links of both paths, wherever they are (UGAL-G)"},
                     knowledge_);
    Decided::describe(parameters);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    return routes_with_detours(graph, knowledge_ == Knowledge::local ? Detour::local : Detour::global,
                               bias());
  }

  Knowledge knowledge_ = Knowledge::local;
};

class Progressive final : public Decided {
 public:
  bool routes(const Shape& shape) const override { return has_wide_parts(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    return routes_with_detours(graph, Detour::progressive, bias());
  }
};

}  // namespace

Entry<Routing> valiant() {
  return {"valiant", "every packet goes by a random waypoint, a switch or a group of switches",
          "Valiant 1982; Kim et al., ISCA 2008, section 4.1", make_entry<Routing, Valiant>};
}
Entry<Routing> ugal() {
  return {"ugal",
          "the switch of the source sends a packet directly or by a random waypoint, over the path with "
          "the smaller product of queue length and path length",
          "Singh 2005; Kim et al., ISCA 2008, section 4", make_entry<Routing, Ugal>};
}
Entry<Routing> par() {
  return {"par", "like ugal, but every switch of the source's group can still send the packet on its detour",
          "Jiang, Kim and Dally, ISCA 2009, section 3", make_entry<Routing, Progressive>};
}

}  // namespace headway
