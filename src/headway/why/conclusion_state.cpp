// SPDX-License-Identifier: Apache-2.0
// Sentences about the state of a run: what is delivered, since when packets wait and whether this ends, and
// what starves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "headway/metrics/metric_names.h"
#include "headway/why/conclusion.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr double kMore = 1.05;  // of the offered load: more than all of it
constexpr double kGrows = 1.1;  // in a quarter of the window

class StateTeller : Told {
 public:
  StateTeller(const Conclusion& conclusion, const PointResult& point) : all_(conclusion), point_(point) {}

  std::vector<Sentence> sentences() {
    load();
    cut_off();
    course();
    starvation();
    credits();
    refused();
    return take();
  }

 private:
  void load() {
    const bool of_flow = all_.culprit && all_.sufferer && all_.flows[*all_.sufferer].offered_load > 0 &&
                         !all_.flows[*all_.sufferer].is_closed_loop;
    if (!of_flow && all_.is_closed_loop) return;
    const double offered = of_flow ? all_.flows[*all_.sufferer].offered_load : all_.offered_load;
    const double accepted = of_flow ? all_.flows[*all_.sufferer].accepted_load : all_.accepted_load;
    if (!(offered > 0) || std::isnan(accepted)) return;
    const std::string who = of_flow ? all_.flows[*all_.sufferer].name : "all traffic";
    if (accepted > kMore * offered)
      say("Of {}, {:.3g} of the link rate is delivered, more than is offered in the window ({:.3g}): the "
          "rest was generated before.",
          who, accepted, offered);
    else if (accepted >= kAllOffered * offered && (of_flow || all_.status != Status::saturated))
      say("All that is offered{} is delivered: {:.3g} of the link rate.", of_flow ? " of " + who : "",
          accepted);
    else
      say("Of {}, {:.3g} of the link rate is delivered, where {:.3g} is offered ({} less).", who, accepted,
          offered, percent(1 - accepted / offered));
  }
  void cut_off() {
    const double share = point_.result.metric(metrics::cut_off_share);
    if (share > 0) say("Failed links cut off {} of the load, which is not offered.", percent(share));
  }

  void course() {
    // A network that carries its load has no course, and what rises and falls in a steady run is chance.
    if (!all_.course || (all_.limit == Limit::spread && all_.carries_its_load())) return;
    const WaitingCourse& course = *all_.course;
    // Jobs that are done are no steady state.
    if (all_.is_steady() && !all_.has_jobs) return say("The congestion lasts: the run is steady.");
    const std::string since =
        course.since_ns ? fmt::format("from about {}", time_text(*course.since_ns)) : "from the start";
    if (course.until_ns)
      return say("The congestion is there {} to about {}; then the network has recovered.", since,
                 time_text(*course.until_ns));
    if (all_.is_steady()) return;
    const bool is_one = packets_text(course.at_end) == "1";
    const std::string now = course.counts_victims
                                ? mean_packets(course.at_end) + (is_one ? " is a victim" : " are victims")
                                : packets_wait(course.at_end);
    const std::string change =
        std::isinf(course.growth) ? ", and there were none a quarter of the window earlier"
        : course.growth >= kGrows
            ? fmt::format(", {:.2g} times as many as a quarter of the window earlier", course.growth)
        : course.growth <= 1 / kGrows ? ", and the number decreases"
        : std::isnan(course.growth)   ? ""
                                      : ", and the number hardly changes";
    if (course.shortest_ns)
      return say(
          "The congestion is there {} on, and the network does not recover until {}, where the shortest run "
          "ends: then, {}{}.",
          since, time_text(*course.shortest_ns), now, change);
    say("The congestion is there {} on, and the network does not recover within the run: at the end, {}{}.",
        since, now, change);
  }

  void starvation() {
    if (all_.starved_heads <= 0) return;
    double most = all_.starved_heads;
    std::size_t starving = 0;  // runs
    for (const Result& run : point_.runs) {
      const double here = run.metric(metrics::starved_heads);
      starving += here > 0 ? 1 : 0;
      most = std::max(most, std::isnan(here) ? 0 : here);
    }
    const bool several = point_.runs.size() > 1;
    const auto heads = static_cast<std::size_t>(std::lround(std::max(1.0, most)));
    const bool all_outranked = all_.outranked_heads >= all_.starved_heads;
    say("{}{} at the head of a queue while packets of others take what {}: starvation{}.",
        several ? fmt::format("In {} of {} runs, ", starving, point_.runs.size()) : "",
        heads == 1 ? "1 packet waits" : fmt::format("{}{} packets wait", several ? "up to " : "", heads),
        heads == 1 ? "it lacks" : "they lack",
        all_.outranked_heads <= 0 ? ""
        : all_outranked           ? ", because classes of a higher priority are served first"
                        : fmt::format("; classes of a higher priority are served before {:.0f} of them",
                                      std::max(1.0, all_.outranked_heads)));
  }

  void credits() {
    if (all_.credit_share > 0)
      say(Support::theorem,
          "{} of all waiting packets wait for memories whose slots are all on the wire: their credits take "
          "so "
          "long to return that a link can carry at most {} of its rate.",
          percent(all_.credit_share), percent(all_.credit_load));
  }

  void refused() {
    if (all_.refused > 0)
      say("{} should have moved to a queue for isolation when none was free.",
          counted(all_.refused, "packet"));
  }

  const Conclusion& all_;
  const PointResult& point_;
};

}  // namespace

std::vector<Sentence> sentences_of_state(const Conclusion& conclusion, const PointResult& point) {
  return StateTeller(conclusion, point).sentences();
}

}  // namespace headway
