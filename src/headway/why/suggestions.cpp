// SPDX-License-Identifier: Apache-2.0
#include "headway/why/suggestions.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/config/document.h"
#include "headway/metrics/metric_names.h"
#include "headway/why/path_account.h"

namespace headway {
namespace {

constexpr double kWorthARun = 0.1;  // of the path
constexpr double kMuchMemory = 64;  // times

std::string list_text(const std::vector<std::string>& names) {
  Document::Array list;
  for (const std::string& name : names) list.emplace_back(name);
  return to_text(Document(std::move(list)));
}

class Suggestions {
 public:
  Suggestions(const PointResult& point, const PathAccount& path) : point_(point), path_(path) {}

  std::vector<Suggestion> take() {
    slow_links();
    for (const auto& [flow, ns] : path_.others_ns)
      add(PathPart::others, ns, "without " + flow, fixed(), {{"what_if.without", list_text({flow})}});
    add(PathPart::receiver, path_.slow_receivers_ns, "receivers at full rate", fixed(),
        {{"what_if.fast_receivers", "true"}});
    add(PathPart::own_rate, path_.own_rate_ns, "without congestion control", fixed(),
        {{"node.reaction", "none"}, {"switch.marking", "none"}});
    add(PathPart::collisions, path_.itself_between_ns - path_.itself_between_slow_ns, "random paths",
        other_routes(), {{"routing.algorithm", "spray"}});
    memory();
    add(PathPart::narrow_links, path_.narrow_ns, "routes over wider links", other_routes(),
        {{"routing.algorithm", "up-down"}});
    std::ranges::stable_sort(all_, std::ranges::greater{}, &Suggestion::share);
    return std::move(all_);
  }

 private:
  // What can disappear if rates, delays and routes stay.
  double fixed() const { return path_.lost_ns(); }
  // What can disappear over other links.
  double other_routes() const {
    return path_.lost_ns() + path_.slow_ns + path_.narrow_ns + path_.propagation_ns + path_.switch_ns;
  }

  void add(PathPart part, double ns, std::string what, double removed_ns,
           std::vector<std::pair<std::string, std::string>> set) {
    if (!(path_.share(ns) >= kWorthARun)) return;
    all_.push_back({part, path_.share(ns), std::move(what), path_.most_gain(removed_ns), std::move(set)});
  }

  // All of them together, if no link is worth a run by itself.
  void slow_links() {
    const std::size_t before = all_.size();
    double all_ns = 0, all_transfer_ns = 0;
    for (const SlowLink& link : path_.slow_links) {
      all_ns += link.lost_ns();
      all_transfer_ns += link.transfer_ns;
      if (!link.end.empty())
        add(PathPart::slow_link, link.lost_ns(), text_of(link, point_.names) + " at the rate of its peers",
            fixed() + link.transfer_ns, {{"what_if.usual_rates", list_text({link.end})}});
    }
    // The account of a flow does not say which links make its transit longer.
    const double unnamed_ns = std::max(0.0, path_.slow_ns - all_transfer_ns);
    all_ns += unnamed_ns;
    all_transfer_ns += unnamed_ns;
    if (all_.size() == before)
      add(PathPart::slow_link, all_ns, "all slow links at the rate of their peers", fixed() + all_transfer_ns,
          {{"what_if.usual_rates", list_text({"all"})}});
  }

  void memory() {
    const double bytes = point_.result.metric(metrics::port_memory_bytes);
    if (bytes > 0)
      add(PathPart::credits, path_.credits_ns,
          fmt::format("{:.0f} times the memory per input port", kMuchMemory), fixed(),
          {{"switch.input_memory", fmt::format("{:.0f} B", kMuchMemory * bytes)}});
  }

  const PointResult& point_;
  const PathAccount& path_;
  std::vector<Suggestion> all_;
};

}  // namespace

std::vector<Suggestion> suggestions(const PointResult& point, std::string_view job) {
  const std::optional<PathAccount> path = path_account(point, job);
  return path ? Suggestions(point, *path).take() : std::vector<Suggestion>();
}

std::vector<Suggestion> suggestions_for_flow(const PointResult& point, std::string_view flow) {
  const std::optional<PathAccount> account = flow_account(point, flow);
  return account ? Suggestions(point, *account).take() : std::vector<Suggestion>();
}

}  // namespace headway
