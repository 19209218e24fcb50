// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why_stalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/stalls.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostStalls = 5;

class StallPage {
 public:
  explicit StallPage(const PointResult& point) : point_(point), result_(point.result) {}

  std::string text() {
    stalls();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    text_ += fmt::format(form, std::forward<Values>(values)...) + '\n';
  }

  std::string node(double number) const { return node_text(number, point_.names); }

  // Reports deadlock, starvation or saturation, each with its evidence, or that there is none.
  void stalls() {
    line("");
    if (result_.status == Status::deadlock) return line("Deadlock: {}", result_.detail);
    const double starved = result_.metric(metrics::starved_heads);
    if (starved > 0) {
      line("Starvation: {} at the head of a queue while packets of others take what {}.",
           packets_wait(starved), starved == 1 ? "it lacks" : "they lack");
      tell_starved();
      if (const double outranked = result_.metric(metrics::outranked_heads); outranked > 0)
        line("  {} of them {} of a class that waits until classes of a higher priority have sent.",
             packets_text(outranked), outranked == 1 ? "is" : "are");
    }
    const std::string verdict = verdict_text(result_, "It");
    if (starved > 0)
      line("{}", verdict);
    else
      line("No stall.{}{}", verdict.empty() ? "" : " ", verdict);
    tell_longest();
  }

  std::vector<StallRow> stalls_of(StallKind kind) const {
    std::vector<StallRow> found = rows_in<StallRow>(result_);
    std::erase_if(found, [&](const StallRow& stall) { return stall.kind != name_of(kind); });
    return found;
  }

  // "switch 1 port 0 queue 0 (node 1 to node 3)"; with several seeds, "(node 1 to node 3, seed 2)"
  std::string head_text(const StallRow& stall) const {
    const std::string place = std::isnan(stall.at_switch)
                                  ? node(stall.at_node)
                                  : fmt::format("{} {} {:.0f}", switch_text(stall.at_switch, point_.names),
                                                stall.at_output > 0 ? "output" : "port", stall.at_port);
    return fmt::format("{} queue {:.0f} ({} to {}{})", place, stall.queue, node(stall.source),
                       node(stall.destination),
                       std::isnan(stall.seed) ? "" : fmt::format(", seed {:.0f}", stall.seed));
  }

  void tell_starved() {
    const std::vector<StallRow> found = stalls_of(StallKind::starved);
    for (const StallRow& stall : std::span(found).first(std::min(found.size(), kMostStalls))) {
      line("  {}: from {} to {}, {:.0f} packets of others took it; {:.0f} heads, at most, were",
           head_text(stall), time_text(stall.since_ns), time_text(stall.until_ns), stall.passed_packets,
           stall.rivals);
      line("  rivals.{}", std::isnan(stall.winner_port)
                              ? ""
                              : fmt::format(" Port {:.0f} held the output in {} of the photographs.",
                                            stall.winner_port, percent(stall.winner_share)));
    }
    if (found.size() > kMostStalls) line("  The table stalls has {} more.", found.size() - kMostStalls);
  }

  // Reports the head that has waited longest; with several seeds, that of one run.
  void tell_longest() {
    const std::vector<StallRow> found = stalls_of(StallKind::longest);
    const auto wait = [](const StallRow& stall) { return stall.until_ns - stall.since_ns; };
    const auto longest = std::ranges::max_element(found, {}, wait);
    if (longest == found.end()) return;
    if (wait(*longest) == 0) return line("At the end, no head has waited since the previous photograph.");
    line("At the end, the head that has waited longest, for {}, is that of {}.", time_text(wait(*longest)),
         head_text(*longest));
    for (const RootRow& root : rows_in<RootRow>(result_))
      if (root.kind == longest->root_kind && root.port == longest->root_port)
        return line("It waits for {}.", root_phrase(root, point_.names));
  }

  const PointResult& point_;
  const Result& result_;
  std::string text_;
};

}  // namespace

std::string stalls_at_length(const PointResult& point) { return StallPage(point).text(); }

}  // namespace headway
