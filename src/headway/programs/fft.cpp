// SPDX-License-Identifier: Apache-2.0
// A Fourier transform in three dimensions: each rank has pencils of the data, which lie along one dimension
// at a time. Two transposes turn them: all-to-alls among the ranks of each row, then of each column, of a
// grid of ranks. Source: Pekurovsky, "P3DFFT: a framework for parallel computations of Fourier transforms in
// three dimensions", SIAM J. Scientific Computing 34(4), 2012.
#include "headway/programs/all_to_all.h"

namespace headway {
namespace {

class Fft final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    grid_.describe(parameters);
    parameters.field(
        bytes_parameter("size",
                        "bytes of each rank's data; in a transpose, it sends an equal part, rounded "
                        "up, to each rank of its row or column"),
        size_);
    parameters.field(
        time_parameter("compute", "time of the transform along one dimension, of which there are three"),
        compute_);
    method_.describe(parameters);
  }
  std::optional<std::uint32_t> ranks() const override { return grid_.ranks(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    Mistakes of_grid;
    grid_.check(2, of_grid);
    mistakes.add_all(of_grid.list());
    if (!of_grid.empty()) return;
    for (const std::uint32_t side : grid_.sides(ranks)) {  // of the same mistake, once
      const std::size_t before = mistakes.list().size();
      method_.check(side, mistakes);
      if (mistakes.list().size() > before) return;
    }
  }

  void build(ProgramBuilder& builder) const override {
    const AllRanks all(builder);
    const std::vector<std::uint32_t> sides = grid_.sides(builder.ranks());
    const std::uint32_t columns = sides[0], rows = sides[1];
    compute(all.group(), picoseconds(compute_));
    in_groups(all.group(), columns, 1, [this](const Group& row) { transpose(row); });
    compute(all.group(), picoseconds(compute_));
    in_groups(all.group(), rows, columns, [this](const Group& column) { transpose(column); });
    compute(all.group(), picoseconds(compute_));
  }

 private:
  void transpose(const Group& group) const {
    method_.add(group, (bytes_of(size_) + group.size() - 1) / group.size());
  }

  RankGrid grid_;
  Bytes size_{1 << 20};
  Duration compute_;
  AllToAllMethod method_;
};

}  // namespace

Entry<ProgramKind> fft() {
  return {"fft",
          "Fourier transform of pencils: all-to-alls in the rows, then in the columns, of a grid of ranks",
          "Pekurovsky 2012", make_entry<ProgramKind, Fft>};
}

}  // namespace headway
