// SPDX-License-Identifier: Apache-2.0
// Dissemination barrier: in step s, every rank tells the rank 2^s ahead that it and all that it has heard of
// have come. Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988.
#include "headway/programs/kind.h"

namespace headway {
namespace {

class Barrier final : public ProgramKind {
 public:
  void describe(Parameters&) override {}
  void check(std::uint32_t, Mistakes&) const override {}
  void build(ProgramBuilder& builder) const override {
    const std::uint64_t ranks = builder.ranks();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      Steps steps(builder, rank);
      for (std::uint64_t distance = 1; distance < ranks; distance *= 2) {
        steps.send(static_cast<std::uint32_t>((rank + distance) % ranks), 1);
        steps.receive(static_cast<std::uint32_t>((rank + ranks - distance) % ranks), 1);
        steps.next();
      }
    }
  }
};

}  // namespace

Entry<ProgramKind> barrier() {
  return {"barrier", "dissemination barrier: messages of 1 B to the ranks 1, 2, 4, ... ahead",
          "Hensgen, Finkel and Manber, 1988", make_entry<ProgramKind, Barrier>};
}

}  // namespace headway
