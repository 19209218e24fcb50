// SPDX-License-Identifier: Apache-2.0
// docs/results.md is complete and correct. Everything that the program writes with all options on is on that
// page or, for metrics, in the registry. Every name on the page or in the registry is written by some run.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "headway/base/input_file.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "test_paths.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// The names in the first column of the tables of a page, by the heading above them.
std::map<std::string, std::set<std::string>> names_of(const std::string& page) {
  std::map<std::string, std::set<std::string>> names;
  std::istringstream lines(read_text(fs::path(kSourceDir) / "docs" / page));
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, std::regex("#+ (.*)"))) heading = match[1];
    if (!std::regex_match(line, match, std::regex("\\| `([^`]+)` \\|(.*)\\|"))) continue;
    names[heading].insert(match[1]);
    EXPECT_FALSE(std::regex_search(match[2].str(), std::regex("\\|\\s*\\|")))
        << page << ": an empty cell: " << line;
  }
  return names;
}

class ResultsPage : public ShellTest {
 protected:
  void run(const std::string& script) const {
    const Outcome outcome = shell(script);
    EXPECT_LE(outcome.code, 1) << script << '\n' << outcome.err;
  }

  // Checks that the page has this name under this heading.
  // How the page lists a file: all tables together.
  static std::string listed_as(const std::filesystem::path& file) {
    if (file.extension() == ".snap") return "point-N-KEY.snap";
    if (file.parent_path().filename() == "shards") return "I-of-N-HOST-PROCESS-START.jsonl";
    return find_table(file.stem().string()) != nullptr ? "TABLE.csv" : file.filename().string();
  }

  void look_up(const std::string& heading, const std::string& name, const std::string& where) {
    if (page_[heading].contains(name)) {
      seen_[heading].insert(name);
      return;
    }
    ADD_FAILURE() << "docs/results.md, " << heading << ": nothing about '" << name << "' of " << where;
  }
  void look_up_metric(const std::string& name, const std::string& where) {
    const Metric* metric = find_metric(name);
    ASSERT_NE(metric, nullptr) << "no metric is called '" << name << "' (" << where << ')';
    written_.insert({std::string(metric->name), ""});
  }
  void look_up_column(const std::string& table, const std::string& name) {
    constexpr std::string_view kName = "_name";
    const std::string numbered =
        name.ends_with(kName) ? name.substr(0, name.size() - kName.size()) : name;  // "source_name"
    const Metric* column = find_metric(numbered, table);
    ASSERT_NE(column, nullptr) << "no column of " << table << " is called '" << name << '\'';
    EXPECT_TRUE(numbered == name || numbered_by(numbered) != Numbered::nothing) << name;
    written_.insert({std::string(column->name), table});
  }

  // A column of a figure that counts over the structure: a metric, or a column of the table
  // structure_per_stage.
  void look_up_counted(const std::string& name) {
    if (find_metric(name, "structure_per_stage") != nullptr)
      look_up_column("structure_per_stage", name);
    else
      look_up_metric(name, "data.csv");
  }

