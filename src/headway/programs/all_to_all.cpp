// SPDX-License-Identifier: Apache-2.0
// All-to-all: every rank has a block for every other rank.
#include "headway/programs/all_to_all.h"

namespace headway {
namespace {

class AllToAll final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(bytes_parameter("size", "bytes of the block of each pair of ranks"), size_);
    method_.describe(parameters);
  }
  void use_servers(std::uint32_t ranks_per_server) override { method_.use_servers(ranks_per_server); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { method_.check(ranks, mistakes); }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    method_.add(all.group(), bytes_of(size_));
  }
  double bus_bytes(std::uint32_t ranks) const override {
    return (ranks - 1.0) * static_cast<double>(size_.count);
  }

 private:
  Bytes size_{64 << 10};
  AllToAllMethod method_;
};

}  // namespace

void AllToAllMethod::describe(Parameters& parameters) {
  parameters.field({.name = "algorithm", .help = "algorithm of the all-to-all"}, algorithm_);
  parameters.field(count_parameter("window",
                                   "with algorithm = \"linear\": most messages that a rank sends, and "
                                   "receives, at the same time; default: all"),
                   window_);
  groups_.describe(parameters);
}

void AllToAllMethod::check(std::uint32_t ranks, Mistakes& mistakes) const {
  groups_.check(ranks, name_of(algorithm_), algorithm_ == AllToAllAlgorithm::hierarchical, mistakes);
  if (window_ && algorithm_ != AllToAllAlgorithm::linear)
    mistakes.add("window", "the algorithm \"" + std::string(name_of(algorithm_)) + "\" has no window",
                 "algorithm = \"linear\" has one");
}

void AllToAllMethod::add(const Group& group, std::uint64_t bytes_of_pair) const {
  switch (algorithm_) {
    case AllToAllAlgorithm::pairwise:
      return pairwise_all_to_all(group, bytes_of_pair);
    case AllToAllAlgorithm::linear:
      return linear_all_to_all(group, bytes_of_pair, window_);
    case AllToAllAlgorithm::bruck:
      return bruck_all_to_all(group, bytes_of_pair);
    case AllToAllAlgorithm::hierarchical:
      return hierarchical_all_to_all(group, bytes_of_pair, groups_.size());
  }
}

Entry<ProgramKind> all_to_all() {
  return {"all-to-all", "every rank sends a block to every other rank",
          "Thakur, Rabenseifner and Gropp 2005 (pairwise, linear); Bruck et al. 1997 (bruck); "
          "NVIDIA, NCCL 2.12 (hierarchical: what its PXN does)",
          make_entry<ProgramKind, AllToAll>};
}

}  // namespace headway
