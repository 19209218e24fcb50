// SPDX-License-Identifier: Apache-2.0
// Permutation: every node sends to one node and receives from one node, so no destination is ever overloaded
// and any loss of throughput is caused by the network. The permutation is random, or given as a list or in a
// file. Source: Dally and Towles, "Principles and practices of interconnection networks", 2004, section 3.2.
#include <algorithm>
#include <numeric>
#include <utility>

#include "headway/base/input_file.h"
#include "headway/config/limits.h"
#include "headway/config/row_reader.h"
#include "headway/traffic/fixed_destinations.h"

namespace headway {
namespace {

bool has_fixed_point(const std::vector<NodeId>& destination_of) {
  for (NodeId node = 0; node < destination_of.size(); ++node)
    if (destination_of[node] == node) return true;
  return false;
}

// A uniformly random permutation without fixed points: shuffles (Fisher and Yates) until there are no fixed
// points, e times on average.
std::vector<NodeId> random_derangement(std::uint32_t nodes, Rng& rng) {
  std::vector<NodeId> destination_of(nodes);
  std::iota(destination_of.begin(), destination_of.end(), 0);
  do {
    for (std::uint32_t last = nodes - 1; last > 0; --last)
      std::swap(destination_of[last], destination_of[rng.below(last + 1)]);
  } while (has_fixed_point(destination_of));
  return destination_of;
}

class Permutation final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "list",
         .help = "destinations of nodes 0, 1, ...; default: a random permutation without fixed points",
         .bounds = {.at_most = limits::kNumber}},
        list_);
    parameters.field({.name = "file",
                      .help = "text file with these destinations, separated by white space; replaces list"},
                     file_);
  }

  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    if (file_.named() && !list_.empty()) {
      mistakes.add("file", "is given together with a list", "give only one of them");
      return;
    }
    if (!file_.named() && list_.empty()) {
      if (space.nodes < 2) mistakes.add("pattern", "a permutation without fixed points needs two nodes");
      return;
    }
    const std::string key = file_.named() ? "file" : "list";
    const std::vector<std::int64_t> list = read(mistakes);
    if (mistakes.empty()) check(list, key, space.nodes, mistakes);
  }

  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t seed) const override {
    Mistakes mistakes;
    const std::vector<std::int64_t> list = read(mistakes);
    mistakes.throw_if_any();
    if (!list.empty())
      return std::make_unique<FixedDestinations>(std::vector<NodeId>(list.begin(), list.end()));
    Rng rng(seed, StreamKind::pattern, 0);
    return std::make_unique<FixedDestinations>(random_derangement(space.nodes, rng));
  }

 private:
  // The numbers of the list or of the file; empty: draw a random permutation.
  std::vector<std::int64_t> read(Mistakes& mistakes) const {
    if (!file_.named()) return list_;
    RowReader rows(file_, "file", mistakes);
    std::vector<std::int64_t> list;
    while (rows.next())
      for (const std::string_view word : rows.words())
        if (const auto destination = whole_number(word))
          list.push_back(*destination);
        else
          rows.wrong("\"" + std::string(word) + "\" is not the number of a node");
    if (list.empty() && !rows.any_wrong())
      rows.wrong_at(0, "is empty", "write the destination of node 0, 1, ... as whole numbers");
    rows.finish();
    return list;
  }

  static void check(const std::vector<std::int64_t>& list, const std::string& key, std::uint32_t nodes,
                    Mistakes& mistakes) {
    if (list.size() != nodes)
      mistakes.add(key, "has " + std::to_string(list.size()) + " destinations",
                   "give one for each of the " + std::to_string(nodes) + " nodes");
    std::vector<bool> taken(nodes, false);
    for (const std::int64_t destination : list) {
      if (destination < 0 || destination >= nodes)
        mistakes.add(key, "node " + std::to_string(destination) + " is outside the network",
                     "nodes are 0 to " + std::to_string(nodes - 1));
      else if (taken[static_cast<std::size_t>(destination)])
        mistakes.add(key, "node " + std::to_string(destination) + " is the destination of two nodes");
      else
        taken[static_cast<std::size_t>(destination)] = true;
    }
  }

  std::vector<std::int64_t> list_;
  InputFile file_;
};

}  // namespace

Entry<Pattern> permutation() {
  return {"permutation", "every node sends to one node and receives from one node",
          "Dally and Towles 2004, section 3.2", make_entry<Pattern, Permutation>};
}

}  // namespace headway
