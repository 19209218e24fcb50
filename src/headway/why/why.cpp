// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "headway/base/plural.h"
#include "headway/base/wrapped.h"
#include "headway/kernel/kernel.h"
#include "headway/metrics/metric_names.h"
#include "headway/spec/overrides.h"
#include "headway/why/conclusion.h"
#include "headway/why/waiting_words.h"
#include "headway/why/why_jobs.h"
#include "headway/why/why_pauses.h"

namespace headway {
namespace {

constexpr std::size_t kMostGroups = 8;
constexpr double kWorthTelling = 0.05;  // of a critical path
constexpr double kWorthAnEntry = 0.01;  // of all waiting packets

// What stands below the sentences: the groups of roots, and the flows.
class EvidenceOfWaiting {
 public:
  EvidenceOfWaiting(const Conclusion& conclusion, const PointResult& point)
      : all_(conclusion), point_(point) {}

  std::string text() {
    const Result& result = point_.result;
    const double begin = result.metric(metrics::warmup_ns);
    text_ += fmt::format("\nEvidence: {} from {} to {}, status {}; {} on average\n",
                         counted(result.metric(metrics::photographs), "photograph"), time_text(begin),
                         time_text(begin + result.metric(metrics::duration_ns)), name_of(result.status),
                         packets_wait(all_.waiting));
    groups();
    flows();
    return std::move(text_);
  }

 private:
  void groups() {
    if (all_.groups.empty()) return;
    text_ += "  waiting  victims  for roots (and the flow with most packets that cross them)\n";
    std::size_t told = 0;
    double rest = all_.waiting;
    std::size_t others = all_.roots.size();
    for (const RootGroup& group : all_.groups) {
      if (told == kMostGroups || (told > 0 && group.packets < kWorthAnEntry * all_.waiting)) break;
      entry(group);
      ++told;
      rest -= group.packets;
      others -= group.roots.size();
    }
    if (others > 0)
      text_ += fmt::format("  {:>7}           {}\n", percent(std::max(0.0, rest) / all_.waiting),
                           plural(others, "other root"));
  }

  void entry(const RootGroup& group) {
    const std::string most = packets_text(all_.roots[group.roots.front()].packets);
    const std::string least = packets_text(all_.roots[group.roots.back()].packets);
    const std::string each = group.roots.size() == 1 ? mean_packets(group.packets)
                             : least == most         ? most + " packets each"
                                                     : fmt::format("{} to {} packets each", least, most);
    text_ += fmt::format("  {:>7}  {:>7}  {}{}: {}\n", percent(group.packets / all_.waiting),
                         percent(group.victims / group.packets), group_text(group, all_.roots, point_.names),
                         group.of.flow.empty() ? "" : fmt::format(" ({})", group.of.flow), each);
  }

  // A closed loop offers what is accepted.
  static std::string load_text(const FlowFinding& flow) {
    if (flow.is_closed_loop) return fmt::format("{:.3g}", flow.accepted_load);
    return flow.offered_load > 0 ? fmt::format("{:.3g} of {:.3g}", flow.accepted_load, flow.offered_load)
                                 : "-";
  }

  // Times are per delivered packet.
  void flows() {
    if (all_.flows.size() < 2) return;
    std::size_t width = 4;
    for (const FlowFinding& flow : all_.flows) width = std::max(width, flow.name.size());
    const bool loads = all_.flows.front().offered_load >= 0;
    const bool all_closed = std::ranges::all_of(all_.flows, &FlowFinding::is_closed_loop);
    text_ += fmt::format("\n  {:<{}}  {:>10}  {:>10}  {:>10}{}\n", "flow", width, "delivered", "waits",
                         "as victim",
                         !loads       ? ""
                         : all_closed ? "  accepted load"
                                      : "  accepted of offered load");
    for (const FlowFinding& flow : all_.flows)
      text_ += fmt::format("  {:<{}}  {:>10.0f}  {:>10}  {:>10}{}\n", flow.name, width, flow.delivered,
                           flow.delivered > 0 ? time_text(flow.waiting_ns) : "-",
                           flow.delivered > 0 ? time_text(flow.victim_ns) : "-",
                           loads ? "  " + load_text(flow) : "");
  }

