// SPDX-License-Identifier: Apache-2.0
#include "headway/view/job_data.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/run/timeline.h"
#include "headway/view/page_tables.h"

namespace headway {
namespace {

constexpr std::size_t kMostJobs = 16;
// Of the timelines of all jobs together.
constexpr std::size_t kMostStretches = 100'000, kMostSteps = 20'000;

Json stretches_data(const Timeline& timeline, const std::vector<std::size_t>& kept) {
  Json row = Json::array(), doing = Json::array(), from = Json::array(), to = Json::array();
  for (const std::size_t at : kept) {
    const Timeline::Stretch& one = timeline.stretches[at];
    row.push_back(one.row);
    doing.push_back(static_cast<std::size_t>(one.doing));
    from.push_back(one.from);
    to.push_back(one.to);
  }
  return {{"row", std::move(row)},
          {"doing", std::move(doing)},
          {"from_ns", std::move(from)},
          {"to_ns", std::move(to)}};
}

// The steps as the table critical_path has them, and where the picture has them.
Json path_data(const Timeline& timeline, const Table& steps, const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> rows;
  Json row = Json::array(), last_row = Json::array(), from = Json::array(), to = Json::array(),
       waits = Json::array();
  for (const std::size_t at : kept) {
    const Timeline::Step& step = timeline.path[at];
    rows.push_back(step.number);
    row.push_back(step.row);
    last_row.push_back(step.last_row);
    from.push_back(step.from);
    to.push_back(step.to);
    waits.push_back(step.waits);
  }
  Json json = table_data(steps, rows);
  json["row"] = std::move(row);
  json["last_row"] = std::move(last_row);
  json["from_ns"] = std::move(from);
  json["to_ns"] = std::move(to);
  json["waits_ns"] = std::move(waits);
  return json;
}

Json timeline_data(const Timeline& timeline, const Table& steps, std::size_t jobs) {
  const std::vector<std::size_t> stretches =
      largest(timeline.stretches.size(), kMostStretches / jobs,
              [&](std::size_t at) { return timeline.stretches[at].to - timeline.stretches[at].from; });
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
          {"stretches", stretches_data(timeline, stretches)},
          {"stretches_left_out", timeline.stretches.size() - stretches.size()},
          {"path", path_data(timeline, steps, path)},
          {"steps_left_out", timeline.path.size() - path.size()}};
}

}  // namespace

void add_jobs(Json& json, const PointResult& point) {
  const Table& table = point.result.table("per_job");
  const std::size_t jobs = std::min(rows_of(table), kMostJobs);
  if (jobs == 0) return;
  Json list = Json::array();
  for (std::size_t row = 0; row < jobs; ++row) {
    const std::string_view job = word_at(table, "job", row);
    try {
      const Timeline timeline = make_timeline(point, job);
      list.push_back({{"job", job},
                      {"note", timeline.note},
                      {"timeline", timeline_data(timeline, point.result.table("critical_path"), jobs)}});
    } catch (const NoTimeline& reason) {
      list.push_back({{"job", job}, {"note", reason.text()}, {"timeline", nullptr}});
    }
  }
  json["jobs"] = std::move(list);
  json["jobs_left_out"] = rows_of(table) - jobs;
}

}  // namespace headway
