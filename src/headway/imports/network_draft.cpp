// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/network_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>

#include "headway/base/plural.h"
#include "headway/base/units.h"
#include "headway/engine/network_options.h"
#include "headway/imports/checked.h"

namespace headway::imports {
namespace {

constexpr std::int64_t kUsualPacket = 2048;
constexpr std::string_view kInsideDelay = "1 ns";  // of a host's own link

std::string quoted(const std::string& name) { return to_text(Document(name)); }

// The draft with a role for every vertex, and what of it was assumed.
class DraftedNetwork {
 public:
  DraftedNetwork(const NetworkDraft& draft, Mistakes& mistakes) : draft_(draft), mistakes_(mistakes) {
    links_of_.resize(draft.vertices.size());
    for (const DraftLink& link : draft.links) {
      links_of_[link.a].push_back(&link);
      links_of_[link.b].push_back(&link);
    }
    const bool pass_on = hosts_pass_on();
    for (std::size_t v = 0; v < draft.vertices.size(); ++v)
      is_switch_.push_back(!draft.vertices[v].is_host || links_of_[v].empty() || has_host_beside(v) ||
                           (pass_on && links_of_[v].size() > 1));
    find_extremes();
  }

  void check(const std::string& path) {
    const auto hosts = std::ranges::count_if(draft_.vertices, &DraftVertex::is_host);
    if (hosts < 2)
      return mistakes_.add({"FILE", fmt::format("has {}", plural(static_cast<std::size_t>(hosts), "host")),
                            "traffic needs two", path});
    constexpr std::size_t kMostListed = 20;
    std::size_t listed = 0;
    const std::vector<std::size_t> part = parts([](const DraftLink&) { return true; });
    const std::size_t first = static_cast<std::size_t>(
        std::ranges::find_if(draft_.vertices, &DraftVertex::is_host) - draft_.vertices.begin());
    for (std::size_t v = 0; v < part.size(); ++v)
      if (part[v] != part[first] && listed++ < kMostListed)
        mistakes_.add(
            {"FILE",
             fmt::format("{} \"{}\" has no path to \"{}\"", draft_.vertices[v].is_host ? "host" : "switch",
                         draft_.vertices[v].name, draft_.vertices[first].name),
             links_of_[v].empty() ? "it has no link" : "", draft_.vertices[v].where});
    if (listed > kMostListed)
      mistakes_.add({"FILE", fmt::format("and {} more have no path to it", listed - kMostListed), "", path});
  }

  std::string text(const std::string& path) const {
    std::string text = fmt::format("# Made by headway import from {}.\n", path);
    for (std::size_t v = 0; v < draft_.vertices.size(); ++v)
      if (is_switch_[v]) text += fmt::format("[[switch]]\nname = {}\n", quoted(draft_.vertices[v].name));
    for (std::size_t v = 0; v < draft_.vertices.size(); ++v) {
      const DraftVertex& vertex = draft_.vertices[v];
      if (!vertex.is_host) continue;
      if (is_switch_[v]) {
        text += fmt::format("[[node]]\nat = {0}\nname = {0}\nrate = \"{1}\"\ndelay = \"{2}\"\n",
                            quoted(vertex.name), to_string(inside_rate(v)), kInsideDelay);
        continue;
      }
      if (links_of_[v].size() > 1) {
        text += text_of_links(v);
        continue;
      }
      const DraftLink& link = *links_of_[v].front();
      text +=
          fmt::format("[[node]]\nat = {}\nname = {}\n", quoted(other_end(link, v).name), quoted(vertex.name));
      text += ends(link);
    }
    for (const DraftLink& link : draft_.links)
      if (is_switch_[link.a] && is_switch_[link.b])
        text += fmt::format("[[link]]\nends = [{}, {}]\n", quoted(draft_.vertices[link.a].name),
                            quoted(draft_.vertices[link.b].name)) +
                ends(link);
    return text;
  }