  void look_up_directory(const std::string& directory, const std::set<std::string>& swept) {
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / directory)) {
      if (entry.is_directory()) continue;
      const std::string name = entry.path().filename();
      look_up("Files", listed_as(entry.path()), directory);
      if (entry.path().extension() == ".csv") look_up_header(entry.path(), swept);
      if (name == "results.json") look_up_results(Json::parse(read_text(entry.path())));
      if (name == "manifest.json" || name == "claims.json")
        look_up_fields(name, Json::parse(read_text(entry.path())), "");
      if (entry.path().extension() == ".jsonl") {
        std::istringstream lines(read_text(entry.path()));
        for (std::string text; std::getline(lines, text);) {
          const Json line = Json::parse(text);
          for (const auto& [field, value] : line.items()) look_up("journal.jsonl", field, name);
        }
      }
    }
  }

  void look_up_results(const Json& json) {
    const auto look_up_summary = [&](const std::string& path, const Json& of) {
      for (const auto& [field, value] : of.items()) {
        if (find_table(field) == nullptr) {
          look_up("results.json", path + field, "results.json");
        } else {
          seen_["results.json"].insert("points[].TABLE");
          for (const auto& [column, values] : value.items()) look_up_column(field, column);
        }
        if (field == "metrics" || field == "intervals")
          for (const auto& [metric, number] : value.items()) look_up_metric(metric, path + field);
      }
    };
    for (const auto& [field, value] : json.items()) look_up("results.json", field, "results.json");
    for (const Json& point : json["points"]) {
      look_up_summary("points[].", point);
      if (point.contains("runs"))
        for (const Json& each : point["runs"]) look_up_summary("points[].runs[].", each);
    }
  }

  void look_up_fields(const std::string& heading, const Json& json, const std::string& path) {
    for (const auto& [field, value] : json.items()) {
      look_up(heading, path + field, heading);
      if (!value.is_array()) continue;
      for (const Json& element : value)
        if (element.is_object()) look_up_fields(heading, element, path + field + "[].");
    }
  }

  void look_up_header(const fs::path& file, const std::set<std::string>& swept) {
    std::istringstream header(read_text(file).substr(0, read_text(file).find('\n')));
    const std::string name = file.filename();
    for (std::string column; std::getline(header, column, ',');) {
      if (name == "data.csv") {
        static const std::set<std::string_view> kOwn = {"metric", "curve",       "value",
                                                        "status", "interval_95", "stacked"};
        if (!kOwn.contains(column)) {
          seen_[name].insert({"X", "Y"});
          continue;
        }
        look_up(name, column, name);
      } else if (swept.contains(column)) {
        seen_["results.csv"].insert("KEY");
      } else if (name != "results.csv") {
        if (column != "seed") look_up_column(file.stem(), column);
      } else if (column == "seed" || column == "status" || column == "seeds" || column == "narrow_enough" ||
                 column == "limited_by") {
        look_up(name, column, name);
      } else if (column.ends_with("_ci95")) {
        seen_[name].insert("METRIC_ci95");
        look_up_metric(column.substr(0, column.size() - 5), name);
      } else {
        seen_[name].insert("METRIC");
        look_up_metric(column, name);
      }
    }
  }

  std::map<std::string, std::set<std::string>> page_ = names_of("results.md");
  std::set<std::pair<std::string, std::string>> written_;  // metrics, and columns with their tables
  std::map<std::string, std::set<std::string>> seen_;
};

constexpr std::string_view kEverything = R"(seeds = 2
[network]
k = 2
n = 3
[switch]
input_memory = "2 KiB"
[[traffic.flow]]
sources = { first = 4 }
load = 0.5
[[traffic.flow]]
sources = { rest = true }
pattern = "hotspot"
destination = 1
start = "5 us"
stop = "10 us"
load = 0.5
[measure]
warmup = "2 us"
duration = "20 us"
bin = "5 us"
tables = ["fairness", "destination-series", "per-pair", "pair-series", "per-link", "port-series", "cost"]
watch_destination = 1
[sweep]
"switch.scheme" = ["fbicm", "dbbm-unshared"]
)";

// Fairness needs flow loads, which are not available with traces.
constexpr std::string_view kTrace = R"([network]
k = 2
n = 3
[traffic.trace]
format = "synthetic"
disks = 4
length = "1 ms"
[measure]
warmup = "2 us"
duration = "20 us"
[sweep]
seed = [1, 2]
)";

constexpr std::string_view kSlotted = R"(kernel = "slotted"
seeds = 2
[network]
topology = "delta"
[switch]
classes = 2
[traffic]
hotspot_fraction = 0.1
[measure]
slots = 200
[sweep]
"traffic.load" = [0.3, 0.9]
)";