  const Conclusion& all_;
  const PointResult& point_;
  std::string text_;
};

// Critical paths are exact. Beside them, photographs are worth telling if a path waits, and their places and
// flows if it waits behind other traffic.
std::vector<Sentence> sentences_of_photographs(const Conclusion& conclusion, const PointResult& point) {
  const auto paths = waits_on_paths(point);
  if (!paths || paths->behind_others > kWorthTelling) return sentences(conclusion, point);
  return paths->all > kWorthTelling ? sentences_of_state(conclusion, point) : std::vector<Sentence>();
}

// Returns true if a job of the spec is not in the background.
bool has_job_to_wait_for(const Document& spec) {
  const Document* const jobs = spec.find("traffic.job");
  const auto* const all = jobs == nullptr ? nullptr : jobs->get<Document::Array>();
  return all != nullptr && std::ranges::any_of(*all, [](const Document& job) {
           const Document* const background = job.member("background");
           return background == nullptr || !(*background == Document(true));
         });
}

void ask_for_critical_paths(const Document& spec, std::vector<Override>& overrides) {
  Document::Array tables;
  const Document* const given = spec.find("measure.tables");
  if (const auto* const list = given == nullptr ? nullptr : given->get<Document::Array>()) tables = *list;
  const Document path(std::string("critical-path"));
  if (std::ranges::find(tables, path) == tables.end()) tables.push_back(path);
  overrides.push_back({"measure.tables", Document(std::move(tables))});
  overrides.push_back({"measure.alone", Document(true)});
}

}  // namespace

Experiment load_for_why(Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
  const Document* const kernel = spec.member("kernel");
  const auto* const name = kernel == nullptr ? nullptr : kernel->get<std::string>();
  if (name != nullptr && find(kernels(), *name) != nullptr)
    throw SpecError(
        "kernel",
        fmt::format("the {} kernel takes no photographs, so it cannot explain why packets wait", *name),
        "`headway why` needs the event-driven kernel", kernel->where);
  constexpr std::string_view kWaiting = "observe.waiting";
  std::vector<Override> all{{std::string(kWaiting), Document(true, std::string(kWaiting))}};
  Document changed = spec;
  Mistakes ignored;  // load_experiment reports them
  apply(overrides, changed, ignored);
  if (has_job_to_wait_for(changed)) ask_for_critical_paths(changed, all);
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_experiment(std::move(spec), all, options);
}

std::string why(const PointResult& point, std::size_t columns, SuggestRuns suggest) {
  const std::string runs = suggest == SuggestRuns::yes ? suggested_runs(point) : "";
  std::string text = point.params.empty() ? "" : params_text(point.params) + ":\n";
  if (point.runs.size() > 1)
    text += wrapped(fmt::format("All numbers are means over the runs of {} seeds, and all places are those "
                                "of any of these runs.",
                                point.runs.size()),
                    0, columns);
  const std::vector<Sentence> jobs = sentences_of_jobs(point);
  text += text_of(jobs, columns);
  if (!jobs.empty() && std::isnan(point.result.metric(metrics::photographs)))
    return text +
           wrapped(
               "These results have no photographs, which tell why other packets wait; simulate the spec "
               "again with --set observe.waiting=true for them.",
               0, columns) +
           runs;
  const Conclusion conclusion = conclude(point);
  text += text_of(sentences_of_photographs(conclusion, point), columns);
  text += text_of(sentences_of_pauses(point), columns);
  return text + runs + EvidenceOfWaiting(conclusion, point).text();
}

}  // namespace headway
