// SPDX-License-Identifier: Apache-2.0
// Gather and scatter: the root gets the block of every rank, and every rank gets its block from the root.
// Source of the binomial trees: Thakur, Rabenseifner and Gropp 2005; MPICH (gather_intra_binomial.c).
#include "headway/programs/parts.h"

namespace headway {

enum class GatherAlgorithm { binomial, linear };
constexpr auto names_in_specs(GatherAlgorithm) { return name_list("binomial", "linear"); }

namespace {

template <bool kScatters>
class Gather final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(bytes_parameter("size", kScatters ? "bytes of the block that a rank gets from the root"
                                                       : "bytes of the block that the root gets from a rank"),
                     size_);
    parameters.field({.name = "algorithm",
                      .help = "\"binomial\": along a tree, whose inner ranks pass on the blocks of those "
                              "below them; \"linear\": straight, all at the same time"},
                     algorithm_);
    parameters.field(root_parameter(), root_);
  }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { check_root(root_, ranks, mistakes); }
  void build(ProgramBuilder& builder) const override {
    const auto root = static_cast<std::uint32_t>(root_);
    if (algorithm_ == GatherAlgorithm::binomial) {
      const AllRanks all(builder);
      (kScatters ? binomial_scatter : binomial_gather)(all.group(), root, bytes_of(size_));
      return;
    }
    // Choice: the root's operations begin with the rank after it, as those of the linear all-to-all do.
    const std::uint32_t ranks = builder.ranks();
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
      const std::uint32_t rank = (root + distance) % ranks;
      builder.send(kScatters ? root : rank, kScatters ? rank : root, bytes_of(size_));
      builder.receive(kScatters ? rank : root, kScatters ? root : rank, bytes_of(size_));
    }
  }
  double bus_bytes(std::uint32_t ranks) const override {
    return (ranks - 1.0) * static_cast<double>(size_.count);
  }

 private:
  Bytes size_{64 << 10};
  GatherAlgorithm algorithm_ = GatherAlgorithm::binomial;
  std::int64_t root_ = 0;
};

}  // namespace

Entry<ProgramKind> gather() {
  return {"gather", "the root gets a block from every rank",
          "Thakur, Rabenseifner and Gropp 2005; MPICH (binomial)", make_entry<ProgramKind, Gather<false>>};
}
Entry<ProgramKind> scatter() {
  return {"scatter", "every rank gets a block from the root",
          "Thakur, Rabenseifner and Gropp 2005; MPICH (binomial)", make_entry<ProgramKind, Gather<true>>};
}

}  // namespace headway