constexpr std::string_view kPaper = R"(title = "Every kind"
citation = "Nobody"
[[reading]]
name = "one"
label = "as it is"
[[figure]]
id = "drawn"
number = "Figure 1"
title = "drawn"
spec = "spec.toml"
x = { column = "traffic.flow.load", label = "Load" }
y = { column = "accepted_load", label = "Accepted load" }
curve = [{ name = "a", label = "A" }]
[[figure]]
id = "stacked"
number = "Figure 1"
title = "drawn"
spec = "spec.toml"
x = { column = "traffic.flow.load", label = "Load" }
y = { column = "accepted_load", label = "Accepted load" }
draw = "areas"
curve = [{ name = "a", label = "A" }]
[[figure]]
id = "counted"
number = "Table 1"
title = "counted"
spec = "counted.toml"
simulated = false
draw = "table"
columns = ["nodes", "switches", "radix", "stages", "switch_links", "diameter", "bisection_links", "bisection_share", "queues_per_port", "routing_table_bits", "minimum_memory_bytes", "published_area_mm2"]
curve = [{ name = "a", label = "A" }]
[[figure]]
id = "stages"
number = "Table 2"
title = "by stage"
spec = "counted.toml"
simulated = false
rows = "structure"
draw = "table"
x = { column = "stage", label = "stage" }
columns = ["destinations_per_switch", "destinations_per_link", "destinations_per_queue", "queues_used", "load_imbalance"]
curve = [{ name = "a", label = "A" }]
)";

constexpr std::string_view kPaperClaims = R"claims([[claim]]
id = "a"
figure = "drawn"
where = "here"
says = "it is so"
measure = "mean('a', 0, 1)"
at_least = 9
known = "it is not"
not_quick = "too short"
depends_on = "a choice"
[[claim]]
id = "b"
figure = "drawn"
where = "here"
says = "nobody knows"
undecidable = "nothing decides it"
)claims";

constexpr std::string_view kFromFile = R"([network]
topology = "file"
file = "two.toml"
[routing]
algorithm = "table"
file = "two.txt"
[measure]
warmup = "2 us"
duration = "10 us"
tables = ["fairness", "per-pair", "pair-series", "per-link", "per-message-size",
          "distributions"]
watch_destination = 1
[[traffic.flow]]
sources = { first = 1 }
[[traffic.flow]]
sources = { rest = true }
[observe]
waiting = true
keep = true
interval = "1 us"
)";

