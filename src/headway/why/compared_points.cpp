// SPDX-License-Identifier: Apache-2.0
#include "headway/why/compared_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "headway/base/plural.h"
#include "headway/base/visible.h"
#include "headway/config/toml.h"
#include "headway/run/results_dir.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

using Values = std::map<std::string, std::string>;  // by key
constexpr std::size_t kMostNumbers = 2;             // that name a point

Values params_of(const PointResult& point) { return {point.params.begin(), point.params.end()}; }

// In the order of the keys.
std::string sorted_params(const PointResult& point) {
  const Values params = params_of(point);
  return params_text({params.begin(), params.end()});
}

// As values of points are written.
std::string unquoted(std::string text) {
  const bool is_quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// The resolved spec of a directory; empty if the directory does not have it any more.
Document spec_in(const std::filesystem::path& directory) {
  std::error_code error;
  return std::filesystem::exists(directory / "spec.toml", error) ? read_toml(directory / "spec.toml")
                                                                 : Document();
}

// The keys in which two specs differ, and those that a sweep varies.
std::set<std::string> keys_to_name(const Document& first, const Document& second, const PointResult& a,
                                   const PointResult& b) {
  std::set<std::string> keys = differing_keys(first, second);
  std::erase_if(keys, [](const std::string& key) { return key.starts_with("sweep"); });
  for (const PointResult* const point : {&a, &b})
    for (const auto& [key, value] : point->params) keys.insert(key);
  return keys;
}

// The value of a key at a point: that of the sweep, or of the spec.
std::optional<std::string> value_of_point(const PointResult& point, const Document& spec,
                                          const std::string& key) {
  const Values swept = params_of(point);
  if (const auto found = swept.find(key); found != swept.end()) return found->second;
  const Document* const found = spec.find(key);
  return found == nullptr ? std::nullopt : std::optional(unquoted(to_text(*found)));
}

bool belong_together(const PointResult& a, const PointResult& b) {
  const Values of_b = params_of(b);
  return std::ranges::all_of(a.params, [&](const auto& param) {
    const auto found = of_b.find(param.first);
    return found == of_b.end() || found->second == param.second;
  });
}

// "out has 2 points (1: switch.scheme = 1q; 2: switch.scheme = fbicm)"
std::string list_of(const StoredPoints& stored, const std::vector<PointResult>& points) {
  constexpr std::size_t kMostListed = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(points.size(), kMostListed) && !points[i].params.empty(); ++i)
    list += fmt::format("{}{}: {}", i == 0 ? "" : "; ", i + 1, sorted_params(points[i]));
  if (!list.empty()) list = fmt::format(" ({}{})", list, points.size() > kMostListed ? "; ..." : "");
  return fmt::format("{} has {}{}", visible(stored.directory.string()), plural(points.size(), "point"), list);
}

// A word such as "fbicm" says by itself what it is; a number or a quantity does not.
bool is_word(const std::string& value) {
  return value.find(' ') == value.npos && value.find_first_not_of("0123456789.-") != value.npos;
}

// Names two points by the values that differ. `first` and `second` have the same keys.
void name(ComparedPair& pair, const Values& first, const Values& second) {
  Params common, numbers_of_first, numbers_of_second;
  std::vector<std::string> words_of_first, words_of_second;
  for (const auto& [key, value] : first) {
    const std::string& other = second.at(key);
    if (value == other) {
      common.emplace_back(key, value);
    } else if (is_word(value) && is_word(other)) {
      words_of_first.push_back(value);
      words_of_second.push_back(other);
    } else if (numbers_of_first.size() < kMostNumbers) {
      numbers_of_first.emplace_back(key, value);
      numbers_of_second.emplace_back(key, other);
    }
  }
  std::string more_of_first, more_of_second;
  if (!words_of_first.empty()) {
    pair.first_name = fmt::format("{}", fmt::join(words_of_first, ", "));
    pair.second_name = fmt::format("{}", fmt::join(words_of_second, ", "));
    if (!numbers_of_first.empty()) {
      more_of_first = fmt::format(" ({})", params_text(numbers_of_first));
      more_of_second = fmt::format(" ({})", params_text(numbers_of_second));
    }
  } else if (!numbers_of_first.empty()) {
    pair.first_name = params_text(numbers_of_first);
    pair.second_name = params_text(numbers_of_second);
  }
  pair.heading = fmt::format("{}{} compared with {}{}", pair.first_name, more_of_first, pair.second_name,
                             more_of_second);
  if (!common.empty()) pair.heading += ", both with " + params_text(common);
}

ComparedPair pair_of(const StoredPoints& first, const StoredPoints& second, const PointResult& a,
                     const PointResult& b) {
  ComparedPair pair{.first = a,
                    .second = b,
                    .first_name = visible(first.directory.string()),
                    .second_name = visible(second.directory.string())};
  const Document in_first = spec_in(first.directory), in_second = spec_in(second.directory);
  Values of_a, of_b;
  for (const std::string& key : keys_to_name(in_first, in_second, a, b)) {
    const auto in_a = value_of_point(a, in_first, key), in_b = value_of_point(b, in_second, key);
    // A scheme has keys of its own, which do not tell more than its name.
    if (!in_a || !in_b) continue;
    of_a[key] = *in_a;
    of_b[key] = *in_b;
  }
  name(pair, of_a, of_b);
  return pair;
}

}  // namespace

std::vector<PointResult> chosen_points(const StoredPoints& stored) {
  std::vector<PointResult> points = results_in(stored.directory);
  if (!stored.point) return points;
  if (*stored.point >= points.size())
    throw NoResult(fmt::format("{} has {}, so there is no point {}", visible(stored.directory.string()),
                               plural(points.size(), "point"), *stored.point + 1));
  return {std::move(points[*stored.point])};
}

std::vector<ComparedPair> compared_points(const StoredPoints& first, const StoredPoints& second) {
  const std::vector<PointResult> of_first = chosen_points(first), of_second = chosen_points(second);
  std::vector<ComparedPair> pairs;
  if (of_first.size() == 1 && of_second.size() == 1) {
    pairs.push_back(pair_of(first, second, of_first.front(), of_second.front()));
    return pairs;
  }
  for (const PointResult& a : of_first) {
    std::vector<const PointResult*> partners;
    for (const PointResult& b : of_second)
      if (belong_together(a, b)) partners.push_back(&b);
    if (partners.size() == 1) pairs.push_back(pair_of(first, second, a, *partners.front()));
  }
  if (pairs.size() == of_first.size() && pairs.size() == of_second.size()) return pairs;
  throw NoResult(
      fmt::format("the points do not form pairs with the same swept values; --point N, given twice, "
                  "selects a point of each directory; {}; {}",
                  list_of(first, of_first), list_of(second, of_second)));
}

}  // namespace headway
