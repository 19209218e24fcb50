// SPDX-License-Identifier: Apache-2.0
// What several programs share: parameters and their checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/programs/collectives.h"
#include "headway/programs/kind.h"

namespace headway {

Parameter bytes_parameter(std::string_view name, std::string_view help);
Parameter time_parameter(std::string_view name, std::string_view help);
Parameter count_parameter(std::string_view name, std::string_view help);
Parameter chunks_parameter();
Parameter root_parameter();
Parameter reduction_parameter();

inline std::uint64_t bytes_of(Bytes size) { return static_cast<std::uint64_t>(size.count); }

void check_root(std::int64_t root, std::uint32_t ranks, Mistakes& mistakes);

// The points of a grid, numbered with the first dimension fastest, are the ranks.
class RankGrid {
 public:
  void describe(Parameters& parameters);  // "shape"
  std::optional<std::uint32_t> ranks() const;
  void check(std::optional<std::size_t> dimensions, Mistakes& mistakes) const;
  // Without a shape: the two sides that are closest to each other, the longer one first.
  std::vector<std::uint32_t> sides(std::uint32_t ranks) const;

 private:
  std::vector<std::int64_t> shape_;
};

// The first ranks have one role, the others another one, such as clients and servers.
class TwoRoles {
 public:
  // Without `second_count`, each has half of the ranks unless a number is given.
  TwoRoles(std::string_view first, std::string_view second, std::optional<std::uint32_t> second_count)
      : first_name_(first), second_name_(second), second_count_(second_count) {}

  void describe(Parameters& parameters, std::string_view first_help, std::string_view second_help);
  std::optional<std::uint32_t> ranks() const;
  bool check(std::uint32_t ranks, Mistakes& mistakes) const;
  std::pair<std::uint32_t, std::uint32_t> counts(std::uint32_t ranks) const;

 private:
  std::string_view first_name_, second_name_;
  std::optional<std::uint32_t> second_count_;  // unless a number is given
  std::optional<std::int64_t> first_, second_;
};

}  // namespace headway
