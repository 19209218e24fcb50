// SPDX-License-Identifier: Apache-2.0
// headway check: reports all mistakes of a spec at once, and what its runs will take.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "headway/base/cpu_time.h"
#include "headway/base/plural.h"
#include "headway/base/time_text.h"
#include "headway/base/visible.h"
#include "headway/cli/progress.h"
#include "headway/cli/spec_arguments.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/config/toml.h"
#include "headway/io/json.h"
#include "headway/run/prediction.h"
#include "headway/run/saturation.h"
#include "headway/run/sweep.h"

namespace headway::cli {
namespace {

struct Costs {
  std::vector<PointCost> points;
  double loading = 0;  // seconds to read and check the spec
};

PointCost total(const Costs& costs) {
  PointCost sum{costs.loading, costs.loading};
  for (const PointCost& cost : costs.points) {
    sum.seconds += cost.seconds;
    sum.most_seconds += cost.most_seconds;
    sum.memory = std::max(sum.memory, cost.memory);
  }
  return sum;
}

std::string seconds_text(double seconds) {
  return seconds < 0.05 ? "< 0.1 s" : duration_text(std::chrono::duration<double>(seconds));
}

// "12 s", or "12 s to 36 s".
std::string text_of(const PointCost& cost) {
  const std::string expected = seconds_text(cost.seconds), most = seconds_text(cost.most_seconds);
  return expected == most ? expected : fmt::format("{} to {}", expected, most);
}

std::string text_of_memory(const PointCost& cost) {
  return cost.memory > 0 ? memory_text(static_cast<std::uint64_t>(cost.memory)) : "-";
}

std::string params_of(const Point& point) {
  std::string text;
  const std::vector<std::string> keys = short_keys(point.params);
  for (std::size_t p = 0; p < keys.size(); ++p)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", keys[p], point.params[p].second);
  return text.empty() ? "the run" : visible(text);
}

// Returns true if ten threads would make the memory that is said wrong by a tenth.
bool is_much(std::uint64_t of_thread, const PointCost& all) {
  return 100 * static_cast<double>(of_thread) > all.memory;
}

// "about 2 min 10 s of processor time, 80 MiB of memory for the largest run".
std::string cost_line(const Experiment& experiment, const Costs& costs) {
  const PointCost all = total(costs);
  const bool is_one = costs.points.size() == 1 && experiment.seeds == 1;
  return fmt::format("about {} of processor time{}", text_of(all),
                     all.memory > 0 ? fmt::format(", {} of memory for {}", text_of_memory(all),
                                                  is_one ? "the run" : "the largest run")
                                    : "");
}

// A row for each point, and all together.
std::string cost_table(const Experiment& experiment, const Costs& costs) {
  constexpr std::size_t kMostWidth = 44;  // with the other columns, 80
  std::vector<std::array<std::string, 3>> rows;
  for (std::size_t p = 0; p < costs.points.size(); ++p) {
    const Point& point = experiment.points[p];
    rows.push_back({params_of(point), text_of(costs.points[p]), text_of_memory(costs.points[p])});
  }
  if (rows.size() > 1) rows.push_back({"together", text_of(total(costs)), ""});
  std::size_t width = 5, width_of_time = 14;
  for (const auto& row : rows) {
    width = std::max(width, std::min(row[0].size(), kMostWidth));
    width_of_time = std::max(width_of_time, row[1].size());
  }
  std::string text =
      fmt::format("{:{}}  {:>{}}  {:>9}\n", "point", width, "processor time", width_of_time, "memory");
  for (const auto& row : rows) {
    const std::string line =
        fmt::format("{:{}}  {:>{}}  {:>9}", row[0], width, row[1], width_of_time, row[2]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  if (is_much(experiment.need.thread, total(costs)))
    text +=
        fmt::format("each thread of a run after the first adds {}\n", memory_text(experiment.need.thread));
  return text;
}

// "sync: 64 ranks, 768 operations, 384 messages in 384 packets; about 1.2 us by formula", for each job of a
// point.
std::string jobs_text(const Point& point) {
  std::string text;
  for (const JobWork& job : point.work.jobs) {
    text += fmt::format("{}: {}{}, {}, {:.0f} messages in {:.0f} packets; about {} an iteration by formula\n",
                        visible(job.name),
                        job.copies > 1 ? fmt::format("the first of {} copies; ", job.copies) : "",
                        plural(job.ranks, "rank"), plural(job.operations, "operation"), job.messages,
                        job.packets, time_text(job.time_ns));
    if (job.chunks > 0)
      text += fmt::format("{}: its ranks wait for whole messages of a tree; with chunks = {} about {}\n",
                          visible(job.name), job.chunks, time_text(job.chunked_ns));
  }
  return text;
}

// What skipping does for long messages (engine/skip.h); empty: there are none.
std::string skips_text(const Costs& costs) {
  std::set<std::string> reasons;
  bool skips = false;
  for (const PointCost& cost : costs.points) {
    skips |= cost.skips;
    if (!cost.no_skip.empty()) reasons.insert(cost.no_skip);
  }
  std::string text;
  if (skips) text += "less if the traffic of long messages repeats itself, which is then skipped\n";
  for (const std::string& reason : reasons)
    text += fmt::format("every packet of the long messages is simulated, because {}\n", reason);
  return text;
}

// The costs as a JSON document, with the expected work.
std::string cost_json(const Experiment& experiment, const Costs& costs) {
  Json points = Json::array();
  for (std::size_t p = 0; p < costs.points.size(); ++p) {
    const Point& point = experiment.points[p];
    Json params = Json::object();
    for (const auto& [key, value] : point.params) params.append(key, value);
    Json jobs = Json::array();
    for (const JobWork& job : point.work.jobs) {
      Json of_job{{"name", job.name},         {"copies", static_cast<double>(job.copies)},
                  {"ranks", job.ranks},       {"operations", static_cast<double>(job.operations)},
                  {"messages", job.messages}, {"packets", job.packets},
                  {"bytes", job.bytes},       {"iteration_ns", job.time_ns}};
      if (job.chunks > 0) {
        of_job.append("chunks", static_cast<double>(job.chunks));
        of_job.append("iteration_ns_with_chunks", job.chunked_ns);
      }
      jobs.push_back(std::move(of_job));
    }
    const PointCost& cost = costs.points[p];
    Json of_point{{"params", params},
                  {"packet_hops", expected_work(experiment, p)},
                  {"simulated_ns", point.work.time_ns},
                  {"jobs", jobs},
                  {"cpu_s", cost.seconds},
                  {"most_cpu_s", cost.most_seconds},
                  {"memory_bytes", cost.memory},
                  {"memory_bytes_of_thread", static_cast<double>(point.need.thread)},
                  {"most_memory_bytes", cost.memory + static_cast<double>(point.need.traffic)}};
    if (!cost.no_skip.empty()) of_point.append("no_skip", cost.no_skip);
    points.push_back(std::move(of_point));
  }
  const PointCost all = total(costs);
  const Json document{{"points", points},
                      {"seeds", experiment.seeds},
                      {"cpu_s", all.seconds},
                      {"most_cpu_s", all.most_seconds},
                      {"memory_bytes", all.memory}};
  return document.dump(2) + '\n';
}

std::string seeds_text(const Experiment& experiment) {
  if (experiment.until)
    return fmt::format(" with {} to {} seeds each", experiment.until->at_least, experiment.seeds);
  return experiment.seeds == 1 ? "" : fmt::format(" with {} seeds each", experiment.seeds);
}

Loader loader(const Arguments& arguments) {
  if (!arguments.has("--saturation")) return check_experiment;
  return [](Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
    return load_for_search(std::move(spec), {}, overrides, options);
  };
}

int run_check(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal, loader(arguments));
  if (!experiment.whole)
    terminal.warn(
        "'headway check' builds networks of at most about a million nodes in total; routes and queues of the "
        "others are checked when they run");
  SweepOptions one_at_a_time;
  one_at_a_time.jobs = 1;
  one_at_a_time.memory = machine_memory();
  if (const SweepPlan plan = plan_sweep(experiment, one_at_a_time, 1); !plan.warning.empty())
    terminal.warn(plan.warning);
  if (arguments.has("--resolved")) {
    terminal.print(write_toml(experiment.document));
    return kFine;
  }
  const bool as_json = arguments.has("--json"), as_table = arguments.has("--cost") && !as_json;
  const bool has_cost = as_json || as_table || terminal.talks();
  Costs costs{.loading = cpu_seconds()};
  if (has_cost) costs.points = predict_costs(experiment);
  if (as_json) terminal.print(cost_json(experiment, costs));
  if (as_table)
    terminal.print(cost_table(experiment, costs) + skips_text(costs) + jobs_text(experiment.points.front()));
  terminal.say(fmt::format("{}: valid, {}{}", *arguments.value("SPEC"),
                           plural(experiment.points.size(), "point"), seeds_text(experiment)));
  if (!terminal.talks()) return kFine;
  terminal.say(cost_line(experiment, costs));
  std::string more = as_table ? "" : skips_text(costs) + jobs_text(experiment.points.front());
  if (!more.empty()) {
    more.pop_back();  // say() ends the line
    terminal.say(more);
  }
  return kFine;
}

}  // namespace

Command command_check() {
  return {
      .name = "check",
      .place = 30,
      .summary = "find every mistake in a spec",
      .description =
          "Reads a spec and reports all mistakes at once, each with file, line, column, valid values and "
          "the nearest valid name. In a large network, mistakes that only tables of routes can show come "
          "when the others are corrected. Builds networks of at most about a million nodes in total. On a "
          "terminal, and with --cost, it also says how much processor time and memory the runs will take. "
          "For this, it simulates the first milliseconds of the points, for about two seconds in total. "
          "The memory is that of a network that does not fill; 'headway run' warns if one that fills needs"
          " much more.",
      .positionals = {spec_positional()},
      .flags = joined(
          {spec_flags(),
           {{.spelled = "--resolved", .help = "prints the spec with all default values filled in"},
            {.spelled = "--cost",
             .help = "prints the expected processor time and memory of each point and of all points"},
            {.spelled = "--json", .help = "prints the same as a JSON document"},
            {.spelled = "--saturation",
             .help = "expects 'headway saturation' with its default values instead of 'headway run'"}}}),
      .examples = {{"headway check my.toml", "silent if the spec is valid and output is not a terminal"},
                   {"headway check my.toml --cost", "how long each point takes, and all of them"},
                   {"headway check my.toml --resolved", "prints the spec with all its default values"}},
      .run = run_check};
}

}  // namespace headway::cli