  std::size_t hosts() const {
    return static_cast<std::size_t>(std::ranges::count_if(draft_.vertices, &DraftVertex::is_host));
  }
  std::size_t switches() const { return static_cast<std::size_t>(std::ranges::count(is_switch_, true)); }
  std::size_t links_of_switches() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        draft_.links, [&](const DraftLink& link) { return is_switch_[link.a] && is_switch_[link.b]; }));
  }
  // Hosts that are switches with a node of their own.
  const std::vector<bool>& switch_marks() const { return is_switch_; }
  std::size_t inside() const {
    std::size_t count = 0;
    for (std::size_t v = 0; v < is_switch_.size(); ++v)
      count += is_switch_[v] && draft_.vertices[v].is_host ? 1 : 0;
    return count;
  }
  std::size_t several() const {
    std::size_t count = 0;
    for (std::size_t v = 0; v < is_switch_.size(); ++v)
      count += !is_switch_[v] && links_of_[v].size() > 1 ? 1 : 0;
    return count;
  }
  const LinkExtremes& extremes() const { return extremes_; }

 private:
  const DraftVertex& other_end(const DraftLink& link, std::size_t v) const {
    return draft_.vertices[link.a == v ? link.b : link.a];
  }
  bool has_host_beside(std::size_t v) const {
    return std::ranges::any_of(links_of_[v],
                               [&](const DraftLink* link) { return other_end(*link, v).is_host; });
  }

  // Some hosts only reach each other over other hosts: no network of switches has links of all hosts.
  bool hosts_pass_on() const {
    for (std::size_t v = 0; v < links_of_.size(); ++v)
      if (draft_.vertices[v].is_host && (links_of_[v].empty() || has_host_beside(v))) return true;
    const std::vector<std::size_t> network = parts([&](const DraftLink& link) {
      return !draft_.vertices[link.a].is_host && !draft_.vertices[link.b].is_host;
    });
    std::optional<std::set<std::size_t>> in_all;
    for (std::size_t v = 0; v < links_of_.size(); ++v) {
      if (!draft_.vertices[v].is_host) continue;
      std::set<std::size_t> networks;
      for (const DraftLink* link : links_of_[v]) networks.insert(network[link->a == v ? link->b : link->a]);
      if (!in_all) in_all = networks;
      std::erase_if(*in_all, [&](std::size_t each) { return !networks.contains(each); });
    }
    return in_all && in_all->empty();
  }

  // Of a node with several links: those inside its server first.
  std::string text_of_links(std::size_t v) const {
    std::string text = fmt::format("[[node]]\nname = {}\n", quoted(draft_.vertices[v].name));
    for (const bool scale_up : {true, false})
      for (const DraftLink* link : links_of_[v]) {
        const DraftVertex& at = other_end(*link, v);
        if (at.is_scale_up == scale_up)
          text += fmt::format("[[node.link]]\nat = {}\n{}{}", quoted(at.name),
                              scale_up ? "scale_up = true\n" : "", ends(*link));
      }
    return text;
  }

  static Rate rate_of(const DraftLink& link) {
    return *parse_rate(link.rate ? *link.rate : std::string(kAssumedRate));
  }
  // Choice: the fastest of its links, as often as it has links, because a sum of rates may need a tick that
  // no run has.
  Rate inside_rate(std::size_t v) const {
    if (links_of_[v].empty()) return *parse_rate(kAssumedRate);
    const auto fastest = std::ranges::max_element(
        links_of_[v], {}, [](const DraftLink* link) { return rate_of(*link).bytes_per_ns.to_double(); });
    const Rational rate = rate_of(**fastest).bytes_per_ns;
    try {
      return Rate{rate * Rational(static_cast<std::int64_t>(links_of_[v].size()))};
    } catch (const std::overflow_error&) {
      return Rate{rate};
    }
  }

  static std::string ends(const DraftLink& link) {
    return (link.rate ? fmt::format("rate = \"{}\"\n", *link.rate) : "") +
           (link.delay ? fmt::format("delay = \"{}\"\n", *link.delay) : "");
  }

  void find_extremes() {
    bool first_host = true;
    extremes_.fastest = 0;
    extremes_.longest = 0;
    for (const DraftLink& link : draft_.links) {
      const double rate = rate_of(link).bytes_per_ns.to_double();
      extremes_.fastest = std::max(extremes_.fastest, rate);
      const auto delay = parse_duration(link.delay ? *link.delay : std::string(kAssumedDelay));
      extremes_.longest = std::max(extremes_.longest, delay->ns.to_double());
      if (!draft_.vertices[link.a].is_host && !draft_.vertices[link.b].is_host) continue;
      if (first_host || rate < extremes_.slowest_host) extremes_.slowest_host = rate;
      first_host = false;
    }
    for (std::size_t v = 0; v < is_switch_.size(); ++v)
      if (is_switch_[v] && draft_.vertices[v].is_host)
        for (const DraftLink* link : links_of_[v])
          extremes_.slowest_part =
              std::min(extremes_.slowest_part,
                       rate_of(*link).bytes_per_ns.to_double() / inside_rate(v).bytes_per_ns.to_double());
  }

  // For every vertex, one of those that it is connected with, over the links that count.
  template <class Counts>
  std::vector<std::size_t> parts(const Counts& counts) const {
    std::vector<std::size_t> part(draft_.vertices.size());
    std::iota(part.begin(), part.end(), std::size_t{0});
    const auto find = [&](std::size_t v) {
      while (part[v] != v) v = part[v] = part[part[v]];
      return v;
    };
    for (const DraftLink& link : draft_.links)
      if (counts(link)) part[find(link.a)] = find(link.b);
    for (std::size_t v = 0; v < part.size(); ++v) part[v] = find(v);
    return part;
  }

  const NetworkDraft& draft_;
  Mistakes& mistakes_;
  std::vector<std::vector<const DraftLink*>> links_of_;
  std::vector<bool> is_switch_;
  LinkExtremes extremes_;
};

