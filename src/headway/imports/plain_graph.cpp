// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/plain_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "headway/base/small_letters.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::size_t kMostListedOfGraph = 20;

struct KeyName {
  std::string_view name;
  EdgeValue value;
  std::string_view unit = "";
};
// The last two are those of the Internet Topology Zoo.
constexpr KeyName kKeyNames[] = {
    {"rate", EdgeValue::rate},     {"bandwidth", EdgeValue::rate}, {"bw", EdgeValue::rate},
    {"capacity", EdgeValue::rate}, {"speed", EdgeValue::rate},     {"datarate", EdgeValue::rate},
    {"delay", EdgeValue::delay},   {"latency", EdgeValue::delay},  {"linkspeedraw", EdgeValue::rate, "bps"}};
constexpr std::string_view kUnits[] = {"gbps", "mbps", "kbps", "tbps", "bps", "gbit/s", "mbit/s",
                                       "gb/s", "mb/s", "ns",   "us",   "ms",  "ps",     "s"};
constexpr std::string_view kUsualKeys[] = {"rate", "bandwidth", "capacity", "delay", "latency", "type"};

// A letter more, fewer or another, or two neighbours that are swapped.
bool is_one_letter_off(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t same = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::string_view rest_a = a.substr(same), rest_b = b.substr(same);
  if (a.size() + 1 == b.size()) return rest_a == rest_b.substr(1);
  if (a.size() != b.size()) return false;
  const bool swapped = rest_a.size() > 1 && rest_a[0] == rest_b[1] && rest_a[1] == rest_b[0];
  return rest_a.substr(1) == rest_b.substr(1) || (swapped && rest_a.substr(2) == rest_b.substr(2));
}

}  // namespace

EdgeKey edge_key(std::string_view name) {
  std::string word = in_small_letters(name);
  std::erase_if(word, [](char c) {
    return c == ' ' || c == '_' || c == '-' || c == '(' || c == ')' || c == '[' || c == ']';
  });
  for (const KeyName& key : kKeyNames) {
    if (word == key.name) return {key.value, std::string(key.unit)};
    if (!word.starts_with(key.name)) continue;
    const std::string unit = word.substr(key.name.size());
    if (std::ranges::find(kUnits, unit) != std::end(kUnits)) return {key.value, unit};
  }
  return {};
}

std::optional<std::string_view> nearest_edge_key(std::string_view name) {
  const std::string word = in_small_letters(name);
  const auto* const found =
      std::ranges::find_if(kUsualKeys, [&](std::string_view key) { return is_one_letter_off(word, key); });
  return found == std::end(kUsualKeys) ? std::nullopt : std::optional(*found);
}

void set_value(PlainGraph& graph, PlainGraph::Edge& edge, const EdgeKey& key, std::string_view name,
               std::string_view text, std::uint32_t line) {
  const bool is_rate = key.value == EdgeValue::rate;
  auto value = is_rate ? rate_word(text, key.unit) : delay_word(text, key.unit);
  if (!value)
    graph.wrong(line, std::string(name), fmt::format("\"{}\" is not a {}", text, is_rate ? "rate" : "time"),
                is_rate ? "write for example 100Gbps, or name it rate_gbps"
                        : "write for example 500ns, or name it delay_ns");
  (is_rate ? edge.rate : edge.delay) = std::move(value);
}

std::optional<bool> is_host_word(std::string_view word) {
  static constexpr std::string_view kHosts[] = {"host", "node", "server",  "gpu",      "npu",
                                                "ca",   "hca",  "compute", "terminal", "endpoint"};
  static constexpr std::string_view kSwitches[] = {"switch", "router",      "leaf", "spine",
                                                   "core",   "aggregation", "edge", "tor"};
  const std::string small = in_small_letters(word);
  if (std::ranges::find(kHosts, small) != std::end(kHosts)) return true;
  if (std::ranges::find(kSwitches, small) != std::end(kSwitches)) return false;
  return std::nullopt;
}

std::size_t PlainGraph::vertex(std::string_view name, std::uint32_t line) {
  if (const auto found = number_of_.find(name); found != number_of_.end()) return found->second;
  number_of_.emplace(name, vertices_.size());
  vertices_.push_back({std::string(name), place_in(path_, line)});
  return vertices_.size() - 1;
}

void PlainGraph::edge(std::size_t from, std::size_t to, Edge edge, bool directed) {
  if (!directed && from > to) std::swap(from, to);
  if (from == to)
    return wrong(edge.line, "FILE", fmt::format("\"{}\" is linked to itself", vertices_[from].name));
  if (++edge_count_ > 2 * NetworkDraft::kMostDraftLinks) return;
  auto& same = edges_[{from, to}];
  if (same.empty() && !edges_.contains({to, from})) order_.emplace_back(from, to);
  if (same.size() == kMostParallelLinks)
    wrong(edge.line, "FILE",
          fmt::format("\"{}\" and \"{}\" have more than {} links", vertices_[from].name, vertices_[to].name,
                      kMostParallelLinks));
  if (same.size() <= kMostParallelLinks) same.push_back(std::move(edge));
}

