// SPDX-License-Identifier: Apache-2.0
#include "headway/run/results_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <unordered_map>

#include "headway/base/hash.h"
#include "headway/base/version.h"
#include "headway/compile/memory.h"
#include "headway/io/json.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/waiting_tables.h"
#include "headway/spec/spec_files.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

// Of the snapshots of a run: 500 of a jammed tree with 2304 ports take 2.4 MB.
double snapshot_bytes(const EventSpec& spec) {
  constexpr double kOfAPort = 4;
  const double snapshots = (spec.measure.duration.ns / spec.observe.interval.ns).to_double();
  const auto ports =
      static_cast<double>(spec.network.topology->switch_ports() + spec.network.topology->nodes());
  return snapshots * ports * kOfAPort;
}

// Upper bound of the text size of a result: every number has 20 characters in the journal, the JSON and the
// tables.
double bytes_of(const EventSpec& spec) {
  constexpr double kNumber = 20, kCopies = 3, kMetrics = 60, kColumns = 12;
  const double bins =
      spec.measure.bin ? (spec.measure.duration.ns / spec.measure.bin->ns).to_double() : kBinsByDefault;
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  double numbers = kMetrics + bins * kColumns;
  if (spec.measure.has(ExtraTable::per_destination) || spec.measure.has(ExtraTable::fairness))
    numbers += nodes * kColumns;
  if (spec.measure.has(ExtraTable::destination_series)) numbers += bins * nodes;
  if (spec.measure.has(ExtraTable::port_series) && spec.switches.scheme->isolation())
    numbers += bins * static_cast<double>(spec.network.topology->switch_ports());
  if (spec.measure.has(ExtraTable::per_pair)) numbers += nodes * nodes * kColumns;
  if (spec.measure.has(ExtraTable::pair_series)) numbers += 4 * most_pair_rows(spec, spec.network.link.rate);
  if (spec.measure.has(ExtraTable::per_link)) numbers += 10 * nodes * kColumns;
  if (spec.observe.waiting) {
    const double columns = static_cast<double>(waiting_columns().size() + waiting_table_columns().size());
    numbers += bins * columns + 11 * nodes * columns;  // destinations and links; roots are fewer
    numbers += most_tree_rows(spec) * kTreeSeriesColumns;
  }
  return numbers * kNumber * kCopies + (spec.observe.keep ? snapshot_bytes(spec) : 0);
}

double bytes_of(const SlottedSpec& spec) {
  constexpr double kNumber = 20, kCopies = 3, kMetrics = 10, kOfAClass = 5, kMostZones = 64;
  const double numbers = kMetrics + kOfAClass * static_cast<double>(spec.classes) * (1 + kMostZones);
  return 2 * numbers * kNumber * kCopies;  // with their intervals
}

void demand_space(const fs::path& directory, double needed) {
  const auto available = static_cast<double>(fs::space(directory).available);
  if (needed > available)
    throw std::system_error(ENOSPC, std::generic_category(),
                            fmt::format("{} has {:.0f} MB of free space, but the results can need {:.0f} MB",
                                        directory.string(), available / 1e6, needed / 1e6));
}

// Dotted key -> value of a TOML text as Headway writes it, one key per line; array tables are numbered.
std::map<std::string, std::string> keys_of(std::string_view toml) {
  std::map<std::string, std::string> values;
  std::map<std::string, int> count;
  std::string table;
  while (!toml.empty()) {
    const std::size_t end = std::min(toml.find('\n'), toml.size());
    const std::string_view line = toml.substr(0, end);
    toml.remove_prefix(std::min(end + 1, toml.size()));
    if (line.starts_with("[[")) {
      const std::string name(line.substr(2, line.find(']') - 2));
      table = fmt::format("{}[{}].", name, count[name]++);
    } else if (line.starts_with('[')) {
      table = fmt::format("{}.", line.substr(1, line.find(']') - 1));
    } else if (const std::size_t equals = line.find(" = ");
               equals != std::string_view::npos && line[0] != '#') {
      values[table + std::string(line.substr(0, equals))] = line.substr(equals + 3);
    }
  }
  return values;
}

std::string build_text(std::string_view version, std::string_view git) {
  return fmt::format("Headway {}, git {}", version, git);
}

// "out contains the results of another spec". If another build of Headway wrote it, its spec can also differ
// because keys were added or replaced since.
std::string another_spec(const fs::path& directory) {
  const std::string what = fmt::format("{} contains the results of another spec", directory.string());
  const fs::path manifest = directory / "manifest.json";
  if (!fs::exists(manifest)) return what;
  const Json json = Json::parse(read_text(manifest), nullptr, false);
  const auto text = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                           : std::string("unknown");
  };
  const std::string there = build_text(text("headway"), text("git"));
  const std::string here = build_text(version(), git_id());
  if (there == here) return what;
  return fmt::format("{}, or another version of Headway wrote it with other keys: {}; this is {}", what,
                     there, here);
}

}  // namespace

