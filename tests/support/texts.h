// SPDX-License-Identifier: Apache-2.0
// The parts that a function gives a sink, as one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/run/collection.h"
#include "headway/run/results.h"

namespace headway::test {

template <class Write>
std::string text_of(Write write) {
  std::string text;
  write([&](std::string_view part) { text += part; });
  return text;
}

inline std::vector<const PointResult*> pointers(const std::vector<PointResult>& points) {
  std::vector<const PointResult*> all;
  for (const PointResult& point : points) all.push_back(&point);
  return all;
}

inline std::string json_of(std::string_view resolved_spec, const std::vector<PointResult>& points) {
  return text_of([&](const Sink& to) { results_json(resolved_spec, pointers(points), to); });
}
inline std::string json_of(const Collection& collection) {
  return text_of([&](const Sink& to) { collection.json(to); });
}
inline std::string csv_of(const std::vector<PointResult>& points) {
  return text_of([&](const Sink& to) { results_csv(pointers(points), to); });
}
inline std::string table_of(const std::vector<PointResult>& points, std::string_view table) {
  return text_of([&](const Sink& to) { table_csv(pointers(points), table, to); });
}

}  // namespace headway::test
