// SPDX-License-Identifier: Apache-2.0
// All-gather: every rank gets the data of all ranks.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class AllGather final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        bytes_parameter("size", "bytes of each rank's data; the result has as many of every rank"), size_);
    parameters.field({.name = "algorithm", .help = "algorithm of the all-gather"}, algorithm_);
    parameters.field(chunks_parameter(), chunks_);
  }
  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    in_chunks(all.group(), bytes_of(size_), static_cast<std::uint32_t>(chunks_),
              [&](const Group& chunk, std::uint64_t bytes) {
                add_all_gather(algorithm_, chunk, Blocks(std::vector<std::uint64_t>(builder.ranks(), bytes)));
              });
  }
  double bus_bytes(std::uint32_t ranks) const override {
    return (ranks - 1.0) * static_cast<double>(size_.count);
  }

 private:
  Bytes size_{64 << 10};
  AllGatherAlgorithm algorithm_ = AllGatherAlgorithm::ring;
  std::int64_t chunks_ = 1;
};

}  // namespace

Entry<ProgramKind> all_gather() {
  return {"all-gather", "every rank gets the data of all ranks",
          "Thakur, Rabenseifner and Gropp 2005 (ring); Bruck et al. 1997 (bruck)",
          make_entry<ProgramKind, AllGather>};
}

}  // namespace headway
