// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter: rank r gets block r of the sum of the data of all ranks, in a ring.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class ReduceScatter final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        bytes_parameter("size", "bytes of each rank's data; the result of a rank is its block of them"),
        size_);
    parameters.field(chunks_parameter(), chunks_);
    parameters.field(reduction_parameter(), reduction_);
  }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    in_chunks(all.group(), bytes_of(size_), static_cast<std::uint32_t>(chunks_),
              [&](const Group& chunk, std::uint64_t bytes) {
                ring_reduce_scatter(chunk, Blocks::even(bytes, builder.ranks()), Reduction(reduction_));
              });
  }
  double bus_bytes(std::uint32_t ranks) const override {
    return (ranks - 1.0) / ranks * static_cast<double>(size_.count);
  }

 private:
  Bytes size_{1 << 20};
  std::int64_t chunks_ = 1;
  Rate reduction_;
};

}  // namespace

Entry<ProgramKind> reduce_scatter() {
  return {"reduce-scatter", "every rank gets its block of the sum of the data of all ranks, in a ring",
          "Patarasuk and Yuan 2009", make_entry<ProgramKind, ReduceScatter>};
}

}  // namespace headway