TEST_F(ResultsPage, HasEveryFileColumnAndField) {
  write("everything.toml", kEverything);
  write("slotted.toml", kSlotted);
  write("trace.toml", kTrace);
  run("headway run everything.toml --set 'traffic.header=\"4 B\"' --out out/everything");
  run("headway run trace.toml --out out/played");
  look_up_directory("out/played", {"seed"});
  run("headway submit trace.toml --out out/sharded --dry-run");
  run("headway run trace.toml --out out/sharded --shard 1/2");
  look_up_directory("out/sharded", {"seed"});
  run("headway run slotted.toml --out out/slotted");
  run("headway run trace.toml --set 'seeds={ until = \"accepted_load\", relative = 0.5, at_least = 2, "
      "at_most = 3 }' "
      "--out out/until");
  look_up_directory("out/until", {"seed"});
  look_up_directory("out/everything", {"switch.scheme"});
  look_up_directory("out/slotted", {"traffic.load"});

  write("file.toml", kFromFile);
  write("two.toml",
        "[[switch]]\nname = \"hub\"\n[[node]]\nat = \"hub\"\nname = \"a\"\n[[node]]\nat = \"hub\"\n");
  write("two.txt", "switch hub\na 0\n1 1\n");
  run("headway run file.toml --out out/file");
  look_up_directory("out/file", {});

  write("mixed.toml", repository_file("tests/findings/mixed-rates.toml"));
  write("up.net.toml", repository_file("tests/findings/up.net.toml"));
  run("headway run mixed.toml --set 'measure.tables=[\"cost\"]' --out out/mixed");
  look_up_directory("out/mixed", {});

  write("rails.toml",
        "network.topology = \"rails\"\nmeasure.tables = [\"per-destination\"]\nmeasure.duration = \"20 us\"\n"
        "[[traffic.flow]]\npattern = \"uniform\"\nload = 0.2\n");
  run("headway run rails.toml --out out/rails");
  look_up_directory("out/rails", {});

  write(
      "waiting.toml",
      "network = { k = 2, n = 2 }\nmeasure.alone = true\n[[traffic.job]]\nprogram = \"barrier\"\nexclusive = "
      "true\ncopies = 2\n");
  run("headway run waiting.toml --out out/waiting");
  look_up_directory("out/waiting", {});

  run("headway run everything.toml --set 'measure.tables=[]' --set 'network.failures.at=[\"0:2\"]' "
      "--set 'network.failures.unreachable=\"reported\"' "
      "--set 'event=[{node=\"1\", at=\"3 us\", lasts=\"2 us\"}]' --set observe.waiting=true --out out/apart");
  look_up_directory("out/apart", {"switch.scheme"});

  run("headway plot out/apart --y accepted_load --y latency_mean_ns --out out/panels");
  look_up_directory("out/panels", {});

  write("classes.toml",
        "[network]\nk = 2\nn = 2\n[switch]\nlanes = 2\nlane_turns = "
        "\"strict\"\nmarking = \"red\"\nflow_control = \"pfc\"\n[node]\nreaction = "
        "\"infiniband\"\n[[traffic.flow]]\nservice_level = "
        "1\n"
        "[measure]\nwarmup = \"2 us\"\nduration = \"5 us\"\ntables = [\"per-link\", "
        "\"rate-series\"]\n[observe]\nwaiting = "
        "true\n");
  run("headway run classes.toml --set 'traffic.header=\"8 B\"' --out out/classes");
  look_up_directory("out/classes", {});
  run("headway why classes.toml --try --seeds 1 --budget 1s --out out/why && rm -r out/why/runs");
  look_up_directory("out/why", {});

  run("headway saturation everything.toml --set 'measure.tables=[\"per-pair\", \"per-link\", "
      "\"port-series\"]' "
      "--precision 0.3 --out out/saturation");
  look_up_directory("out/saturation", {"switch.scheme"});

  run("mkdir -p bin share/headway/papers/kinds; cp " + std::string(kProgram) + " bin/");
  write("share/headway/papers/kinds/paper.toml", kPaper);
  write("share/headway/papers/kinds/claims.toml", kPaperClaims);
  write("share/headway/papers/kinds/spec.toml",
        "seeds = 2\n[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"5 us\"\n"
        "[sweep]\n\"traffic.flow.load\" = [0.1, 0.2]\n");
  write("share/headway/papers/kinds/counted.toml", "[network]\nk = 2\nn = 3\n");
  run("bin/headway paper kinds --out out/paper");
  look_up_directory("out/paper", {"traffic.flow.load"});
  for (const char* table : {"out/paper/counted@one/data.csv", "out/paper/stages@one/data.csv"}) {
    std::istringstream header(read(table).substr(0, read(table).find('\n')));
    for (std::string column; std::getline(header, column, ',');)
      if (column != "curve" && column != "status") look_up_counted(column);
  }

  run("headway trace make t.csv --set disks=4 --set length='\"1 s\"' && headway trace info t.csv --out "
      "out/trace");
  look_up_directory("out/trace", {});

  write("jobs.toml",
        "[network]\nk = 2\nn = 2\n[[traffic.job]]\nprogram = \"barrier\"\n[[traffic.flow]]\nload = 0.9\n"
        "[measure]\nuntil = \"done\"\ntables = [\"per-operation\", \"critical-path\"]\n");
  run("headway run jobs.toml --alone --out out/jobs");
  look_up_directory("out/jobs", {});
  run("headway plot out/jobs --timeline 'job 0' --out timeline");
  std::istringstream timeline(read("timeline/data.csv").substr(0, read("timeline/data.csv").find('\n')));
  for (std::string column; std::getline(timeline, column, ',');) look_up("Timelines", column, "data.csv");

  std::set<std::string> statuses = names_of("verdicts.md")["Verdicts: when are the results of a run valid?"];
  for (const std::string_view status : kNames<Status>)
    EXPECT_EQ(statuses.erase(std::string(status)), 1U) << "docs/verdicts.md: nothing about " << status;
  EXPECT_EQ(statuses.size(), 0U) << "docs/verdicts.md has a status that no run has";
  for (const Metric& metric : all_metrics())
    EXPECT_TRUE(written_.contains({std::string(metric.name), std::string(metric.table)}))
        << "nothing wrote " << metric.name << ' ' << metric.table;
  for (const auto& [heading, names] : page_)
    for (const std::string& name : names)
      EXPECT_TRUE(seen_[heading].contains(name))
          << "docs/results.md, " << heading << ": nothing wrote '" << name << "'";
}

}  // namespace
}  // namespace headway::test
