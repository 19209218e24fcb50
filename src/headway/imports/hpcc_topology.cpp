// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/hpcc_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "headway/base/parse_number.h"
#include "headway/base/plural.h"
#include "headway/base/units.h"
#include "headway/imports/formats.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::string_view kLinkExample = "a link is: HOST SWITCH 100Gbps 0.001ms 0";

std::optional<std::int64_t> count_in(std::string_view word) {
  const auto number = parse_number<std::int64_t>(word);
  return number && *number >= 0 && *number <= HpccTopology::kMostNodes ? number : std::nullopt;
}

bool begins_with_counts(const TextRows& rows, std::size_t words, std::size_t counts) {
  if (rows.rows.size() < 2 || rows.rows.front().words.size() != words) return false;
  for (std::size_t i = 0; i < counts; ++i)
    if (!parse_number<std::int64_t>(rows.rows.front().words[i])) return false;
  return std::ranges::any_of(rows.rows, [](const TextRow& row) {
    return row.words.size() == 5 && rate_word(row.words[2]) && delay_word(row.words[3]);
  });
}

class HpccTopologyReader {
 public:
  HpccTopologyReader(const Source& source, Mistakes& mistakes)
      : source_(source), mistakes_(mistakes), rows_(rows_of(source.text)) {}

  HpccTopology read() {
    if (!read_counts() || !read_switches()) return std::move(result_);
    std::int64_t read = 0;
    for (; row_ < rows_.rows.size() && read < links_; ++row_, ++read) read_link(rows_.rows[row_]);
    if (read != links_ || links_ == 0)
      wrong(rows_.rows.front().line, fmt::format("{} links are announced, but the file has {}", links_, read),
            result_.is_simai ? "the fifth number of the first line"
                             : "the first line has the numbers of nodes, switches and links");
    // Choice: what follows the announced links has no effect, as in HPCC's simulator.
    result_.rows_behind = rows_.rows.size() - row_;
    if (wrong_ > kMostListedOfTopology)
      mistakes_.add({"TOPOLOGY_FILE",
                     fmt::format("and {} more mistakes in this file", wrong_ - kMostListedOfTopology), "",
                     source_.path});
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMostListedOfTopology = 20;

  void wrong(std::uint32_t line, std::string message, std::string hint = "") {
    if (wrong_++ < kMostListedOfTopology)
      mistakes_.add({"TOPOLOGY_FILE", std::move(message), std::move(hint), place_in(source_.path, line)});
  }

  bool read_counts() {
    static constexpr std::string_view kHint =
        "NODES SWITCHES LINKS, or as in SimAI NODES GPUS_PER_SERVER NVSWITCHES SWITCHES LINKS GPU";
    if (rows_.rows.empty()) return wrong(0, "has no line", std::string(kHint)), false;
    const TextRow& row = rows_.rows[row_++];
    result_.is_simai = row.words.size() == 6;
    if (row.words.size() != 3 && !result_.is_simai)
      return wrong(row.line, "these are not the counts of a topology", std::string(kHint)), false;
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < (result_.is_simai ? 5U : 3U); ++i) {
      const auto count = count_in(row.words[i]);
      if (!count)
        return wrong(row.line, fmt::format("\"{}\" is not a count", row.words[i]),
                     fmt::format("0 to {}", HpccTopology::kMostNodes)),
               false;
      counts.push_back(*count);
    }
    nodes_ = counts[0];
    nvswitches_ = result_.is_simai ? counts[2] : 0;
    switches_ = result_.is_simai ? counts[2] + counts[3] : counts[1];
    links_ = counts.back();
    if (result_.is_simai) result_.gpu = row.words[5];
    if (switches_ > nodes_)
      return wrong(row.line, fmt::format("{} of {} nodes are switches", switches_, nodes_)), false;
    return true;
  }

  // The numbers of the switches, in one line or several.
  bool read_switches() {
    std::vector<std::int64_t> kind(static_cast<std::size_t>(nodes_));  // 0: a host; otherwise the k-th switch
    for (std::int64_t found = 0; found < switches_;) {
      if (row_ == rows_.rows.size())
        return wrong(rows_.rows.back().line,
                     fmt::format("{} switches are announced, but {} are named", switches_, found)),
               false;
      const TextRow& row = rows_.rows[row_++];
      for (const std::string_view word : row.words) {
        const auto id = count_in(word);
        if (!id || *id >= nodes_ || kind[static_cast<std::size_t>(*id)] != 0 || found == switches_)
          return wrong(row.line, fmt::format("\"{}\" is not the number of another switch", word),
                       fmt::format("{} of 0 to {}", plural(static_cast<std::size_t>(switches_), "switch"),
                                   nodes_ - 1)),
                 false;
        kind[static_cast<std::size_t>(*id)] = ++found;
      }
    }
    const std::uint32_t line = rows_.rows.front().line;
    for (std::int64_t id = 0; id < nodes_; ++id) {
      const std::int64_t of = kind[static_cast<std::size_t>(id)];
      const std::string_view prefix = of == 0             ? (result_.is_simai ? "gpu" : "h")
                                      : of <= nvswitches_ ? "nvswitch"
                                                          : "";
      result_.draft.vertices.push_back({fmt::format("{}{}", prefix, id), place_in(source_.path, line),
                                        of == 0, of > 0 && of <= nvswitches_});
      if (of == 0) result_.hosts.push_back(id);
    }
    return true;
  }

