// SPDX-License-Identifier: Apache-2.0
// Broadcast and reduce: the data of the root go to all ranks, and the sum of the data of all ranks goes to
// the root, along a binomial tree of ranks or a tree of switches.
#include "headway/programs/in_network.h"

namespace headway {
namespace {

enum class RootedAlgorithm { binomial, in_network };
constexpr auto names_in_specs(RootedAlgorithm) { return name_list("binomial", "in-network"); }

template <bool kReduces>
class Broadcast final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        bytes_parameter("size", kReduces ? "bytes of each rank's data, and of the result"
                                         : "bytes of the root's data, which every rank receives"),
        size_);
    parameters.field(root_parameter(), root_);
    parameters.field({.name = "algorithm", .help = "the tree that the data go along"}, algorithm_);
    parameters.field(chunks_parameter(), chunks_);
    segments_.describe(parameters);
    if constexpr (kReduces) parameters.field(reduction_parameter(), reduction_);
  }
  bool uses_switches() const override { return algorithm_ == RootedAlgorithm::in_network; }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    check_root(root_, ranks, mistakes);
    segments_.check(name_of(algorithm_), uses_switches(), mistakes);
  }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    const auto root = static_cast<std::uint32_t>(root_);
    const bool in_switches = uses_switches() && builder.ranks() > 1;
    const auto tree = in_switches ? tree_of(all.group()) : SwitchTree();
    in_chunks(all.group(), bytes_of(size_), static_cast<std::uint32_t>(chunks_),
              [&](const Group& chunk, std::uint64_t bytes) {
                if (in_switches) return add_segments(chunk, tree, root, bytes);
                if constexpr (kReduces)
                  reduce(chunk, root, bytes, Reduction(reduction_));
                else
                  broadcast(chunk, root, bytes);
              });
  }
  double bus_bytes(std::uint32_t) const override { return static_cast<double>(size_.count); }

 private:
  void add_segments(const Group& group, const SwitchTree& tree, std::uint32_t root,
                    std::uint64_t bytes) const {
    in_chunks(group, bytes, segments_.count(bytes), [&](const Group& segment, std::uint64_t of_segment) {
      if constexpr (kReduces)
        in_network_reduce(segment, tree, root, of_segment, Reduction(reduction_));
      else
        in_network_broadcast(segment, tree, root, of_segment);
    });
  }

  Bytes size_{1 << 20};
  std::int64_t root_ = 0;
  RootedAlgorithm algorithm_ = RootedAlgorithm::binomial;
  std::int64_t chunks_ = 1;
  Segments segments_;
  Rate reduction_;
};

}  // namespace

Entry<ProgramKind> broadcast() {
  return {"broadcast", "every rank gets the data of the root, along a tree",
          "Thakur, Rabenseifner and Gropp 2005 (binomial); Graham et al. 2016 (in-network)",
          make_entry<ProgramKind, Broadcast<false>>};
}
Entry<ProgramKind> reduce() {
  return {"reduce", "the root gets the sum of the data of all ranks, along a tree",
          "Thakur, Rabenseifner and Gropp 2005 (binomial); Graham et al. 2016 (in-network)",
          make_entry<ProgramKind, Broadcast<true>>};
}

}  // namespace headway
