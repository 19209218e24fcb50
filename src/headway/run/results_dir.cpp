// SPDX-License-Identifier: Apache-2.0
#include "headway/run/results_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>

#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/config/toml.h"
#include "headway/io/json.h"
#include "headway/run/journal.h"
#include "headway/run/run_key.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

void demand_space(const fs::path& directory, double needed) {
  const auto available = static_cast<double>(fs::space(directory).available);
  if (needed > available)
    throw std::system_error(ENOSPC, std::generic_category(),
                            fmt::format("{} has {:.0f} MB of free space, but the results can need {:.0f} MB",
                                        directory.string(), available / 1e6, needed / 1e6));
}

}  // namespace

std::vector<PointResult> results_in(const fs::path& directory) {
  const fs::path file = directory / "results.json";
  std::error_code error;
  if (!fs::exists(file, error))
    throw NoResult(fmt::format("{0} contains no results.json; 'headway run SPEC --out {0}' writes one",
                               visible(directory.string())));
  try {
    return read_results(read_text(file.string()));
  } catch (const NoResult& problem) {
    throw NoResult(fmt::format("cannot read {}: {}; to rewrite it, repeat the command that wrote it",
                               visible(file.string()), problem.what()));
  }
}

ResultsDir::ResultsDir(fs::path directory, const Experiment& experiment, const InputFile::Progress& progress)
    : directory_(std::move(directory)), experiment_(experiment), snapshots_(directory_) {
  fs::create_directories(directory_);
  const auto runs = static_cast<double>(experiment_.until ? experiment_.until->at_least : experiment_.seeds);
  double needed = 0;
  for (const Point& point : experiment_.points) {
    const StoredPoint stored = point.stored ? *point.stored : stored_point(point.spec(), progress);
    needed += stored.most_bytes * runs;
    keeps_.push_back(stored.keeps);
    const std::uint64_t key = key_of_point(stored.content, experiment_.search);
    for (int repetition = 0; repetition < experiment_.seeds; ++repetition)
      keys_.push_back(key_of_run(key, point.seed + static_cast<std::uint64_t>(repetition)));
  }
  demand_space(directory_, needed);
  read_journal();
  describe_this();
}

// Unless the directory already describes this experiment, removes the result files and writes the spec and
// the files in memory that it names.
void ResultsDir::describe_this() {
  const fs::path spec = directory_ / "spec.toml";
  const std::string described =
      (experiment_.search ? fmt::format("# {}\n\n", to_string(*experiment_.search)) : "") +
      write_toml(experiment_.document);
  if (fs::exists(spec)) {
    if (read_text(spec) == described) return;
    had_another_ = true;
  }
  for (const char* name : {"results.json", "results.csv", "manifest.json"}) fs::remove(directory_ / name);
  for (const TableKind& table : result_tables()) fs::remove(directory_ / fmt::format("{}.csv", table.name));
  for (const auto& [name, file] : experiment_.files) write_file(directory_ / name, *file.content());
  write_file(spec, described);
}

ResultsDir::~ResultsDir() = default;

std::size_t ResultsDir::damaged() const { return journal_->damaged(); }

std::size_t ResultsDir::others() const { return journal_->others(); }

void ResultsDir::read_journal() {
  std::unordered_multimap<std::uint64_t, std::size_t> numbers;  // of the runs with a key
  for (std::size_t number = 0; number < keys_.size(); ++number)
    if (!lacks_snapshots(number)) numbers.emplace(keys_[number], number);
  std::map<std::size_t, Result> found;  // by number_of
  journal_ = std::make_unique<Journal>(
      directory_ / "journal.jsonl", [&](std::uint64_t key) { return numbers.contains(key); },
      [&](std::uint64_t key, const Result& result) {
        const auto [first, last] = numbers.equal_range(key);
        for (auto number = first; number != last; ++number) found[number->second] = result;
      });
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
  std::vector<std::optional<std::uint64_t>> with_snapshots;
  for (std::size_t point = 0; point < keeps_.size(); ++point)
    with_snapshots.push_back(keeps_[point] ? std::optional(keys_[point * seeds]) : std::nullopt);
  snapshots_.arrange(with_snapshots);
  for (auto run = found.begin(); run != found.end();) {
    const std::size_t point = run->first / seeds;
    const auto end = found.lower_bound((point + 1) * seeds);
    const Result& first = run->second;
    if (!std::all_of(run, end, [&](const auto& other) { return alike(first, other.second); })) {
      run = end;
      continue;
    }
    for (; run != end; ++run)
      found_.emplace_back(Task{point, static_cast<int>(run->first % seeds)}, std::move(run->second));
  }
}

bool ResultsDir::lacks_snapshots(std::size_t number) const {
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
  return number % seeds == 0 && keeps_[number / seeds] && !snapshots_.has(keys_[number]);
}

void ResultsDir::add(const Task& task, const Result& result) {
  const std::uint64_t key = this->key(task);
  if (!result.snapshots.empty()) write_file(snapshots_.place_for(task.point, key), result.snapshots);
  journal_->add(key, result);
}

void ResultsDir::sync_if_due() { journal_->sync_if_due(Journal::Clock::now()); }

// The files are formatted and brought to the disk at the same time.
void ResultsDir::write(Points points, std::string_view resolved_spec, std::string_view manifest) const {
  std::vector<std::future<void>> files;
  // in this thread if there is no memory for another one
  const auto add = [&](auto write) { files.push_back(std::async(std::move(write))); };
  add([&] { journal_->sync(); });
  add([&] {
    NewFile file(directory_ / "results.json");
    results_json(resolved_spec, points, [&](std::string_view part) { file.write(part); });
    file.commit();
  });
  add([&] {
    NewFile file(directory_ / "results.csv");
    results_csv(points, [&](std::string_view part) { file.write(part); });
    file.commit();
  });
  std::set<std::string_view> tables;  // that any point has
  for (const PointResult* point : points)
    for (const auto& [name, table] : point->result.tables)
      if (!table.empty()) tables.insert(name);
  for (const std::string_view table : tables)
    add([&, table] {
      NewFile file(directory_ / fmt::format("{}.csv", table));
      table_csv(points, table, [&](std::string_view part) { file.write(part); });
      file.commit();
    });
  for (std::future<void>& file : files) file.get();
  write_file(directory_ / "manifest.json", manifest);
}

std::string manifest_json(const Experiment& experiment, Points points,
                          const std::vector<std::string>& command, std::size_t reused) {
  Json json;
  json["headway"] = version();
  json["git"] = git_id();
  json["compiler"] = compiler();
  json["model_version"] = kModelVersion;
  json["command"] = command;
  json["seed"] = experiment.points.empty() ? 0 : experiment.points.front().seed;
  json["seeds"] = experiment.seeds;
  if (experiment.search) json["search"] = to_string(*experiment.search);
  json["points"] = experiment.points.size();
  json["points_finished"] = points.size();
  json["runs_reused"] = reused;
  double total = 0;
  Json costs = Json::array();
  for (const PointResult* point : points) {
    double cost = 0;
    for (const Result& run : point->runs) cost += run.cpu_s;
    costs.push_back(cost);
    total += cost;
  }
  json["cpu_s"] = total;
  json["cpu_s_of_point"] = std::move(costs);
  return json.dump(2) + "\n";
}

}  // namespace headway
