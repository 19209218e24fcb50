// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/nccl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "headway/base/ids.h"
#include "headway/base/parse_number.h"
#include "headway/config/limits.h"

namespace headway {
namespace {

constexpr std::string_view kInfo = "NCCL INFO ";
constexpr std::uint32_t kMostChannels = 1024;

struct ToldRing {
  std::vector<std::uint32_t> ranks;
  std::uint32_t line;
};
struct ToldNode {
  std::vector<std::uint32_t> children;
  std::uint32_t parent = kNone, line = 0;
};

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text;
}

class NcclLogReader {
 public:
  explicit NcclLogReader(ProgramText& text) : text_(text) {}

  NcclLog read() {
    while (text_.next()) {
      const std::string_view line = text_.line();
      const std::size_t info = line.find(kInfo);
      if (info == std::string_view::npos) continue;
      const std::string_view said = line.substr(info + kInfo.size());
      text_.attempt([&] {
        if (said.starts_with("Channel ")) read_ring(said.substr(8));
        if (said.starts_with("Trees ")) read_trees(said.substr(6));
      });
    }
    return finish();
  }

 private:
  // "00/02 :    0   1   2   3"; lines of connections have other words, "00 : 1[1e0] -> 0[1e0] via NET".
  void read_ring(std::string_view rest) {
    const std::string_view at = rest;
    const auto channel = take_number<std::uint32_t>(rest);
    if (!channel || !rest.starts_with('/')) return;
    rest.remove_prefix(1);
    const auto channels = take_number<std::uint32_t>(rest);
    rest = skip_blanks(rest);
    if (!channels || !rest.starts_with(':')) return;
    rest.remove_prefix(1);
    ToldRing ring{{}, text_.number()};
    for (rest = skip_blanks(rest); !rest.empty(); rest = skip_blanks(rest)) {
      const auto rank = take_number<std::uint32_t>(rest);
      if (!rank || (!rest.empty() && rest.front() != ' ' && rest.front() != '\t' && rest.front() != '\r'))
        return;
      ring.ranks.push_back(*rank);
    }
    if (ring.ranks.size() < 2) return;
    if (*channel >= kMostChannels)
      throw WrongLine{at, "this channel is too large", fmt::format("at most {}", kMostChannels - 1)};
    std::set<std::uint32_t> all(ring.ranks.begin(), ring.ranks.end());
    if (all.size() != ring.ranks.size() || *all.rbegin() != all.size() - 1)
      throw WrongLine{
          at, fmt::format("this is no ring of {} ranks, 0 to {}", ring.ranks.size(), ring.ranks.size() - 1)};
    const auto [first, fresh] = rings_[ring.ranks.size()].emplace(*channel, ring);
    if (!fresh && first->second.ranks != ring.ranks)
      throw WrongLine{at,
                      fmt::format("channel {} of {} ranks has another ring in line {}", *channel,
                                  ring.ranks.size(), first->second.line),
                      "give the log of one communicator"};
  }

  // "[0] 1/-1/-1->0->-1 [1] ... comm 0x15cd470 nRanks 02 busId 2f000"
  void read_trees(std::string_view rest) {
    const std::string_view at = rest;
    std::vector<std::pair<std::uint32_t, ToldNode>> nodes;
    std::optional<std::uint32_t> self;
    for (rest = skip_blanks(rest); rest.starts_with('['); rest = skip_blanks(rest)) {
      rest.remove_prefix(1);
      const auto channel = take_number<std::uint32_t>(rest);
      if (!channel || *channel >= kMostChannels || !rest.starts_with(']'))
        throw WrongLine{at, "a tree has no channel", "write [0] 1/-1/-1->0->-1"};
      rest = skip_blanks(rest.substr(1));
      std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
      rest.remove_prefix(word.size());
      word = word.substr(0, word.find('|'));
      ToldNode node{{}, kNone, text_.number()};
      const auto rank = read_node(word, node);
      if (!rank || (self && *self != *rank))
        throw WrongLine{at, fmt::format("\"{}\" is no node of a tree", word),
                        "CHILD/CHILD/CHILD->RANK->PARENT, with -1 for none"};
      self = rank;
      nodes.emplace_back(*channel, std::move(node));
    }
    if (!self) return;
    const std::size_t size = size_in(rest);
    for (auto& [channel, node] : nodes) {
      const auto [first, fresh] = trees_[size][channel].emplace(*self, node);
      if (!fresh && (first->second.children != node.children || first->second.parent != node.parent))
        throw WrongLine{at, fmt::format("rank {} has another tree in line {}", *self, first->second.line),
                        "give the log of one communicator"};
    }
  }