// A value of a link that the file does not give.
void assume(const NetworkDraft& draft, std::string_view key, std::string_view value,
            std::optional<std::string> DraftLink::* field, SpecText& spec) {
  const auto missing = static_cast<std::size_t>(
      std::ranges::count_if(draft.links, [&](const DraftLink& link) { return !(link.*field); }));
  if (missing == 0) return;
  const std::string_view name = key.substr(5);
  const std::string why =
      missing == draft.links.size()
          ? fmt::format("assumed, the file gives no {}s", name)
          : fmt::format("assumed for {} of {} links, which have no {}", missing, draft.links.size(), name);
  spec.set(key, value, why);
  spec.say(fmt::format("{} = \"{}\": {}", key, value, why));
}

Import with_routing(std::string_view algorithm, std::string_view why, const Request& request,
                    std::string_view what, const LinkExtremes& links, std::vector<ImportedFile> files,
                    SpecText spec, const SpecText& traffic) {
  spec.table("[routing]");
  spec.set("algorithm", algorithm, why);
  add_usual_traffic(links, spec, traffic);
  return {spec.text(fmt::format("{}, {}", request.first().path, what)), std::move(files), spec.said()};
}

}  // namespace

NetworkFile network_text_of(const NetworkDraft& draft, const std::string& path, Mistakes& mistakes) {
  if (!mistakes.empty()) return {};
  if (draft.vertices.size() > NetworkDraft::kMostVertices ||
      draft.links.size() > NetworkDraft::kMostDraftLinks) {
    mistakes.add(
        {"FILE",
         fmt::format("has {} switches and hosts and {} links", draft.vertices.size(), draft.links.size()),
         fmt::format("at most {} and {}", NetworkDraft::kMostVertices, NetworkDraft::kMostDraftLinks), path});
    return {};
  }
  DraftedNetwork network(draft, mistakes);
  network.check(path);
  if (!mistakes.empty()) return {};
  return {network.text(path), network.inside(), network.extremes(), network.switch_marks()};
}

