// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/plural.h"
#include "headway/base/statistics.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/window.h"
#include "headway/why/conclusion.h"
#include "headway/why/waiting_classes.h"
#include "headway/why/waiting_words.h"
#include "headway/why/why_jobs.h"
#include "headway/why/why_stalls.h"

namespace headway {
namespace {

constexpr std::size_t kMostRoots = 5, kMostNamed = 8;
constexpr double kLongestBar = 36;  // characters
constexpr double kSmall = 0.01;     // of all waiting packets: a root that is worth a paragraph

// The way of a packet: at its node, then in the network; head-of-line blocking is the last row.
constexpr Waiting kInOrder[] = {Waiting::transit, Waiting::limited, Waiting::admittance,
                                Waiting::room,    Waiting::paused,  Waiting::output,
                                Waiting::serial,  Waiting::input,   Waiting::hol};
static_assert(std::size(kInOrder) == kWaitings);

// Named parts of a number of packets.
class Shares {
 public:
  void add(std::string name, double packets) {
    if (!(packets > 0)) return;
    shares_.push_back({std::move(name), packets});
    all_ += packets;
  }
  bool empty() const { return shares_.empty(); }

  // "flow 1 (93 %), flow 0 (7 %)", without the small ones.
  std::string worth_naming() { return text(shares_.size()).first; }
  // The largest shares of nodes: "node 30 (97 %), node 14 (2 %) and 5 others".
  std::string largest() {
    auto [text, named] = this->text(kMostNamed);
    const std::size_t others = shares_.size() - named;
    if (shares_.front().packets < kSmall * 5 * all_)
      return fmt::format("{}, none more than {}", plural(shares_.size(), "node"),
                         percent(shares_.front().packets / all_));
    if (others > 0) text += fmt::format(" and {} {}", others, others == 1 ? "other" : "others");
    return text;
  }

 private:
  struct Share {
    std::string name;
    double packets;
  };

  std::pair<std::string, std::size_t> text(std::size_t most) {
    std::ranges::stable_sort(shares_, std::ranges::greater{}, &Share::packets);
    std::pair<std::string, std::size_t> result;
    for (auto& [text, named] = result; named < std::min(most, shares_.size()); ++named) {
      const Share& share = shares_[named];
      if (named > 0 && share.packets < kSmall * all_) break;
      text += fmt::format("{}{} ({})", named == 0 ? "" : ", ", share.name, percent(share.packets / all_));
    }
    return result;
  }

  std::vector<Share> shares_;
  double all_ = 0;
};

class LongPage {
 public:
  explicit LongPage(const PointResult& point) : point_(point), result_(point.result) {}

