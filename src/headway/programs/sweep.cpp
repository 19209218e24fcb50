// SPDX-License-Identifier: Apache-2.0
// Wavefronts over a grid of two dimensions: a rank waits for its neighbours on the side of the corner where
// the sweep began, computes, and sends to those on the other side. Source: Koch, Baker, Alcouffe, "Solution
// of the first-order form of the 3-D discrete ordinates equation on a massively parallel processor", Trans.
// American Nuclear Society 65, 1992 (KBA); Sweep3D.
#include "headway/programs/parts.h"

namespace headway {
namespace {

class WavefrontSweep final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    grid_.describe(parameters);
    parameters.field(bytes_parameter("size", "bytes that a rank sends to a neighbour in a block"), size_);
    parameters.field(time_parameter("compute", "time that a rank computes in a block"), compute_);
    parameters.field({.name = "blocks",
                      .help = "number of blocks that a sweep takes through the grid one after another, such "
                              "as planes and angles",
                      .bounds = Bounds::from(1, 1e6)},
                     blocks_);
    parameters.field(
        {.name = "sweeps",
         .help = "number of sweeps; each starts in the next corner of the grid when the rank has "
                 "done the one before",
         .bounds = Bounds::from(1, 1e6)},
        sweeps_);
  }
  std::optional<std::uint32_t> ranks() const override { return grid_.ranks(); }
  void check(std::uint32_t, Mistakes& mistakes) const override { grid_.check(2, mistakes); }

  void build(ProgramBuilder& builder) const override {
    const std::vector<std::uint32_t> sides = grid_.sides(builder.ranks());
    const std::uint64_t neighbours = 2 * std::uint64_t{builder.ranks()} - sides[0] - sides[1];  // pairs
    builder.expect(2 * neighbours * static_cast<std::uint64_t>(blocks_));  // so that the next product fits
    builder.expect(2 * neighbours * static_cast<std::uint64_t>(blocks_ * sweeps_));
    for (std::uint32_t rank = 0; rank < builder.ranks(); ++rank) {
      Steps steps(builder, rank);
      for (std::int64_t sweep = 0; sweep < sweeps_; ++sweep) {
        // Choice: the corners in their order around the grid, as in SST Ember: (0, 0), (last, 0), (last,
        // last), (0, last).
        const bool leftwards = sweep % 4 == 1 || sweep % 4 == 2, downwards = sweep % 4 >= 2;
        const auto before_x = neighbour(rank, sides[0], 1, leftwards);
        const auto after_x = neighbour(rank, sides[0], 1, !leftwards);
        const auto before_y = neighbour(rank, sides[1], sides[0], downwards);
        const auto after_y = neighbour(rank, sides[1], sides[0], !downwards);
        for (std::int64_t block = 0; block < blocks_; ++block) {
          if (before_x) steps.receive(*before_x, bytes_of(size_));
          if (before_y) steps.receive(*before_y, bytes_of(size_));
          steps.next();
          steps.compute(picoseconds(compute_));
          steps.next();
          if (after_x) steps.send(*after_x, bytes_of(size_));
          if (after_y) steps.send(*after_y, bytes_of(size_));
          steps.next();
        }
      }
    }
  }

 private:
  static std::optional<std::uint32_t> neighbour(std::uint32_t rank, std::uint32_t side, std::uint32_t stride,
                                                bool above) {
    const std::uint32_t place = rank / stride % side;
    if (place == (above ? side - 1 : 0)) return std::nullopt;
    return above ? rank + stride : rank - stride;
  }

  RankGrid grid_;
  Bytes size_{64 << 10};
  Duration compute_;
  std::int64_t blocks_ = 1;
  std::int64_t sweeps_ = 4;
};

}  // namespace

Entry<ProgramKind> sweep() {
  return {"sweep", "wavefronts over a grid of ranks from its corners",
          "Koch, Baker and Alcouffe 1992 (KBA); Sweep3D", make_entry<ProgramKind, WavefrontSweep>};
}

}  // namespace headway
