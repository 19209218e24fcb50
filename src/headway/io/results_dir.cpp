// SPDX-License-Identifier: Apache-2.0
// A journal line is {"key": hash, "result": ...}. The key names the run by what decides its numbers: the
// resolved spec of the experiment, the point's parameters, the seed, the files that its spec names (by size
// and time of the last change, as a trace may be too long to read twice), and the version of the model that
// computed them.
#include "headway/io/results_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/experiment/memory.h"
#include "headway/experiment/spec_files.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// FNV-1a, 64 bits: stable between machines and releases (http://www.isthe.com/chongo/tech/comp/fnv).
std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3ULL;
  return hash;
}

// What tells a file from what it was before.
std::string state_of(const std::string& path) {
  std::error_code gone;
  const auto size = fs::file_size(path, gone);
  if (gone) return "none";
  return fmt::format("{} {}", size, fs::last_write_time(path, gone).time_since_epoch().count());
}

// Text a result takes, from above: every number with 20 characters, in the journal, the JSON and the tables.
double bytes_of(const Spec& spec) {
  constexpr double kNumber = 20, kCopies = 3, kMetrics = 60, kColumns = 12;
  const double bins =
      spec.measure.bin ? (spec.measure.duration.ns / spec.measure.bin->ns).to_double() : kBinsByDefault;
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  double numbers = kMetrics + bins * kColumns;
  if (spec.measure.per_destination || spec.measure.fairness) numbers += nodes * kColumns;
  if (spec.measure.destination_series) numbers += bins * nodes;
  if (spec.measure.port_series && spec.switches.scheme->isolation())
    numbers += bins * static_cast<double>(spec.network.topology->switch_ports());
  if (spec.measure.per_pair) numbers += nodes * nodes * kColumns;
  if (spec.measure.pair_series) numbers += 4 * most_pair_rows(spec, spec.network.link.rate);
  if (spec.measure.per_link) numbers += 10 * nodes * kColumns;
  return numbers * kNumber * kCopies;
}

void demand_space(const fs::path& directory, const Experiment& experiment) {
  double needed = 0;
  for (const Point& point : experiment.points) needed += bytes_of(point.spec()) * experiment.seeds;
  const auto available = static_cast<double>(fs::space(directory).available);
  if (needed > available)
    throw std::system_error(ENOSPC, std::generic_category(),
                            fmt::format("{} has room for {:.0f} MB and the results may take {:.0f} MB",
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

}  // namespace

std::string spec_differences(std::string_view there, std::string_view now) {
  const auto old_values = keys_of(there), new_values = keys_of(now);
  std::string text;
  const auto add = [&](const std::string& key, const std::string& old_value, const std::string& new_value) {
    text += fmt::format("\n  {}: {} there, {} now", key, old_value, new_value);
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
  return text.empty() ? "" : text.substr(1);
}

ResultsDir::ResultsDir(fs::path directory, const Experiment& experiment, std::string_view resolved_spec,
                       std::string_view method)
    : directory_(std::move(directory)),
      experiment_(experiment),
      spec_hash_(hash_of(method, hash_of(resolved_spec))) {
  fs::create_directories(directory_);
  const fs::path spec = directory_ / "spec.toml", journal = directory_ / "journal.jsonl";
  if (fs::exists(spec) && fs::exists(journal)) {
    if (const std::string there = read_file(spec); there != resolved_spec)
      throw SpecError({{.key = "--out",
                        .message = fmt::format("{} holds results of another spec", directory_.string()),
                        .hint = fmt::format("give another directory, or remove it; what differs:\n{}",
                                            spec_differences(there, resolved_spec)),
                        .where = ""}});
  }
  demand_space(directory_, experiment_);
  journal_ = std::make_unique<AppendFile>(journal);
  read_journal(journal);
  write_file(spec, resolved_spec);
}

std::string ResultsDir::key_of(const Task& task) const {
  std::string run =
      fmt::format("{}\nmodel {}\nversion {}", describe(experiment_, task), kModelVersion, version());
  for (const std::string& file : files_of(experiment_.points[task.point].spec()))
    run += fmt::format("\n{} {}", file, state_of(file));
  return fmt::format("{:016x}", hash_of(run, spec_hash_));
}

// A line that a kill tore, or that is damaged in any other way, is a run to be done again.
void ResultsDir::read_journal(const fs::path& path) {
  const std::string text = read_file(path);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    at = end + 1;
    if (!line.is_object() || !line.contains("key") || !line["key"].is_string() || !line.contains("result"))
      continue;
    try {
      result_of_[line["key"].get<std::string>()] = read_result(line["result"].dump());
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  if (!text.empty() && text.back() != '\n') journal_->append("\n");
}

const Result* ResultsDir::find(const Task& task) const {
  const auto found = result_of_.find(key_of(task));
  return found == result_of_.end() ? nullptr : &found->second;
}

void ResultsDir::add(const Task& task, const Result& result) {
  const std::string key = key_of(task);
  journal_->append(fmt::format("{{\"key\": \"{}\", \"result\": {}}}\n", key, write_result(result)));
  result_of_[key] = result;
}

void ResultsDir::write(const std::vector<PointResult>& points, std::string_view results_json,
                       std::string_view manifest) const {
  write_file(directory_ / "results.json", results_json);
  write_file(directory_ / "results.csv", results_csv(points));
  for (const auto& [name, table, keys] : result_tables())
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
  return escaped(json.dump(2)) + "\n";
}

}  // namespace headway