  static std::optional<std::uint32_t> read_node(std::string_view word, ToldNode& node) {
    const auto number = [&]() -> std::optional<std::int64_t> {
      const auto value = take_number<std::int64_t>(word);
      return value && *value >= -1 && *value < limits::kRanks ? value : std::nullopt;
    };
    const auto take = [&](std::string_view text) {
      if (!word.starts_with(text)) return false;
      word.remove_prefix(text.size());
      return true;
    };
    do {
      const auto child = number();
      if (!child) return std::nullopt;
      if (*child >= 0) node.children.push_back(static_cast<std::uint32_t>(*child));
    } while (take("/"));
    const auto self = take("->") ? number() : std::nullopt;
    const auto parent = self && take("->") ? number() : std::nullopt;
    if (!parent || *self < 0 || !word.empty()) return std::nullopt;
    if (*parent >= 0) node.parent = static_cast<std::uint32_t>(*parent);
    return static_cast<std::uint32_t>(*self);
  }

  // The number of ranks that newer versions say; 0: not said.
  static std::size_t size_in(std::string_view rest) {
    const std::size_t found = rest.find("nRanks ");
    if (found == std::string_view::npos) return 0;
    rest.remove_prefix(found + 7);
    return take_number<std::uint32_t>(rest).value_or(0);
  }

  // Choice: of several communicators, the one with the most ranks.
  NcclLog finish() {
    NcclLog log;
    if (!rings_.empty()) log.ranks = static_cast<std::uint32_t>(rings_.rbegin()->first);
    if (!trees_.empty()) log.ranks = std::max(log.ranks, static_cast<std::uint32_t>(trees_.rbegin()->first));
    if (log.ranks == 0 && trees_.contains(0))
      for (const auto& [channel, nodes] : trees_[0])
        log.ranks = std::max(log.ranks, nodes.rbegin()->first + 1);
    if (log.ranks > limits::kRanks) log.ranks = 0;
    if (text_.any_wrong()) return log;
    if (const auto rings = rings_.find(log.ranks); rings != rings_.end())
      for (auto& [channel, ring] : rings->second) log.rings.push_back(std::move(ring.ranks));
    for (const std::size_t size : {std::size_t{log.ranks}, std::size_t{0}})
      if (const auto trees = trees_.find(size); trees != trees_.end() && log.trees.empty())
        for (auto& [channel, nodes] : trees->second) add_tree(channel, nodes, log);
    if (log.rings.empty() && log.trees.empty() && !text_.any_wrong())
      text_.report_at(0, {{},
                          "the log tells no ring and no tree of a communicator",
                          "NCCL_DEBUG=INFO makes NCCL tell them"});
    return log;
  }

  void add_tree(std::uint32_t channel, const std::map<std::uint32_t, ToldNode>& nodes, NcclLog& log) {
    NcclTree tree{std::vector<std::uint32_t>(log.ranks, kNone),
                  std::vector<std::vector<std::uint32_t>>(log.ranks)};
    // A log of one process tells its trees only; the rings are enough then.
    if (nodes.size() != log.ranks || nodes.rbegin()->first != log.ranks - 1) return;
    std::uint32_t roots = 0;
    for (const auto& told : nodes) {
      const std::uint32_t rank = told.first;
      const ToldNode& node = told.second;
      tree.parent[rank] = node.parent;
      tree.children[rank] = node.children;
      roots += node.parent == kNone ? 1 : 0;
      const auto knows = [&](std::uint32_t other, bool as_child) {
        const auto found = nodes.find(other);
        return found != nodes.end() && (as_child ? found->second.parent == rank
                                                 : std::ranges::count(found->second.children, rank) == 1);
      };
      for (const std::uint32_t child : node.children)
        if (!knows(child, true)) return report(node.line, channel, rank, child);
      if (node.parent != kNone && !knows(node.parent, false))
        return report(node.line, channel, rank, node.parent);
    }
    // Every rank has one parent that knows it, so that one root means one tree, unless there is a cycle.
    std::vector<std::uint32_t> reached;
    for (std::uint32_t rank = 0; rank < log.ranks; ++rank)
      if (tree.parent[rank] == kNone) reached.push_back(rank);
    for (std::size_t i = 0; i < reached.size(); ++i)
      reached.insert(reached.end(), tree.children[reached[i]].begin(), tree.children[reached[i]].end());
    if (roots != 1 || reached.size() != log.ranks)
      return text_.report_at(nodes.begin()->second.line,
                             {{},
                              fmt::format("channel {} has {} roots, and {} of {} ranks below them", channel,
                                          roots, reached.size(), log.ranks)});
    log.trees.push_back(std::move(tree));
  }
  void report(std::uint32_t line, std::uint32_t channel, std::uint32_t rank, std::uint32_t other) {
    text_.report_at(line, {{},
                           fmt::format("in channel {}, rank {} names rank {}, which does not name it",
                                       channel, rank, other)});
  }

  ProgramText& text_;
  std::map<std::size_t, std::map<std::uint32_t, ToldRing>> rings_;  // [ranks][channel]
  std::map<std::size_t, std::map<std::uint32_t, std::map<std::uint32_t, ToldNode>>>
      trees_;  // [ranks][channel][rank]
};

}  // namespace

NcclLog read_nccl_log(ProgramText& text) { return NcclLogReader(text).read(); }

bool is_nccl_log(std::string_view beginning) { return beginning.find(kInfo) != std::string_view::npos; }

}  // namespace headway
