// SPDX-License-Identifier: Apache-2.0
// Barrier: no rank goes on before all have come.
#include "headway/programs/in_network.h"

namespace headway {
namespace {

enum class BarrierAlgorithm { dissemination, in_network };
constexpr auto names_in_specs(BarrierAlgorithm) { return name_list("dissemination", "in-network"); }

class Barrier final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "algorithm", .help = "algorithm of the barrier"}, algorithm_);
  }
  bool uses_switches() const override { return algorithm_ == BarrierAlgorithm::in_network; }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    if (!uses_switches()) return dissemination_barrier(all.group());
    if (builder.ranks() > 1) in_network_all_reduce(all.group(), tree_of(all.group()), 1, Reduction());
  }

 private:
  BarrierAlgorithm algorithm_ = BarrierAlgorithm::dissemination;
};

}  // namespace

Entry<ProgramKind> barrier() {
  return {"barrier",
          "no rank goes on before all have come: messages of 1 B to the ranks 1, 2, 4, ... ahead, or to "
          "switches and back",
          "Hensgen, Finkel and Manber 1988 (dissemination); Graham et al. 2016 (in-network)",
          make_entry<ProgramKind, Barrier>};
}

}  // namespace headway
