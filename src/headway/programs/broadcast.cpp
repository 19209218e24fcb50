// SPDX-License-Identifier: Apache-2.0
// Broadcast and reduce: the data of the root go to all ranks, and the sum of the data of all ranks goes to
// the root, along a binomial tree.
#include "headway/programs/parts.h"

namespace headway {
namespace {

template <bool kReduces>
class Broadcast final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        bytes_parameter("size", kReduces ? "bytes of each rank's data, and of the result"
                                         : "bytes of the root's data, which every rank receives"),
        size_);
    parameters.field(root_parameter(), root_);
    parameters.field(chunks_parameter(), chunks_);
    if constexpr (kReduces) parameters.field(reduction_parameter(), reduction_);
  }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override { check_root(root_, ranks, mistakes); }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    const auto root = static_cast<std::uint32_t>(root_);
    in_chunks(all.group(), bytes_of(size_), static_cast<std::uint32_t>(chunks_),
              [&](const Group& chunk, std::uint64_t bytes) {
                if constexpr (kReduces)
                  reduce(chunk, root, bytes, Reduction(reduction_));
                else
                  broadcast(chunk, root, bytes);
              });
  }
  double bus_bytes(std::uint32_t) const override { return static_cast<double>(size_.count); }

 private:
  Bytes size_{1 << 20};
  std::int64_t root_ = 0;
  std::int64_t chunks_ = 1;
  Rate reduction_;
};

}  // namespace

Entry<ProgramKind> broadcast() {
  return {"broadcast", "every rank gets the data of the root, along a binomial tree",
          "Thakur, Rabenseifner and Gropp 2005", make_entry<ProgramKind, Broadcast<false>>};
}
Entry<ProgramKind> reduce() {
  return {"reduce", "the root gets the sum of the data of all ranks, along a binomial tree",
          "Thakur, Rabenseifner and Gropp 2005", make_entry<ProgramKind, Broadcast<true>>};
}

}  // namespace headway
