// SPDX-License-Identifier: Apache-2.0
// The longest first, each to the shard that has the least work so far (R. L. Graham, "Bounds on
// multiprocessing timing anomalies", SIAM Journal on Applied Mathematics, 1969: at most 4/3 of the best).
#include "headway/run/deal.h"
#include "headway/base/parse_number.h"
#include "headway/compile/run_cost.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "headway/run/sweep.h"

namespace headway {
namespace {

// Runs that one shard must have.
struct Share {
  std::size_t first;
  std::size_t runs;
  double work;
};

std::vector<Share> shares_of(const Experiment& experiment, const std::vector<bool>& had) {
  const auto seeds = static_cast<std::size_t>(experiment.seeds);
  std::vector<Share> shares;
  for (std::size_t point = 0; point < experiment.points.size(); ++point) {
    const double work = expected_work(experiment, point);
    const std::size_t first = point * seeds;
    if (experiment.until) {
      const auto least = static_cast<std::size_t>(experiment.until->at_least);
      const auto runs = static_cast<std::size_t>(
          std::count(had.begin() + static_cast<std::ptrdiff_t>(first),
                     had.begin() + static_cast<std::ptrdiff_t>(first + least), false));
      shares.push_back({first, seeds, work * static_cast<double>(std::max<std::size_t>(runs, 1))});
      continue;
    }
    for (std::size_t run = first; run < first + seeds; ++run)
      if (!had[run]) shares.push_back({run, 1, work});
  }
  return shares;
}

}  // namespace

std::optional<Shard> shard_in(std::string_view text) {
  const auto number = take_number<std::uint64_t>(text);
  if (!number || !text.starts_with('/')) return std::nullopt;
  const auto of = parse_number<std::uint64_t>(text.substr(1));
  if (!of || *number < 1 || *number > *of || *of > kMostShards) return std::nullopt;
  return Shard{*number, *of};
}

std::vector<std::uint64_t> deal(const Experiment& experiment, std::uint64_t shards,
                                const std::vector<bool>& had) {
  std::vector<Share> shares = shares_of(experiment, had);
  std::ranges::stable_sort(shares, [](const Share& a, const Share& b) { return a.work > b.work; });
  using Load = std::pair<double, std::uint64_t>;  // work, shard; of equal ones, the first shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::uint64_t shard = 1; shard <= shards; ++shard) loads.emplace(0, shard);
  std::vector<std::uint64_t> shard_of(had.size(), 0);
  for (const Share& share : shares) {
    const auto [load, shard] = loads.top();
    loads.pop();
    loads.emplace(load + share.work, shard);
    std::fill_n(shard_of.begin() + static_cast<std::ptrdiff_t>(share.first), share.runs, shard);
  }
  return shard_of;
}

}  // namespace headway
