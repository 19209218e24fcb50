// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "headway/base/plural.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/tables.h"
#include "headway/why/path_account.h"
#include "headway/why/suggestions.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr double kWorthASentence = 0.05;            // of the completion time, or of the waiting
constexpr double kWorthAPart = 0.005;               // of the completion time
constexpr std::size_t kMostPlaces = 3;              // slow links, and roots
constexpr double kAsLong = 0.005;                   // difference of a slowdown from 1 that is not told
constexpr std::size_t kMostRuns = 3;                // that are suggested
constexpr std::size_t kAllJobs = 4, kMostJobs = 3;  // with sentences of their own

// An upper bound, rounded up: "3.99", "16".
std::string at_most(double gain) {
  if (std::isinf(gain)) return "any number of";
  const double digits = gain < 10 ? 100 : 1;
  return fmt::format("{:g}", std::ceil(gain * digits - 1e-6) / digits);
}

// Parts with their times, the longest first, without those that are not worth telling.
class LongestTimes {
 public:
  explicit LongestTimes(double worth_ns) : worth_ns_(worth_ns) {}

  void add(std::string text, double ns) {
    if (ns >= worth_ns_ && ns > 0) all_.emplace_back(-ns, std::move(text));
  }
  // At most so many texts made of a part's name and time.
  template <class Text>
  std::vector<std::string> texts(std::size_t most, Text&& text) {
    std::ranges::stable_sort(all_, {}, &std::pair<double, std::string>::first);
    std::vector<std::string> list;
    for (const auto& [ns, name] : all_)
      if (list.size() < most) list.push_back(text(name, -ns));
    return list;
  }

 private:
  double worth_ns_;
  std::vector<std::pair<double, std::string>> all_;
};

// What no change of the network takes away, as long as rates and delays are the usual ones.
void add_own(const PathAccount& path, LongestTimes& parts) {
  parts.add("computing", path.compute_ns);
  parts.add("handling messages", path.overhead_ns);
  parts.add("its own bytes", path.serialisation_ns);
  parts.add("propagation", path.propagation_ns + path.switch_ns);
}

std::vector<std::string> texts_of_parts(const PathAccount& path) {
  LongestTimes parts(kWorthAPart * path.total_ns);
  add_own(path, parts);
  parts.add("narrower links", path.narrow_ns);
  parts.add("slow links", path.slow_ns);
  parts.add(path.is_split ? "other transfer" : "transfer", path.rest_ns);
  parts.add("waiting", path.wait_ns);
  return parts.texts(SIZE_MAX, [&](const std::string& part, double ns) {
    return fmt::format("{} for {} ({})", part, time_text(ns), percent(path.share(ns)));
  });
}

class JobTeller : Told {
 public:
  JobTeller(const PointResult& point, const JobRow& job, const PathAccount& path)
      : point_(point), job_(job), path_(path), name_(job.job) {}

  std::vector<Sentence> sentences() {
    how_long();
    parts();
    slow_links();
    if (path_.wait_ns >= kWorthASentence * path_.total_ns) {
      waits();
      roots();
      victims();
    }
    bound();
    return take();
  }

 private:
  std::string share(double ns) const { return percent(path_.share(ns)); }

  void how_long() {
    const bool is_unnamed = name_.starts_with("job ");  // "job 0"
    const bool has_run = !std::isnan(job_.slowdown);
    say(has_run ? Support::run : Support::account, "Job {} {}took {}{}.",
        is_unnamed ? name_.substr(4) : name_,
        job_.node_wait_ns > 0 ? fmt::format("waited {} for nodes and ", time_text(job_.node_wait_ns)) : "",
        time_text(path_.total_ns),
        !has_run ? ""
        : std::abs(job_.slowdown - 1) < kAsLong
            ? ", as long as alone"
            : fmt::format(", {}{:.3g} times as long as alone", job_.node_wait_ns > 0 ? "together " : "",
                          job_.slowdown));
  }

  void parts() {
    const std::vector<std::string> all = texts_of_parts(path_);
    if (!all.empty()) say("Its critical path is {}.", and_list(all));
  }

  void slow_links() {
    std::size_t told = 0;
    for (const SlowLink& link : path_.slow_links) {
      if (told == kMostPlaces || link.lost_ns() < kWorthASentence * path_.total_ns) break;
      say("{} of it is lost to {}, which has {} of the rate of its peers ({:g} of {:g} GB/s).",
          share(link.lost_ns()), text_of(link, point_.names), percent(link.rate_share), link.rate,
          link.usual_rate);
      ++told;
    }
  }

