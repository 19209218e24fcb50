// SPDX-License-Identifier: Apache-2.0
// Ping-pong: pairs of ranks send a message to and fro. Source: PingPong of the Intel MPI Benchmarks.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class PingPong final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(bytes_parameter("size", "bytes of a message, in each direction"), size_);
    parameters.field(count_parameter("rounds", "number of times that a message goes to and fro"), rounds_);
  }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    if (ranks % 2 != 0)
      mistakes.add("ranks", std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"), "an even number");
  }

  // Choice: with more than two ranks, all pairs play at the same time, rank r of the first half with rank r
  // of the second half, as in osu_multi_lat of the OSU benchmarks.
  void build(ProgramBuilder& builder) const override {
    const std::uint32_t half = builder.ranks() / 2;
    for (std::uint32_t rank = 0; rank < half; ++rank) {
      Steps first(builder, rank), second(builder, rank + half);
      for (std::int64_t round = 0; round < rounds_; ++round) {
        exchange(first, second);
        exchange(second, first);
      }
    }
  }

 private:
  void exchange(Steps& from, Steps& to) const {
    from.send(to.rank(), bytes_of(size_));
    from.next();
    to.receive(from.rank(), bytes_of(size_));
    to.next();
  }

  Bytes size_{64};
  std::int64_t rounds_ = 1;
};

}  // namespace

Entry<ProgramKind> ping_pong() {
  return {"ping-pong", "pairs of ranks send a message to and fro", "Intel MPI Benchmarks",
          make_entry<ProgramKind, PingPong>};
}

}  // namespace headway
