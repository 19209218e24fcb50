// SPDX-License-Identifier: Apache-2.0
// The timelines of the jobs of a run as data of a page.
#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/metrics/rows.h"
#include "headway/run/timeline.h"
#include "headway/view/page_data.h"
#include "headway/view/page_tables.h"

namespace headway {
namespace {

constexpr std::size_t kMostJobs = 16;
constexpr std::size_t kMostRanks = 256;  // of a job
// Limits of the timelines of all jobs together.
constexpr std::size_t kMostStretches = 256'000, kMostSteps = 20'000;

using Stretches = std::vector<Timeline::Stretch>;

// The stretches of a row that has too many: in each of equal slots, what its rank does for most of the time.
class Slots {
 public:
  Slots(double from, double length, std::size_t count) : from_(from), length_(length), times_(count) {}

  void add(const Timeline::Stretch& one) {
    row_ = one.row;
    for (std::size_t slot = slot_of(one.from); slot <= slot_of(one.to); ++slot)
      times_[slot][static_cast<std::size_t>(one.doing)] +=
          std::max(0.0, std::min(one.to, begin(slot + 1)) - std::max(one.from, begin(slot)));
  }

  void move_to(Stretches& into) {
    const std::size_t first = into.size();
    for (std::size_t slot = 0; slot < times_.size(); ++slot) {
      const auto most = std::ranges::max_element(times_[slot]);
      const double idle = length_ - std::accumulate(times_[slot].begin(), times_[slot].end(), 0.0);
      if (*most <= idle) continue;
      const auto doing = static_cast<Doing>(most - times_[slot].begin());
      if (into.size() > first && into.back().doing == doing && into.back().to == begin(slot))
        into.back().to = begin(slot + 1);
      else
        into.push_back({row_, doing, begin(slot), begin(slot + 1)});
    }
    std::ranges::fill(times_, std::array<double, kDoings>{});
  }

 private:
  double begin(std::size_t slot) const { return from_ + length_ * static_cast<double>(slot); }
  std::size_t slot_of(double ns) const {
    return std::min(static_cast<std::size_t>((ns - from_) / length_), times_.size() - 1);
  }

  double from_, length_;
  std::size_t row_ = 0;
  std::vector<std::array<double, kDoings>> times_;
};

// At most `most` stretches. `slot_ns` is the length of the slots of rows that have too many; 0: no row has.
Stretches bounded(const Timeline& timeline, std::size_t most, double& slot_ns) {
  slot_ns = 0;
  if (timeline.stretches.size() <= most) return timeline.stretches;
  const std::size_t count = most / timeline.ranks.size();
  slot_ns = (timeline.to - timeline.from) / static_cast<double>(count);
  Slots slots(timeline.from, slot_ns, count);
  Stretches kept;
  for (std::size_t first = 0, end = 0; first < timeline.stretches.size(); first = end) {
    while (end < timeline.stretches.size() && timeline.stretches[end].row == timeline.stretches[first].row)
      ++end;
    const auto row = std::span(timeline.stretches).subspan(first, end - first);
    if (row.size() <= count) {
      kept.insert(kept.end(), row.begin(), row.end());
      continue;
    }
    for (const Timeline::Stretch& one : row) slots.add(one);
    slots.move_to(kept);
  }
  return kept;
}

Json stretches_data(const Stretches& stretches) {
  using Stretch = Timeline::Stretch;
  return {
      {"row", list_of(stretches, &Stretch::row)},
      {"doing", list_of(stretches, [](const Stretch& one) { return static_cast<std::size_t>(one.doing); })},
      {"from_ns", list_of(stretches, &Stretch::from)},
      {"to_ns", list_of(stretches, &Stretch::to)}};
}

// The steps as the table critical_path has them, and where the picture has them.
Json path_data(const Timeline& timeline, const Table& steps, const std::vector<std::size_t>& kept) {
  using Step = Timeline::Step;
  std::vector<std::size_t> rows;
  for (const std::size_t at : kept) rows.push_back(timeline.path[at].number);
  const auto of_steps = [&](auto value) {
    return list_of(kept, [&](std::size_t at) { return timeline.path[at].*value; });
  };
  Json json = table_data(steps, rows);
  json["row"] = of_steps(&Step::row);
  json["last_row"] = of_steps(&Step::last_row);
  json["from_ns"] = of_steps(&Step::from);
  json["to_ns"] = of_steps(&Step::to);
  json["waits_ns"] = of_steps(&Step::waits);
  return json;
}

Json timeline_data(const Timeline& timeline, const Table& steps, std::size_t jobs) {
  double slot_ns = 0;
  const Stretches stretches = bounded(timeline, kMostStretches / jobs, slot_ns);
  const std::vector<std::size_t> path = largest(timeline.path.size(), kMostSteps / jobs, [&](std::size_t at) {
    return timeline.path[at].to - timeline.path[at].from;
  });
  Json doings = Json::array();
  for (std::size_t i = 0; i < kDoings; ++i) doings.push_back(name_of(static_cast<Doing>(i)));
  return {{"doings", std::move(doings)},
          {"ranks", timeline.ranks},
          {"all_ranks", timeline.all_ranks},
          {"from_ns", timeline.from},
          {"to_ns", timeline.to},
          {"stretches", stretches_data(stretches)},
          {"slot_ns", slot_ns},
          {"path", path_data(timeline, steps, path)},
          {"steps_left_out", timeline.path.size() - path.size()}};
}

}  // namespace

void add_jobs(Json& json, const PointResult& point) {
  const std::vector<JobRow> all = rows_in<JobRow>(point.result);
  const std::size_t jobs = std::min(all.size(), kMostJobs);
  if (jobs == 0) return;
  Json list = Json::array();
  for (const JobRow& row : std::span(all).first(jobs)) {
    const std::string_view job = row.job;
    try {
      const Timeline timeline = make_timeline(point, job, kMostRanks);
      list.push_back({{"job", job},
                      {"note", timeline.note},
                      {"timeline", timeline_data(timeline, table_in<StepRow>(point.result), jobs)}});
    } catch (const NoTimeline& reason) {
      list.push_back({{"job", job}, {"note", reason.text()}, {"timeline", nullptr}});
    }
  }
  json["jobs"] = std::move(list);
  json["jobs_left_out"] = all.size() - jobs;
}

}  // namespace headway