void PlainGraph::wrong(std::uint32_t line, std::string key, std::string message, std::string hint) {
  if (wrong_++ < kMostListedOfGraph)
    mistakes_.add({std::move(key), std::move(message), std::move(hint), place_in(path_, line)});
}

void PlainGraph::pair_directions(NetworkDraft& draft) {
  static const std::vector<Edge> kNone = {};
  for (const auto& [from, to] : order_) {
    const auto back = edges_.find({to, from});
    const std::vector<Edge>& there = edges_[{from, to}];
    const std::vector<Edge>& returns = back == edges_.end() ? kNone : back->second;
    for (std::size_t k = 0; k < std::max(there.size(), returns.size()); ++k) {
      const Edge* const one = k < there.size() ? &there[k] : nullptr;
      const Edge* const other = k < returns.size() ? &returns[k] : nullptr;
      if (one != nullptr && other != nullptr &&
          ((one->rate && other->rate && one->rate != other->rate) ||
           (one->delay && other->delay && one->delay != other->delay)))
        wrong(other->line, "FILE",
              fmt::format("\"{}\" to \"{}\" has another rate or delay than back", vertices_[to].name,
                          vertices_[from].name),
              "a link has one for both directions; see " + place_in(path_, one->line));
      DraftLink link{from, to};
      for (const Edge* edge : {one, other}) {
        if (edge == nullptr) continue;
        if (!link.rate) link.rate = edge->rate;
        if (!link.delay) link.delay = edge->delay;
      }
      draft.links.push_back(std::move(link));
    }
  }
}

void PlainGraph::leave_out_unlinked(NetworkDraft& draft) {
  std::vector<bool> linked(draft.vertices.size());
  for (const DraftLink& link : draft.links) linked[link.a] = linked[link.b] = true;
  std::vector<std::size_t> number(linked.size());
  std::vector<DraftVertex> kept;
  std::map<std::size_t, bool> declared;
  for (std::size_t v = 0; v < linked.size(); ++v) {
    number[v] = kept.size();
    if (!linked[v]) continue;
    if (const auto found = declared_.find(v); found != declared_.end()) declared[kept.size()] = found->second;
    kept.push_back(std::move(draft.vertices[v]));
  }
  const std::size_t left_out = linked.size() - kept.size();
  if (left_out > 0) {
    spec_.without(fmt::format("{} without a link", left_out), "left out of the network");
    spec_.say(fmt::format("left out: {} without a link", left_out));
  }
  draft.vertices = std::move(kept);
  declared_ = std::move(declared);
  for (DraftLink& link : draft.links) link = {number[link.a], number[link.b], link.rate, link.delay};
}

void PlainGraph::choose_hosts(NetworkDraft& draft) {
  if (std::ranges::any_of(declared_, [](const auto& one) { return one.second; })) {
    for (const auto& [vertex, is_host] : declared_) draft.vertices[vertex].is_host = is_host;
    return;
  }
  std::vector<std::size_t> degree(draft.vertices.size());
  for (const DraftLink& link : draft.links) {
    ++degree[link.a];
    ++degree[link.b];
  }
  std::size_t hosts = 0;
  for (std::size_t v = 0; v < degree.size(); ++v) {
    const auto declared = declared_.find(v);
    draft.vertices[v].is_host = degree[v] == 1 && declared == declared_.end();
    hosts += draft.vertices[v].is_host ? 1 : 0;
  }
  if (hosts > 1) {
    spec_.say(fmt::format("assumed: hosts are the {} with one link", hosts));
    spec_.without("hosts", "the file does not say what is a host; those with one link are");
    return;
  }
  for (DraftVertex& vertex : draft.vertices) vertex.is_host = true;
  spec_.say("assumed: each switch has a node, because hosts with one link are missing");
  spec_.without("hosts", "the file has fewer than two with one link only, so each switch has a node");
}

Import PlainGraph::import(std::string_view what) {
  if (wrong_ > kMostListedOfGraph)
    mistakes_.add(
        {"FILE", fmt::format("and {} more mistakes in this file", wrong_ - kMostListedOfGraph), "", path_});
  if (edge_count_ > 2 * NetworkDraft::kMostDraftLinks)
    mistakes_.add({"FILE", fmt::format("has {} links", edge_count_),
                   fmt::format("at most {}", NetworkDraft::kMostDraftLinks), path_});
  NetworkDraft draft{vertices_, {}};
  pair_directions(draft);
  leave_out_unlinked(draft);
  choose_hosts(draft);
  return import_of(draft, request_, what, std::move(spec_), mistakes_);
}

}  // namespace headway::imports
