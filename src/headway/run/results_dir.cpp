// SPDX-License-Identifier: Apache-2.0
#include "headway/run/results_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <set>
#include <system_error>

#include "headway/base/hash.h"
#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/config/toml.h"
#include "headway/io/json.h"
#include "headway/metrics/tables.h"
#include "headway/run/journal.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  return bytes < 1e7 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.0f} MB", bytes / 1e6);
}

void demand_space(const fs::path& directory, double most) {
  const std::string lack = lack_of_space(static_cast<double>(fs::space(directory).available), most);
  if (!lack.empty())
    throw std::system_error(ENOSPC, std::generic_category(), fmt::format("{} {}", directory.string(), lack));
}

// Which runs a journal has.
std::vector<bool> runs_in(const fs::path& journal, const RunKeys& keys) {
  std::unordered_set<std::uint64_t> there;
  read_journal(journal, {[&](std::uint64_t key, std::string_view, std::string_view) { there.insert(key); }});
  std::vector<bool> runs;
  for (const std::uint64_t key : keys.of_run) runs.push_back(there.contains(key));
  return runs;
}

}  // namespace

// Choice: results of the examples take from half to a sixteenth of their upper bound, so with less than a
// sixteenth of it they hardly fit. A disk that is full later ends the command, and the same command
// continues.
std::string lack_of_space(double available, double most) {
  const double least = most / 16;
  if (available >= least) return "";
  return fmt::format("has {} of free space, but the results take about {} to {}", size_text(available),
                     size_text(least), size_text(most / 2));
}

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

ResultsDir::ResultsDir(fs::path directory, const Experiment& experiment, const InputFile::Progress& progress,
                       std::optional<Shard> shard)
    : directory_(std::move(directory)),
      experiment_(experiment),
      shard_(shard),
      keys_(experiment, progress),
      snapshots_(directory_) {
  fs::create_directories(directory_);
  demand_space(directory_, keys_.most_bytes);
  const auto prepare = [this] {
    arrange_snapshots();
    describe_this();
  };
  if (shard_) {
    journal_ = open_for_shard(directory_, *shard_, hash_of(description()), prepare);
    shard_of_ = deal(experiment_, shard_->of, runs_in(directory_ / kJournalName, keys_));
  } else {
    journal_ = open_for_whole(directory_);
  }
  read_journals();
  if (!shard_) prepare();
}

std::string ResultsDir::description() const {
  return (experiment_.search ? fmt::format("# {}\n\n", to_string(*experiment_.search)) : "") +
         write_toml(experiment_.document);
}

// Unless the directory already describes this experiment, removes the result files and writes the spec and
// the files in memory that it names.
void ResultsDir::describe_this() {
  const fs::path spec = directory_ / "spec.toml";
  const std::string described = description();
  if (fs::exists(spec)) {
    if (read_text(spec) == described) return;
    had_another_ = true;
  }
  for (const char* name : {"results.json", "results.csv", "manifest.json"}) fs::remove(directory_ / name);
  for (const TableKind& table : result_tables()) fs::remove(directory_ / fmt::format("{}.csv", table.name));
  for (const auto& [name, file] : experiment_.files) write_file(directory_ / name, *file.content());
  write_file(spec, described);
}

// Adds the expected results to `found`, by number_of. Returns the number of lines that are no results.
std::size_t ResultsDir::read(const fs::path& journal, std::map<std::size_t, Result>& found) {
  std::size_t damaged = 0;
  const auto on_run = [&](std::uint64_t key, std::string_view text, std::string_view) {
    const auto [first, last] = expected_.equal_range(key);
    if (first == last) {
      if (!shard_) others_.insert(key);
      return;
    }
    try {
      const Result result = read_result(text);
      for (auto number = first; number != last; ++number) found.insert_or_assign(number->second, result);
    } catch (const NoResult&) {
      ++damaged;
    }
  };
  damaged += read_journal(journal, {on_run});
  return damaged;
}

void ResultsDir::read_journals() {
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
  for (std::size_t number = 0; number < keys_.of_run.size(); ++number)
    if (has({number / seeds, static_cast<int>(number % seeds)}) && !lacks_snapshots(number))
      expected_.emplace(keys_.of_run[number], number);
  std::map<std::size_t, Result> found;
  damaged_ = read(directory_ / kJournalName, found);
  for (const fs::path& journal : shard_journals(directory_))
    read(journal, found);  // the last line can be incomplete: its process was killed, or is writing it
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

void ResultsDir::arrange_snapshots() {
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
  std::vector<std::optional<std::uint64_t>> with_snapshots;
  for (std::size_t point = 0; point < keys_.keeps.size(); ++point)
    with_snapshots.push_back(keys_.keeps[point] ? std::optional(keys_.of_run[point * seeds]) : std::nullopt);
  snapshots_.arrange(with_snapshots);
}

bool ResultsDir::lacks_snapshots(std::size_t number) const {
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
  return number % seeds == 0 && keys_.keeps[number / seeds] && !snapshots_.has(keys_.of_run[number]);
}

void ResultsDir::add(const Task& task, const Result& result) {
  const std::uint64_t key = this->key(task);
  if (!result.snapshots.empty()) write_file(snapshots_.place_for(task.point, key), result.snapshots);
  journal_.journal->add(key, result);
}

bool ResultsDir::locked() const { return journal_.journal->locked(); }

void ResultsDir::sync_if_due() { journal_.journal->sync_if_due(Journal::Clock::now()); }

void ResultsDir::end(std::string_view how) {
  if (journal_.journal->path().filename() != kJournalName) note_end(*journal_.journal, how);
}

// The files are formatted and brought to the disk at the same time.
void ResultsDir::write(Points points, std::string_view resolved_spec, std::string_view manifest) const {
  if (shard_) {
    journal_.journal->sync();
    return;
  }
  std::vector<std::future<void>> files;
  // in this thread if there is no memory for another one
  const auto add = [&](auto write) { files.push_back(std::async(std::move(write))); };
  add([&] { journal_.journal->sync(); });
  const auto add_file = [&](const std::string& name, auto write) {
    add([this, name, write] {
      NewFile file(directory_ / name);
      write([&](std::string_view part) { file.write(part); });
      file.commit();
    });
  };
  add_file("results.json", [&](const Sink& to) { results_json(resolved_spec, points, to); });
  add_file("results.csv", [&](const Sink& to) { results_csv(points, to); });
  std::set<std::string_view> tables;  // that any point has
  for (const PointResult* point : points)
    for (const auto& [name, table] : point->result.tables)
      if (!table.empty()) tables.insert(name);
  for (const std::string_view table : tables)
    add_file(fmt::format("{}.csv", table), [&, table](const Sink& to) { table_csv(points, table, to); });
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
