// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/parts.h"

#include <algorithm>
#include <limits>
#include <string>

#include "headway/config/limits.h"

namespace headway {
namespace {

constexpr std::size_t kMostDimensions = 8;

}  // namespace

Parameter bytes_parameter(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .bounds = Bounds::from(1, limits::kBytes)};
}
Parameter time_parameter(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .bounds = Bounds::from(0, limits::kTime)};
}
Parameter count_parameter(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .bounds = Bounds::from(1, limits::kNumber)};
}
Parameter chunks_parameter() {
  return {.name = "chunks",
          .help =
              "number of chunks into which the data are cut; each goes its way without waiting for the "
              "others",
          .bounds = Bounds::from(1, 1e6)};
}
Parameter root_parameter() {
  return {.name = "root", .help = "rank of the root", .bounds = Bounds::from(0, limits::kNumber)};
}
Parameter reduction_parameter() {
  return {.name = "reduction",
          .help =
              "rate at which a rank combines what it has received with its own data, on its CPU; 0: in "
              "no time",
          .bounds = Bounds::from(0, limits::kRate)};
}

void check_root(std::int64_t root, std::uint32_t ranks, Mistakes& mistakes) {
  if (root >= ranks)
    mistakes.add("root", "there is no rank " + std::to_string(root),
                 "ranks are 0 to " + std::to_string(ranks - 1));
}

void RankGrid::describe(Parameters& parameters) {
  parameters.field({.name = "shape",
                    .help = "numbers of ranks in each dimension of the grid, the first one fastest: [8, 4]; "
                            "default: two dimensions, as close to each other as the number of ranks permits",
                    .bounds = Bounds::from(1, limits::kNumber)},
                   shape_);
}

std::optional<std::uint32_t> RankGrid::ranks() const {
  if (shape_.empty()) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t ranks = 1;
  for (const std::int64_t side : shape_) ranks = std::min(kMost, ranks * static_cast<std::uint64_t>(side));
  return static_cast<std::uint32_t>(ranks);
}

void RankGrid::check(std::optional<std::size_t> dimensions, Mistakes& mistakes) const {
  if (shape_.empty()) return;
  if (dimensions && shape_.size() != *dimensions)
    mistakes.add("shape", "has " + std::to_string(shape_.size()) + " dimensions",
                 "give " + std::to_string(*dimensions));
  else if (shape_.size() > kMostDimensions)
    mistakes.add("shape", "has " + std::to_string(shape_.size()) + " dimensions",
                 "at most " + std::to_string(kMostDimensions));
}

// Choice: as MPI_Dims_create, the longer side first.
std::vector<std::uint32_t> RankGrid::sides(std::uint32_t ranks) const {
  if (!shape_.empty()) return {shape_.begin(), shape_.end()};
  std::uint32_t shorter = 1;
  for (std::uint32_t side = 2; std::uint64_t{side} * side <= ranks; ++side)
    if (ranks % side == 0) shorter = side;
  return {ranks / shorter, shorter};
}

void TwoRoles::describe(Parameters& parameters, std::string_view first_help, std::string_view second_help) {
  parameters.field(count_parameter(first_name_, first_help), first_);
  parameters.field(count_parameter(second_name_, second_help), second_);
}

std::optional<std::uint32_t> TwoRoles::ranks() const {
  if (!first_ || !second_) return std::nullopt;
  return static_cast<std::uint32_t>(*first_ + *second_);
}

bool TwoRoles::check(std::uint32_t ranks, Mistakes& mistakes) const {
  if (ranks < 2) {
    mistakes.add("ranks", "1 rank",
                 "at least 2, for " + std::string(first_name_) + " and " + std::string(second_name_));
    return false;
  }
  for (const auto& [name, count] : {std::pair(first_name_, first_), std::pair(second_name_, second_)})
    if (count && *count >= ranks) {
      mistakes.add(std::string(name), "leaves no other of the " + std::to_string(ranks) + " ranks",
                   "at most " + std::to_string(ranks - 1));
      return false;
    }
  return true;
}

std::pair<std::uint32_t, std::uint32_t> TwoRoles::counts(std::uint32_t ranks) const {
  if (first_) return {static_cast<std::uint32_t>(*first_), ranks - static_cast<std::uint32_t>(*first_)};
  const std::uint32_t second =
      second_ ? static_cast<std::uint32_t>(*second_) : second_count_.value_or(ranks - ranks / 2);
  return {ranks - second, second};
}

}  // namespace headway