  void read_link(const TextRow& row) {
    const auto& words = row.words;
    const auto a = words.size() == 5 ? count_in(words[0]) : std::nullopt,
               b = words.size() == 5 ? count_in(words[1]) : std::nullopt;
    if (!a || !b || *a >= nodes_ || *b >= nodes_ || *a == *b)
      return wrong(row.line, "this is not a link between two nodes", std::string(kLinkExample));
    const auto rate = rate_word(words[2]), delay = delay_word(words[3]);
    const auto error = parse_number<double>(words[4]);
    if (!rate || !delay || !error)
      return wrong(row.line,
                   fmt::format("\"{}\" is not a {}",
                               !rate    ? words[2]
                               : !delay ? words[3]
                                        : words[4],
                               !rate    ? "rate"
                               : !delay ? "delay"
                                        : "rate of errors"),
                   std::string(kLinkExample));
    result_.loses |= *error > 0;
    result_.draft.links.push_back({static_cast<std::size_t>(*a), static_cast<std::size_t>(*b), rate, delay});
    for (const std::int64_t end : {*a, *b})
      result_.draft.vertices[static_cast<std::size_t>(end)].where = place_in(source_.path, row.line);
  }

  const Source& source_;
  Mistakes& mistakes_;
  TextRows rows_;
  std::size_t row_ = 0, wrong_ = 0;
  std::int64_t nodes_ = 0, switches_ = 0, nvswitches_ = 0, links_ = 0;
  HpccTopology result_;
};

Import import_topology(const Request& request, Mistakes& mistakes) {
  const HpccTopology topology = topology_of(request.first(), mistakes);
  SpecText spec;
  name_rest(topology, spec);
  if (topology.is_simai)
    spec.without(fmt::format("GPU {}", topology.gpu), "a network has no GPUs; nodes are numbered like them");
  return import_of(topology.draft, request,
                   topology.is_simai ? "a topology of SimAI" : "a topology of HPCC's simulator",
                   std::move(spec), mistakes);
}

}  // namespace

std::string with_unit(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  std::string name = unit == std::string::npos ? "" : text.substr(unit);
  if (name.ends_with("bps")) name = name.substr(0, name.size() - 3) + "bit/s";
  if (name.ends_with("b/s")) name = name.substr(0, name.size() - 3) + "bit/s";
  return text.substr(0, unit) + ' ' + name;
}

bool is_hpcc_topology(std::string_view text) { return begins_with_counts(rows_of(text), 3, 3); }
bool is_simai_topology(std::string_view text) { return begins_with_counts(rows_of(text), 6, 5); }

HpccTopology topology_of(const Source& source, Mistakes& mistakes) {
  return HpccTopologyReader(source, mistakes).read();
}

std::optional<std::int64_t> HpccTopology::node_of(std::int64_t id) const {
  const auto found = std::ranges::lower_bound(hosts, id);
  if (found == hosts.end() || *found != id) return std::nullopt;
  return found - hosts.begin();
}

const std::string& HpccTopology::first_rate() const {
  const auto is_inside = [&](const DraftLink& link) {
    return draft.vertices[link.a].name.starts_with("nvswitch") ||
           draft.vertices[link.b].name.starts_with("nvswitch");
  };
  const auto found = std::ranges::find_if_not(draft.links, is_inside);
  return found == draft.links.end() ? *draft.links.front().rate : *found->rate;
}

void name_rest(const HpccTopology& topology, SpecText& spec) {
  if (topology.loses) spec.without("error rates of links", "links of Headway lose nothing");
  if (topology.rows_behind > 0)
    spec.without(plural(topology.rows_behind, "row") + " behind the announced links",
                 "left out, as HPCC's simulator does");
}

std::size_t HpccTopology::most_ports() const {
  std::vector<std::size_t> degree(draft.vertices.size());
  for (const DraftLink& link : draft.links) {
    ++degree[link.a];
    ++degree[link.b];
  }
  std::size_t most = 1;
  for (std::size_t v = 0; v < degree.size(); ++v)
    if (!draft.vertices[v].is_host) most = std::max(most, degree[v]);
  return most;
}

std::string renumbered(const Source& flows, const HpccTopology& topology, Mistakes& mistakes) {
  std::istringstream lines(flows.text);
  std::string line, text;
  std::int64_t count = -1;
  for (std::int64_t number = 1, flow = 0; flow != count && std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::int64_t first = 0, second = 0;
    std::string rest;
    if (!(words >> first)) {
      text += line;  // the reader of flows says what is wrong
    } else if (count < 0) {
      count = first;
      text += line;
    } else {
      const auto from = topology.node_of(first);
      const auto to = words >> second ? topology.node_of(second) : std::nullopt;
      if (!from || !to) {
        mistakes.add({"FLOW_FILE", fmt::format("flow {} of {} is not between two hosts", flow, count),
                      "a line is: source destination group port bytes start",
                      fmt::format("{}:{}", flows.path, number)});
        return text;
      }
      std::getline(words, rest);
      text += fmt::format("{} {}{}", *from, *to, rest);
      ++flow;
    }
    text += '\n';
  }
  return text;
}

Format hpcc_topology() {
  return {"hpcc-topology",
          "a topology of HPCC's simulator alone: nodes, switches, links with rates and delays",
          is_hpcc_topology, import_topology};
}
Format simai_topology() {
  return {"simai-topology",
          "a topology of SimAI alone: GPUs, NVSwitches, switches, links with rates and delays",
          is_simai_topology, import_topology};
}

}  // namespace headway::imports