  void waits() {
    LongestTimes parts(kWorthASentence * path_.wait_ns);
    for (const auto& [flow, ns] : path_.others_ns) parts.add("behind packets of " + flow, ns);
    parts.add("behind its own packets for links between switches", path_.itself_between_ns);
    parts.add("behind its own packets for links of its nodes", path_.itself_own_ns);
    parts.add("until congestion control lets its nodes send", path_.own_rate_ns);
    parts.add("for credits, because all slots of a memory are on the wire", path_.credits_ns);
    parts.add("for nodes that consume packets slowly", path_.receiver_ns);
    parts.add("behind its own packets at inputs that send by other outputs", path_.inputs_ns);
    parts.add("for links that are down", path_.down_ns);
    parts.add("for feedback or in cycles of queues", path_.else_ns);
    const std::vector<std::string> all = parts.texts(SIZE_MAX, [&](const std::string& part, double ns) {
      return fmt::format("{} {}", time_text(ns), part);
    });
    if (!all.empty()) say("It waits {}.", and_list(all));
  }

  // For what it waits, and where.
  void roots() {
    const double runs = runs_with_path(point_, name_);
    struct Root {
      double ns = 0;
      std::map<std::string, double> places = {};
    };
    std::map<std::string, Root> roots;
    for (const WaitRow& wait : rows_in<WaitRow>(point_.result)) {
      if (wait.job != name_) continue;
      Root& root = roots[root_phrase(wait, point_.names)];
      root.ns += wait.wait_ns / runs;
      root.places[place_of(wait, point_.names)] += wait.wait_ns / runs;
    }
    LongestTimes parts(kWorthASentence * path_.wait_ns);
    for (const auto& [phrase, root] : roots) {
      const auto most = std::ranges::max_element(root.places, {}, [](const auto& at) { return at.second; });
      parts.add(
          fmt::format("for {}, {} at {}", phrase, root.places.size() == 1 ? "all" : "mostly", most->first),
          root.ns);
    }
    const std::vector<std::string> all = parts.texts(kMostPlaces, [&](const std::string& part, double ns) {
      return fmt::format("{} {}", time_text(ns), part);
    });
    if (!all.empty()) say("Of this, it waits {}.", fmt::join(all, "; "));
  }

  void victims() {
    const double victim = job_.path_victim_ns, hol = job_.path_hol_ns;
    if (victim >= kWorthASentence * path_.wait_ns)
      say("{} of the waiting is as a victim: its packets do not cross what they wait for.",
          percent(victim / path_.wait_ns));
    if (hol >= kWorthASentence * path_.wait_ns)
      say("{} of the waiting is head-of-line blocking at that moment.", percent(hol / path_.wait_ns));
  }

  void bound() {
    if (!path_.is_split) return;
    LongestTimes parts(kWorthASentence * path_.total_ns);
    add_own(path_, parts);
    const std::vector<std::string> own = parts.texts(SIZE_MAX, [&](const std::string& part, double ns) {
      return fmt::format("{} ({})", part, share(ns));
    });
    const double lost = path_.lost_ns() + path_.slow_ns + path_.narrow_ns;
    const double gain = path_.most_gain(lost);
    const bool by_node = path_.busiest_node_ns > path_.total_ns - lost;
    const std::string why = by_node       ? fmt::format(": the bytes of a node take {} over its links",
                                                        time_text(path_.busiest_node_ns))
                            : own.empty() ? ""
                                          : fmt::format(": what remains of this path is {}", and_list(own));
    say(Support::theorem,
        "With this program and placement, at the usual rates and delays of the links, it can {}{}.",
        gain < 1 + kAsLong ? "hardly be faster" : fmt::format("be at most {} times as fast", at_most(gain)),
        why);
  }

  const PointResult& point_;
  const JobRow& job_;
  const PathAccount& path_;
  std::string_view name_;
};

// Calls visit(job, path) for every job with a critical path.
template <class Visit>
void for_each_path(const PointResult& point, Visit&& visit) {
  for (const JobRow& job : rows_in<JobRow>(point.result))
    if (const auto path = path_account(point, job.job)) visit(job, *path);
}