  std::string text() {
    head();
    roots();
    packets();
    links();
    return std::move(text_) + stalls_at_length(point_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    text_ += fmt::format(form, std::forward<Values>(values)...) + '\n';
  }

  double window_begin() const { return result_.metric(metrics::warmup_ns); }
  double window_end() const { return window_begin() + result_.metric(metrics::duration_ns); }

  void head() {
    const std::string params = params_text(point_.params);
    const std::size_t runs = point_.runs.size();
    line("{}{} from {} to {}; {} {}{}", params.empty() ? "" : params + ": ",
         counted(result_.metric(metrics::photographs), "photograph"), time_text(window_begin()),
         time_text(window_end()), runs > 1 ? "the worst status is" : "the run is", name_of(result_.status),
         runs > 1 ? fmt::format("; means over the runs of {} seeds", runs) : "");
  }

  std::string node(double number) const { return node_text(number, point_.names); }

  void roots() {
    const std::vector<WaitedRoot> found = waited_roots(result_);
    double all = 0;
    for (const WaitedRoot& root : found) all += root.packets;
    if (all == 0) return line("\nNo packet waits.");
    std::size_t told = 0;
    double rest = all;
    for (const WaitedRoot& root : found) {
      if (told == kMostRoots || root.packets < kSmall * all) break;
      tell(root, all, ++told);
      rest -= root.packets;
    }
    if (told == 0)
      line("\nNo root stands out: packets wait for {}, and for none of them more than {} of all.",
           plural(found.size(), "root"), percent(found.front().packets / all));
    else if (told < found.size())
      line("{}: {} of the waiting packets on average; the table roots has all of them.",
           plural(found.size() - told, "other root"), percent(std::max(rest, 0.0) / all));
  }

  void tell(const WaitedRoot& root, double all, std::size_t number) {
    const RootRow& row = root.row;
    line("\nRoot {}: {}", number, root_phrase(row, point_.names));
    line("  {} for it on average ({} in the network, {} at their nodes): {} of all that wait.",
         packets_wait(root.packets), packets_text(row.packets), packets_text(row.admittance_packets),
         percent(root.packets / all));
    line("  {} of them are victims: they do not have to cross it.", percent(root.victims / root.packets));
    Shares flows;
    for (const AtRoot& flow : root.flows) flows.add(flow.flow, flow.victims);
    tell("Its victims are packets of", flows);
    if (row.window_load < 1)
      line(
          "  The round trip of a credit takes {}, so the link to this port can carry at most {} of its rate.",
          time_text(row.round_trip_ns), percent(row.window_load));
    Shares nodes;
    for (const auto& [destination, packets] : root.destinations) nodes.add(node(destination), packets);
    if (!nodes.empty()) line("  The others, which cause it, go to {}.", nodes.largest());
    tree(row);
  }

  void tell(std::string_view what, Shares& flows) {
    if (!flows.empty()) line("  {} {}.", what, flows.worth_naming());
  }

  void victims() {
    Shares nodes, flows;
    for (const DestinationRow& row : rows_in<DestinationRow>(result_))
      nodes.add(node(row.destination), row.victim_packets);
    if (!nodes.empty()) line("  They go to {}.", nodes.largest());
    for (const FlowRow& row : rows_in<FlowRow>(result_)) flows.add(std::string(row.flow), row.victim_packets);
    tell("They are packets of", flows);
  }

  // The tree of the root that is in most photographs, and the number of its other trees.
  void tree(const RootRow& root) {
    std::vector<TreeRow> found = rows_in<TreeRow>(result_);
    std::erase_if(found, [&](const TreeRow& row) { return row.kind != root.kind || row.port != root.port; });
    if (found.empty()) return line("  No queue waits for room because of it: it has no congestion tree.");
    const TreeRow tree = *std::ranges::max_element(found, {}, &TreeRow::photographs);
    const bool several = !std::isnan(tree.seed);
    if (several) std::erase_if(found, [&](const TreeRow& row) { return row.seed != tree.seed; });
    const bool lives = std::isnan(tree.death_ns);
    line("  {} congestion tree is there from {} {}.",
         several ? fmt::format("In the run of seed {:.0f}, its", tree.seed) : "Its", time_text(tree.birth_ns),
         !lives ? fmt::format("to {}", time_text(tree.death_ns))
         : several
             ? "on; at the end, the network has not recovered"
             : fmt::format("on; at the end, {}, the network has not recovered", time_text(window_end())));
    // empty: all packets that wait have to cross the root
    if (std::isnan(tree.victim_share)) {
      line("  While it is there, {} for its root, and no packet waits that does not have to cross it.",
           packets_wait(tree.packets));
    } else {
      line("  While it is there, {} for its root; {} of all packets that wait and do not have to",
           packets_wait(tree.packets), percent(tree.victim_share));
      line("  cross the root are its victims.");
    }
    line("  The tree has at most {} in {} of {}, depth {:.0f}, and {}.", counted(tree.most_packets, "packet"),
         counted(tree.most_queues, "queue"), counted(tree.most_ports, "port"), tree.most_depth,
         counted(tree.most_victims, "victim"));
    if (found.size() > 1) line("  The root has {}.", plural(found.size() - 1, "shorter tree"));
  }

  // "12.3 ± 0.8 ns", with the interval over seeds, or that of a single run by its batch means.
  std::string with_interval(std::string_view metric) const {
    using Named = std::pair<std::string, double>;
    const auto over_seeds = std::ranges::find(result_.intervals, metric, &Named::first);
    const std::string error(metric.substr(0, metric.size() - std::string_view("_ns").size()));
    const double half_width = over_seeds != result_.intervals.end()
                                  ? over_seeds->second
                                  : student_t(Window::kBatches - 1) * result_.metric(error + "_se_ns");
    return time_text(result_.metric(metric), half_width);
  }

  static std::string bar(double share) {
    return std::string(static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * kLongestBar)), '#');
  }

