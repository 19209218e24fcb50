// SPDX-License-Identifier: Apache-2.0
// The axes of a [sweep] table, and the points, which are their product.
//
// [sweep] has a list or a range (sweep_range.h) of values per dotted key, the last varying fastest. The keys
// of one [[sweep.zip]] table advance together and are one axis.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/document.h"

namespace headway {

using Params = std::vector<std::pair<std::string, std::string>>;  // swept key -> value as written

// What tables for people call the keys: by their last parts, unless that would also name another one of them
// or the seed of a run.
std::vector<std::string> short_keys(const Params& params);
// "switch.scheme = 1q, traffic.flow.load = 0.4"
std::string params_text(const Params& params);

// Keys that advance together, and their values row by row.
struct SweepAxis {
  struct Key {
    std::string name;
    std::string where;
  };
  std::vector<Key> keys;
  std::vector<std::vector<Document>> rows;  // [row][key]
};

class SweepAxes {
 public:
  static constexpr std::size_t kMostPoints = 1'000'000;

  SweepAxes() = default;
  // The axes of the document's table [sweep], if it has one.
  SweepAxes(const Document& document, Mistakes& mistakes);

  // Sweeps `key` over a list or a range. This replaces an existing sweep of the key; the axis keeps its
  // position if the key was swept alone.
  void sweep(const std::string& key, const Document& values, const Document& document, Mistakes& mistakes);

  const std::vector<SweepAxis>& list() const { return axes_; }
  bool empty() const { return axes_.empty(); }
  std::vector<std::string> keys() const;
  // Removes the keys for which `is_set` returns true.
  void drop(const std::function<bool(const SweepAxis::Key&)>& is_set);

  // Number of points; nullopt if it exceeds kMostPoints.
  std::optional<std::size_t> points() const;
  // The row of an axis that a point uses.
  std::size_t row(std::size_t axis, std::size_t point) const;
  // The point that uses the first row of the axis and otherwise the same rows.
  std::size_t with_first_row(std::size_t axis, std::size_t point) const;
  Params params(std::size_t point) const;
  // Sets the swept keys to the values of the point. `refused` receives the errors.
  void set(std::size_t point, Document& document,
           const std::function<void(const SweepAxis::Key&, std::string problem)>& refused) const;

  // As a [sweep] table.
  Document table() const;

 private:
  std::size_t stride(std::size_t axis) const;
  // Visits the keys of every axis with their values at the point.
  template <class Visit>
  void for_each(std::size_t point, Visit&& visit) const;

  std::vector<SweepAxis> axes_;
};

}  // namespace headway
