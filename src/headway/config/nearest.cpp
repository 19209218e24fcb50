// SPDX-License-Identifier: Apache-2.0
#include "headway/config/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "headway/base/small_letters.h"
#include "headway/config/other_names.h"

namespace headway {
namespace {

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

// Returns true if the candidate is the name, or the last part of its path, or of a command with its option.
bool is_called(std::string_view candidate, std::string_view name) {
  if (candidate == name) return true;
  if (!name.ends_with(candidate)) return false;
  const char before = name[name.size() - candidate.size() - 1];
  return before == '.' || before == ' ';
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string wanted = in_small_letters(word);
  if (wanted.empty() || wanted.size() > 64) return std::nullopt;
  // A name that only lacks a letter of one here, such as a plural, is no name of another tool.
  constexpr std::size_t kFewestLetters = 3;
  for (const std::string_view candidate : candidates)
    if (wanted.size() >= kFewestLetters && candidate.size() == wanted.size() + 1 &&
        edits(wanted, in_small_letters(candidate)) == 1)
      return candidate;
  for (const std::string_view ours : called_here(word))
    for (const std::string_view candidate : candidates)
      if (!candidate.empty() && is_called(candidate, ours)) return candidate;
  std::optional<std::string_view> best;
  std::size_t fewest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string_view candidate : candidates)
    if (const std::size_t count = edits(wanted, in_small_letters(candidate)); count < fewest) {
      fewest = count;
      best = candidate;
    }
  if (best) return best;
  for (const std::string_view candidate : candidates)
    if (in_small_letters(candidate).starts_with(wanted)) {
      if (best) return std::nullopt;
      best = candidate;
    }
  return best;
}

std::string unknown(std::string_view what, std::string_view word, std::span<const std::string_view> valid) {
  if (const auto meant = nearest(word, valid))
    return fmt::format("unknown {} '{}'; did you mean '{}'?", what, word, *meant);
  constexpr std::size_t kFew = 16;
  if (valid.size() > kFew) return fmt::format("unknown {} '{}'", what, word);
  return fmt::format("unknown {} '{}'; valid: {}", what, word, fmt::join(valid, ", "));
}

}  // namespace headway