// Few jobs are all told, of many the ones that were slowed down most, or took longest.
std::vector<std::string_view> jobs_to_tell(const PointResult& point) {
  std::vector<std::pair<double, std::string_view>> jobs;
  for_each_path(point, [&](const JobRow& job, const PathAccount& path) {
    jobs.emplace_back(std::isnan(job.slowdown) ? path.total_ns : job.slowdown, job.job);
  });
  if (jobs.size() > kAllJobs) {
    std::ranges::stable_sort(jobs, std::ranges::greater{}, &std::pair<double, std::string_view>::first);
    jobs.resize(kMostJobs);
  }
  std::vector<std::string_view> names;
  for (const auto& [slowness, name] : jobs) names.push_back(name);
  return names;
}

// What jobs wait before they begin.
std::vector<Sentence> sentences_of_node_waits(const PointResult& point) {
  Told told;
  const double mean = point.result.metric(metrics::node_wait_mean_ns);
  if (!(mean > 0)) return {};
  const std::vector<JobRow> jobs = rows_in<JobRow>(point.result);
  std::size_t waited = 0;
  const JobRow* longest = nullptr;
  for (const JobRow& job : jobs) {
    if (!(job.node_wait_ns > 0)) continue;
    ++waited;
    if (longest == nullptr || job.node_wait_ns > longest->node_wait_ns) longest = &job;
  }
  const double turnaround = point.result.metric(metrics::turnaround_mean_ns);
  told.say(
      "{} of {} waited for nodes, {} on average of all{}, {} longest: {}.", waited,
      plural(jobs.size(), "job"), time_text(mean),
      turnaround > 0 ? fmt::format(" ({} of the time until they are done)", percent(mean / turnaround)) : "",
      longest->job, time_text(longest->node_wait_ns));
  return told.take();
}

}  // namespace

std::vector<Sentence> sentences_of_jobs(const PointResult& point) {
  std::vector<Sentence> all = sentences_of_node_waits(point);
  const std::vector<std::string_view> told = jobs_to_tell(point);
  for_each_path(point, [&](const JobRow& job, const PathAccount& path) {
    if (std::ranges::find(told, job.job) == told.end()) return;
    for (Sentence& sentence : JobTeller(point, job, path).sentences()) all.push_back(std::move(sentence));
  });
  return all;
}

std::string suggested_runs(const PointResult& point) {
  std::string text;
  const std::vector<std::string_view> told = jobs_to_tell(point);
  for_each_path(point, [&](const JobRow& job, const PathAccount&) {
    if (std::ranges::find(told, job.job) == told.end()) return;
    std::vector<Suggestion> runs = suggestions(point, job.job);
    if (runs.empty()) return;
    runs.resize(std::min(runs.size(), kMostRuns));
    text += fmt::format("\nRuns that show what {} gains, with upper bounds [{}]\n", job.job,
                        name_of(Support::theorem));
    for (const Suggestion& run : runs) {
      text += fmt::format("  at most {} times as fast: {}\n    headway why SPEC", at_most(run.most_gain),
                          run.what);
      for (const auto& [key, value] : run.set) text += fmt::format(" --set '{}={}'", key, value);
      text += '\n';
    }
  });
  return text;
}

bool waits_behind_others(const PointResult& point, std::string_view job) {
  double all = 0, others = 0;
  for (const WaitRow& wait : rows_in<WaitRow>(point.result)) {
    if (wait.job != job) continue;
    all += wait.wait_ns;
    if (!wait.behind.empty() && wait.behind != job) others += wait.wait_ns;
  }
  return all > 0 && 2 * others >= all;
}

std::string path_text(const PointResult& point, std::string_view job) {
  const auto path = path_account(point, job);
  return path ? and_list(texts_of_parts(*path)) : "";
}

std::optional<WaitsOnPaths> waits_on_paths(const PointResult& point) {
  const std::vector<JobRow> jobs = rows_in<JobRow>(point.result);
  for (const FlowRow& flow : rows_in<FlowRow>(point.result))
    if (std::ranges::find(jobs, flow.flow, &JobRow::job) == jobs.end()) return std::nullopt;
  std::optional<WaitsOnPaths> most;
  for_each_path(point, [&](const JobRow&, const PathAccount& path) {
    if (!most) most.emplace();
    most->all = std::max(most->all, path.share(path.wait_ns));
    most->behind_others = std::max(most->behind_others, path.share(path.behind_others_ns()));
  });
  return most;
}

}  // namespace headway
