// SPDX-License-Identifier: Apache-2.0
// BookSim's anynet files (src/networks/anynet.cpp of booksim2): a line begins with a router or node, and
// names those that it is linked to, each perhaps with the cycles of its link:
//
//     router 0 node 0 node 1 router 1 5
//
// A cycle is 1 ns, and a link sends 16 B in a cycle, as in imports of BookSim's configurations. Links without
// cycles have one. Choice: cycles between routers count for one direction in BookSim, and the other direction
// has one cycle if no line gives it others; a link has the larger number here.
#include "headway/imports/anynet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "headway/base/parse_number.h"
#include "headway/base/plural.h"
#include "headway/config/nearest.h"
#include "headway/imports/formats.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::uint32_t kMostCycles = 1'000'000;
constexpr std::string_view kFlitRate = "16 GB/s";  // a flit of 16 B in a cycle of 1 ns

class AnynetReader {
 public:
  AnynetReader(const Source& source, Mistakes& mistakes) : source_(source), mistakes_(mistakes) {}

  Anynet read() {
    for (const TextRow& row : rows_of(source_.text).rows) read_row(row);
    if (wrong_ > kMostListedOfAnynet)
      mistakes_.add({"FILE", fmt::format("and {} more mistakes in this file", wrong_ - kMostListedOfAnynet),
                     "", source_.path});
    finish();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMostListedOfAnynet = 20;
  struct Member {
    bool is_node = false;
    std::uint32_t number = 0;
    auto operator<=>(const Member&) const = default;
  };
  struct Cycles {
    std::uint32_t count = 1;
    bool given = false;
    std::uint32_t line = 0;
  };

  void wrong(std::uint32_t line, std::string message, std::string hint = "") {
    if (wrong_++ < kMostListedOfAnynet)
      mistakes_.add({"FILE", std::move(message), std::move(hint), place_in(source_.path, line)});
  }

  // The member at words[i] and words[i + 1].
  std::optional<Member> member(const TextRow& row, std::size_t i) {
    static constexpr std::string_view kKinds[] = {"router", "node"};
    const std::string_view kind = row.words[i];
    if (kind != kKinds[0] && kind != kKinds[1]) {
      const auto meant = nearest(kind, kKinds);
      wrong(row.line, fmt::format("\"{}\" is neither router nor node", kind),
            meant ? fmt::format("did you mean \"{}\"?", *meant) : "");
      return std::nullopt;
    }
    const auto number =
        i + 1 < row.words.size() ? parse_number<std::uint32_t>(row.words[i + 1]) : std::nullopt;
    if (!number) {
      wrong(row.line, fmt::format("{} has no number", kind),
            "write for example \"router 0 node 0 router 1\"");
      return std::nullopt;
    }
    const Member found{kind == kKinds[1], *number};
    if (lines_.emplace(found, row.line).second) order_.push_back(found);
    return found;
  }

  void read_row(const TextRow& row) {
    const auto head = member(row, 0);
    if (!head) return;
    for (std::size_t i = 2; i < row.words.size();) {
      const auto other = member(row, i);
      if (!other) return;
      i += 2;
      Cycles cycles{1, false, row.line};
      if (i < row.words.size() && row.words[i] != "router" && row.words[i] != "node") {
        const auto count = parse_number<std::uint32_t>(row.words[i]);
        if (count && *count >= 1 && *count <= kMostCycles)
          cycles = {*count, true, row.line};
        else
          return wrong(row.line, fmt::format("\"{}\" is not a number of cycles", row.words[i]),
                       fmt::format("1 to {}", kMostCycles));
        ++i;
      }
      add(*head, *other, cycles);
    }
  }

  void add(Member from, Member to, const Cycles& cycles) {
    if (from.is_node && to.is_node)
      return wrong(cycles.line, "two nodes are linked", "a node is linked to a router");
    if (from == to) return wrong(cycles.line, fmt::format("router {} is linked to itself", from.number));
    if (from.is_node) std::swap(from, to);
    if (to.is_node) {
      const auto [first, fresh] = router_of_.emplace(to.number, from.number);
      if (!fresh && first->second != from.number)
        return wrong(cycles.line,
                     fmt::format("node {} is linked to router {}, too", to.number, first->second),
                     "a node has one router");
    }
    const auto [first, fresh] = links_.emplace(std::pair(from, to), cycles);
    if (fresh || (!cycles.given && !to.is_node)) return;
    first->second.count = first->second.given ? std::max(first->second.count, cycles.count) : cycles.count;
    first->second.given |= cycles.given;
  }

  void finish() {
    std::map<Member, std::size_t> vertex_of;
    // Nodes keep the order of their numbers.
    std::ranges::sort(order_, [](const Member& a, const Member& b) { return a < b; });
    for (const Member& one : order_) {
      vertex_of[one] = result_.draft.vertices.size();
      result_.draft.vertices.push_back({fmt::format("{}{}", one.is_node ? "node" : "router", one.number),
                                        place_in(source_.path, lines_[one]), one.is_node});
      if (one.is_node && !router_of_.contains(one.number))
        wrong(lines_[one], fmt::format("node {} has no router", one.number));
    }
    for (const auto& [ends, cycles] : links_) {
      const auto back = links_.find({ends.second, ends.first});
      if (back != links_.end() && ends.second < ends.first) continue;  // it is the other direction
      const std::uint32_t other = back == links_.end() ? 1 : back->second.count;
      if (!ends.second.is_node && other != cycles.count) ++result_.one_way;
      result_.draft.links.push_back({vertex_of[ends.first], vertex_of[ends.second], std::string(kFlitRate),
                                     fmt::format("{} ns", std::max(cycles.count, other))});
    }
  }

  const Source& source_;
  Mistakes& mistakes_;
  Anynet result_;
  std::vector<Member> order_;
  std::map<Member, std::uint32_t> lines_;
  std::map<std::uint32_t, std::uint32_t> router_of_;   // of a node
  std::map<std::pair<Member, Member>, Cycles> links_;  // from a router
  std::size_t wrong_ = 0;
};

bool recognises_anynet(std::string_view text) {
  const TextRows rows = rows_of(text);
  if (rows.rows.empty()) return false;
  const TextRow& first = rows.rows.front();
  return first.words.size() >= 2 && (first.words[0] == "router" || first.words[0] == "node") &&
         parse_number<std::uint32_t>(first.words[1]);
}

Import import_anynet(const Request& request, Mistakes& mistakes) {
  const Anynet read = read_anynet(request.first(), mistakes);
  SpecText spec;
  name_one_way(read, spec);
  spec.without("flits", "a link sends 16 B, a flit, in a cycle of 1 ns");
  return import_of(read.draft, request, "an anynet file of BookSim", std::move(spec), mistakes);
}

}  // namespace

Anynet read_anynet(const Source& source, Mistakes& mistakes) { return AnynetReader(source, mistakes).read(); }

void name_one_way(const Anynet& read, SpecText& spec) {
  if (read.one_way == 0) return;
  spec.without(plural(read.one_way, "link") + " with other cycles in the other direction",
               "a link has one delay here, the larger one; in BookSim a direction without cycles has one");
  spec.say(plural(read.one_way, "link") + ": the larger number of cycles of the two directions");
}

Format anynet() {
  return {"anynet", "BookSim's networks: \"router 0 node 0 node 1 router 1 5\"", recognises_anynet,
          import_anynet};
}

}  // namespace headway::imports
