// SPDX-License-Identifier: Apache-2.0
// Barrier: no rank goes on before all have come.
#include "headway/programs/collectives.h"
#include "headway/programs/kind.h"

namespace headway {
namespace {

class Barrier final : public ProgramKind {
 public:
  void describe(Parameters&) override {}
  void build(ProgramBuilder& builder) const override { dissemination_barrier(AllRanks(builder).group()); }
};

}  // namespace

Entry<ProgramKind> barrier() {
  return {"barrier", "dissemination barrier: messages of 1 B to the ranks 1, 2, 4, ... ahead",
          "Hensgen, Finkel and Manber, 1988", make_entry<ProgramKind, Barrier>};
}

}  // namespace headway