  void row(std::string_view what, double value, const std::string& text, double all) {
    line("  {:<44}{:>10}{:>7} {}", what, text, percent(value / all), bar(value / all));
  }

  // Shows times of a delivered packet in a steady state, otherwise numbers of packets.
  void packets() {
    const bool steady = result_.status == Status::ok;
    const double per_ns =
        steady ? 1 : result_.metric(metrics::packets_delivered) / result_.metric(metrics::duration_ns);
    const auto value = [&](std::string_view time) { return result_.metric(time) * per_ns; };
    double all = 0;
    const auto has = [&](const WaitingClass& one) {
      const bool is_rare = one.waiting == Waiting::limited || one.waiting == Waiting::paused;
      return !is_rare || value(one.time) > 0;
    };
    for (const WaitingClass& one : kWaitingClasses)
      if (has(one)) all += value(one.time);
    if (!(all > 0)) return;
    line("\n{}", steady ? "Where the time of a delivered packet goes"
                        : "Where the packets are on average (the run is not steady: no times)");
    const auto show = [&](const WaitingClass& one) {
      const double shown = value(one.time);
      row(one.what, shown, steady ? time_text(shown) : packets_text(shown), all);
    };
    for (const Waiting waiting : kInOrder)
      if (const auto& one = kWaitingClasses[static_cast<std::size_t>(waiting)]; has(one)) show(one);
    const auto wait_text = [&](std::string_view time) {
      return steady ? with_interval(time) : packets_text(value(time)) + " packets";
    };
    if (const double hol = value(metrics::hol_blocking_ns); hol > 0) {
      line("  Head-of-line blocking is the last row, {}: {} of these packets could move if they",
           wait_text(metrics::hol_blocking_ns), percent(value(metrics::hol_movable_ns) / hol));
      line("  were at the head. It is a lower estimate of what separate queues would save.");
    }
    line("  Victims of roots: {} ({} of all).", wait_text(metrics::victim_wait_ns),
         percent(value(metrics::victim_wait_ns) / all));
    victims();
    if (steady)
      line(
          "  The rows add up to {}; the measured mean latency is {}. ± is the half width of a 95 % interval.",
          time_text(all), time_text(result_.metric(metrics::latency_mean_ns)));
  }

  void links() {
    struct Share {
      std::string_view metric, what;
    };
    static constexpr Share kShares[] = {
        {metrics::links_busy, "busy"},
        {metrics::links_feedback, "carrying credits and notifications"},
        {metrics::links_unwanted, "idle: no packet was to cross them"},
        {metrics::links_starved, "idle: the packets for them wait elsewhere"},
        {metrics::links_lost_hol, "lost by head-of-line blocking"},
        {metrics::links_lost_input, "lost because inputs send elsewhere"},
        {metrics::links_lost_room, "lost for lack of room, with victims"},
        {metrics::links_throttled, "waiting for room, without victims"},
        {metrics::links_down, "down, while packets wait"},
    };
    if (!(result_.metric(metrics::photographs) > 0)) return;
    line("\nWhere the time of the links that leave switches goes");
    for (const Share& share : kShares)
      if (const double value = result_.metric(share.metric); value > 0) row(share.what, value, "", 1);
  }

  const PointResult& point_;
  const Result& result_;
  std::string text_;
};

}  // namespace

std::string why_at_length(const PointResult& point) {
  require_photographs(point.result);
  const std::string jobs = jobs_at_length(point);
  return LongPage(point).text() + (jobs.empty() ? "" : "\n" + jobs);
}

}  // namespace headway
