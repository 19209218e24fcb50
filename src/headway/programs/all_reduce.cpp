// SPDX-License-Identifier: Apache-2.0
// All-reduce: every rank gets the sum, or another reduction, of the data of all ranks. The algorithms and
// their sources are in collectives.h.
#include "headway/programs/all_reduce.h"

#include <bit>

namespace headway {
namespace {

class AllReduce final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(bytes_parameter("size", "bytes of each rank's data, and of the result"), size_);
    method_.describe(parameters);
  }
  void use_servers(std::uint32_t ranks_per_server) override { method_.use_servers(ranks_per_server); }
  bool uses_switches() const override { return method_.uses_switches(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { method_.check(ranks, mistakes); }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    method_.add(all.group(), bytes_of(size_));
  }
  double bus_bytes(std::uint32_t ranks) const override {
    return 2.0 * (ranks - 1) / ranks * static_cast<double>(size_.count);
  }

 private:
  Bytes size_{1 << 20};
  AllReduceMethod method_;
};

}  // namespace

void AllReduceMethod::describe(Parameters& parameters) {
  parameters.field({.name = "algorithm", .help = "algorithm of the all-reduce"}, algorithm_);
  groups_.describe(parameters);
  parameters.field(chunks_parameter(), chunks_);
  segments_.describe(parameters);
  parameters.field(reduction_parameter(), reduction_);
}

void AllReduceMethod::check(std::uint32_t ranks, Mistakes& mistakes) const {
  groups_.check(ranks, name_of(algorithm_), algorithm_ == AllReduceAlgorithm::hierarchical, mistakes);
  segments_.check(name_of(algorithm_), uses_switches(), mistakes);
}

void AllReduceMethod::add(const Group& group, std::uint64_t bytes) const {
  const auto size = static_cast<std::uint32_t>(group.size());
  if (size == 1) return;
  const Reduction reduction(reduction_);
  const auto tree = uses_switches() ? tree_of(group) : SwitchTree();
  in_chunks(group, bytes, static_cast<std::uint32_t>(chunks_), [&](const Group& chunk, std::uint64_t n) {
    switch (algorithm_) {
      case AllReduceAlgorithm::ring:
        return ring_all_reduce(chunk, Blocks::even(n, size), reduction);
      case AllReduceAlgorithm::recursive_doubling:
        return recursive_doubling(chunk, n, reduction);
      case AllReduceAlgorithm::rabenseifner:
        return rabenseifner(chunk, Blocks::even(n, std::bit_floor(size)), reduction);
      case AllReduceAlgorithm::tree:
        return tree_all_reduce(chunk, n, reduction);
      case AllReduceAlgorithm::double_tree:
        return double_tree(chunk, Blocks::even(n, 2), reduction);
      case AllReduceAlgorithm::hierarchical:
        return hierarchical(chunk, Blocks::even(n, size), groups_.size(), reduction);
      case AllReduceAlgorithm::in_network:
        return in_chunks(chunk, n, segments_.count(n), [&](const Group& segment, std::uint64_t of_segment) {
          in_network_all_reduce(segment, tree, of_segment, reduction);
        });
    }
  });
}

Entry<ProgramKind> all_reduce() {
  return {"all-reduce", "every rank gets the sum of the data of all ranks",
          "Patarasuk and Yuan 2009 (ring); Thakur, Rabenseifner and Gropp 2005 (recursive-doubling, "
          "rabenseifner, tree); Sanders, Speck and Träff 2009 (double-tree); Cho et al. 2019 (hierarchical); "
          "Graham et al. 2016 (in-network)",
          make_entry<ProgramKind, AllReduce>};
}

}  // namespace headway