void name_inside(const NetworkFile& network, SpecText& spec) {
  if (network.inside == 0) return;
  const std::string hosts = plural(network.inside, "host");
  spec.without(
      hosts + " with several links, or linked to another host",
      fmt::format(
          "packets of others cross them, so each is a switch with a node of its own, whose link has {} and "
          "the rate of its fastest link for each of them",
          kInsideDelay));
  spec.say(hosts + " with several links, or linked to another host: each is a switch with a node");
}

void add_usual_traffic(const LinkExtremes& links, SpecText& spec, const SpecText& traffic) {
  const double packet_time = static_cast<double>(kUsualPacket) / links.slowest_host;
  const double round_trip = links.fastest * (2 * links.longest) + 4 * static_cast<double>(kUsualPacket);
  const double most = static_cast<double>(kMostCreditsPerQueue) * static_cast<double>(kUsualPacket);
  const auto memory = static_cast<std::int64_t>(std::min(std::max(round_trip, 65536.0), most));
  spec.table("[switch]");
  spec.set("input_memory", fmt::format("{} B", memory),
           "assumed: what the longest link needs, and 64 KiB at least");
  if (!traffic.empty()) return spec.append(traffic);
  spec.table("[traffic]");
  spec.set("packet", fmt::format("{} B", kUsualPacket), "assumed");
  spec.table("[[traffic.flow]]");
  spec.set("pattern", "uniform", "assumed; a network has no traffic");
  constexpr double kUsualLoad = 0.2;
  if (links.slowest_part < 1)
    spec.set("load", std::max(std::floor(1000 * kUsualLoad * links.slowest_part) / 1000, 0.001),
             "assumed: a fifth of the slowest link of a host");
  else
    spec.set("load", kUsualLoad, "assumed");
  // Enough packets of each node, and long against the delays.
  const double unit = std::min(std::max(packet_time + 4 * links.longest, 1.0), 1e12);
  spec.table("[measure]");
  spec.set("warmup", fmt::format("{} ns", std::llround(50 * unit)), "assumed");
  spec.set("duration", fmt::format("{} ns", std::llround(200 * unit)), "assumed");
}

Import import_of(const NetworkDraft& draft, const Request& request, std::string_view what, SpecText spec,
                 Mistakes& mistakes) {
  const std::string& path = request.first().path;
  if (!mistakes.empty()) return {};
  DraftedNetwork network(draft, mistakes);
  NetworkFile file{network_text_of(draft, path, mistakes)};
  if (!mistakes.empty()) return {};
  spec.table("[network]");
  spec.set("topology", "file", what);
  spec.set(
      "file", request.beside("network.toml"),
      fmt::format("{}, {}{}, {} between switches", plural(network.switches(), "switch"),
                  plural(network.hosts(), "node"),
                  network.several() > 0 ? fmt::format(" ({} with several links)", network.several()) : "",
                  plural(network.links_of_switches(), "link")));
  assume(draft, "link.rate", kAssumedRate, &DraftLink::rate, spec);
  assume(draft, "link.delay", kAssumedDelay, &DraftLink::delay, spec);
  name_inside(file, spec);
  return with_usual_routing(request, what, network.extremes(),
                            {{request.beside("network.toml"), file.text, path, false}}, std::move(spec));
}

Import with_usual_routing(const Request& request, std::string_view what, const LinkExtremes& links,
                          std::vector<ImportedFile> files, SpecText spec, const SpecText& traffic) {
  Import by_hash = with_routing("ecmp", "assumed: one of the shortest paths for each pair of nodes", request,
                                what, links, files, spec, traffic);
  if (refused(by_hash, request.path, request.first().path).empty()) return by_hash;
  return with_routing("up-down", "assumed; shortest paths could wait for each other in a cycle here", request,
                      what, links, std::move(files), std::move(spec), traffic);
}

}  // namespace headway::imports