std::vector<Mistake> spec_differences(std::string_view there, std::string_view now) {
  const auto old_values = keys_of(there), new_values = keys_of(now);
  std::vector<Mistake> differences;
  const auto add = [&](const std::string& key, const std::string& old_value, const std::string& new_value) {
    differences.push_back({key, fmt::format("{} in the directory, {} now", old_value, new_value), "", ""});
  };
  for (const auto& [key, value] : old_values) {
    const auto found = new_values.find(key);
    if (found == new_values.end())
      add(key, value, "not given");
    else if (found->second != value)
      add(key, value, found->second);
  }
  for (const auto& [key, value] : new_values)
    if (!old_values.contains(key)) add(key, "not given", value);
  return differences;
}

fs::path snapshots_of(const fs::path& directory, std::size_t point) {
  return directory / "snapshots" / fmt::format("point-{}.snap", point + 1);
}

ResultsDir::ResultsDir(fs::path directory, const Experiment& experiment, std::string_view resolved_spec,
                       std::string_view method, const InputFile::Progress& progress)
    : directory_(std::move(directory)), experiment_(experiment) {
  fs::create_directories(directory_);
  const fs::path spec = directory_ / "spec.toml";
  if (fs::exists(spec) && fs::exists(directory_ / "journal.jsonl")) {
    if (const std::string there = read_text(spec); there != resolved_spec) {
      std::vector<Mistake> mistakes = spec_differences(there, resolved_spec);
      mistakes.insert(mistakes.begin(),
                      {.key = "--out",
                       .message = another_spec(directory_),
                       .hint = "choose another directory, or remove this one; these keys differ:",
                       .where = ""});
      throw SpecError(std::move(mistakes));
    }
  }
  const std::uint64_t all =
      hash_of(fmt::format("{}{}\nmodel {}\nversion {}\n", resolved_spec, method, kModelVersion, version()));
  double needed = 0;
  for (std::size_t point = 0; point < experiment_.points.size(); ++point) {
    const Spec of_point = experiment_.points[point].spec();
    needed += std::visit([](const auto& spec) { return bytes_of(spec); }, of_point) * experiment_.seeds;
    const auto* const event_driven = std::get_if<EventSpec>(&of_point);
    keeps_.push_back(event_driven != nullptr && event_driven->observe.keep);
    std::uint64_t key = all;
    for (const InputFile& file : files_of(of_point))
      key = hash_of(fmt::format("{:016x}\n", file.hash(progress)), key);
    for (int repetition = 0; repetition < experiment_.seeds; ++repetition)
      keys_.push_back(hash_of(describe(experiment_, {point, repetition}), key));
  }
  demand_space(directory_, needed);
  read_journal();
  write_file(spec, resolved_spec);
}

void ResultsDir::read_journal() {
  std::unordered_map<std::uint64_t, std::size_t> number_of_key;
  for (std::size_t number = 0; number < keys_.size(); ++number)
    if (!lacks_snapshots(number)) number_of_key.emplace(keys_[number], number);
  std::map<std::size_t, Result> found;  // by number_of
  journal_ = std::make_unique<Journal>(
      directory_ / "journal.jsonl", [&](std::uint64_t key) { return number_of_key.contains(key); },
      [&](std::uint64_t key, Result result) { found[number_of_key.at(key)] = std::move(result); });
  const auto seeds = static_cast<std::size_t>(experiment_.seeds);
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
  if (number % seeds != 0 || !keeps_[number / seeds]) return false;
  return !fs::exists(snapshots_of(directory_, number / seeds));
}

void ResultsDir::add(const Task& task, const Result& result) {
  if (!result.snapshots.empty()) {
    const fs::path file = snapshots_of(directory_, task.point);
    fs::create_directories(file.parent_path());
    write_file(file, result.snapshots);
  }
  journal_->add(keys_[number_of(task)], result);
}

void ResultsDir::write(const std::vector<PointResult>& points, std::string_view results_json,
                       std::string_view manifest) const {
  write_file(directory_ / "results.json", results_json);
  write_file(directory_ / "results.csv", results_csv(points));
  for (const auto& [name, table, keys, listed] : result_tables())
    if (const std::string text = table_csv(points, table); !text.empty())
      write_file(directory_ / fmt::format("{}.csv", name), text);
  write_file(directory_ / "manifest.json", manifest);
}

std::string manifest_json(const Experiment& experiment, const std::vector<PointResult>& points,
                          const std::vector<std::string>& command) {
  Json json;
  json["headway"] = version();
  json["git"] = git_id();
  json["compiler"] = compiler();
  json["model_version"] = kModelVersion;
  json["command"] = command;
  json["seed"] = experiment.points.empty() ? 0 : experiment.points.front().seed;
  json["seeds"] = experiment.seeds;
  json["points"] = experiment.points.size();
  json["points_finished"] = points.size();
  double total = 0;
  Json costs = Json::array();
  for (const PointResult& point : points) {
    double cost = 0;
    for (const Result& run : point.runs) cost += run.cpu_s;
    costs.push_back(cost);
    total += cost;
  }
  json["cpu_s"] = total;
  json["cpu_s_of_point"] = std::move(costs);
  return json_text(json, 2) + "\n";
}

}  // namespace headway
