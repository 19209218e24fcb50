// SPDX-License-Identifier: Apache-2.0
// Halo exchange: every rank of a grid computes and then exchanges the border of its part with its neighbours.
// Source: the motifs Halo3D and Halo3D26 of SST Ember.
#include <algorithm>

#include "headway/programs/parts.h"

namespace headway {
namespace {

using Direction = std::vector<int>;  // [dimension] -1, 0 or 1

// Along dimension 0, forwards and backwards, then along dimension 1, and so on; with corners, then all
// others.
std::vector<Direction> halo_directions(std::size_t dimensions, bool with_corners) {
  std::vector<Direction> directions;
  for (std::size_t d = 0; d < dimensions; ++d)
    for (const int step : {1, -1}) directions.emplace_back(dimensions)[d] = step;
  if (!with_corners) return directions;
  std::size_t count = 1;
  for (std::size_t d = 0; d < dimensions; ++d) count *= 3;
  for (std::size_t number = 0; number < count; ++number) {
    Direction direction;
    for (std::size_t d = 0, rest = number; d < dimensions; ++d, rest /= 3)
      direction.push_back(static_cast<int>(rest % 3) - 1);
    if (dimensions - static_cast<std::size_t>(std::ranges::count(direction, 0)) > 1)
      directions.push_back(direction);
  }
  return directions;
}

class Halo final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    grid_.describe(parameters);
    parameters.field({.name = "periodic", .help = "whether the grid goes on at its other side"}, periodic_);
    parameters.field(bytes_parameter("size", "bytes that a rank sends to each neighbour"), size_);
    parameters.field({.name = "corners",
                      .help = "whether ranks also exchange with neighbours in several dimensions at once, "
                              "which are 3^d - 1 neighbours in all, for d dimensions"},
                     corners_);
    parameters.field(
        bytes_parameter("corner_size",
                        "bytes for a neighbour in several dimensions at once; default: as for the others"),
        corner_size_);
    parameters.field(time_parameter("compute", "time that a rank computes before it sends"), compute_);
  }
  std::optional<std::uint32_t> ranks() const override { return grid_.ranks(); }
  void check(std::uint32_t, Mistakes& mistakes) const override {
    grid_.check(std::nullopt, mistakes);
    if (corner_size_ && !corners_)
      mistakes.add("corner_size", "no rank sends to its corners", "corners = true");
  }

  void build(ProgramBuilder& builder) const override {
    const std::vector<std::uint32_t> sides = grid_.sides(builder.ranks());
    const std::vector<Direction> directions = halo_directions(sides.size(), corners_);
    for (std::uint32_t rank = 0; rank < builder.ranks(); ++rank) {
      Steps steps(builder, rank);
      steps.compute(picoseconds(compute_));
      steps.next();
      const auto for_each_neighbour = [&](int sign, auto&& visit) {
        for (std::uint32_t tag = 0; tag < directions.size(); ++tag)
          if (const auto other = neighbour(sides, rank, directions[tag], sign))
            visit(*other, bytes_of(tag < 2 * sides.size() ? size_ : corner_size_.value_or(size_)), tag);
      };
      for_each_neighbour(1, [&](auto to, auto bytes, auto tag) { steps.send(to, bytes, tag); });
      for_each_neighbour(-1, [&](auto from, auto bytes, auto tag) { steps.receive(from, bytes, tag); });
    }
  }

 private:
  // Choice: a rank that is its own neighbour, in a dimension of one rank, sends nothing to itself.
  std::optional<std::uint32_t> neighbour(const std::vector<std::uint32_t>& sides, std::uint32_t rank,
                                         const Direction& direction, int sign) const {
    std::uint32_t other = 0, stride = 1;
    for (std::size_t d = 0; d < sides.size(); stride *= sides[d++]) {
      const std::int64_t side = sides[d];
      const std::int64_t place = std::int64_t{rank / stride % sides[d]} + sign * direction[d];
      if (!periodic_ && (place < 0 || place >= side)) return std::nullopt;
      other += static_cast<std::uint32_t>((place + side) % side) * stride;
    }
    return other == rank ? std::nullopt : std::optional(other);
  }

  RankGrid grid_;
  bool periodic_ = true;
  bool corners_ = false;
  Bytes size_{64 << 10};
  std::optional<Bytes> corner_size_;
  Duration compute_;
};

}  // namespace

Entry<ProgramKind> halo() {
  return {"halo", "ranks of a grid compute and exchange data with their neighbours",
          "SST Ember (Halo3D, Halo3D26)", make_entry<ProgramKind, Halo>};
}

}  // namespace headway
