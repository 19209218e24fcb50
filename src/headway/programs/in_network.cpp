// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/in_network.h"

#include <vector>

namespace headway {
namespace {

// The aggregators of a tree, which do a step at a time.
class Aggregators {
 public:
  Aggregators(const Group& group, const SwitchTree& tree) : tree_(tree) {
    for (const SwitchTree::Place& place : tree.places)
      steps_.emplace_back(group.builder(), group.builder().aggregator_of(place.sw));
    below_.resize(tree.places.size());
    for (std::uint32_t place = 0; place < tree.places.size(); ++place) {
      for (const std::uint32_t member : tree.places[place].members)
        below_[place].push_back(group[member]->rank());
      if (const std::uint32_t parent = tree.places[place].parent; parent != kNone)
        below_[parent].push_back(rank(place));
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }
  std::uint32_t rank(std::uint32_t place) const { return steps_[place].rank(); }
  bool has_parent(std::uint32_t place) const { return tree_.places[place].parent != kNone; }
  // The rank of its parent.
  std::uint32_t above(std::uint32_t place) const { return rank(tree_.places[place].parent); }

  // Receives from all below it but `but`, and reduces.
  void reduce(std::uint32_t place, std::uint64_t bytes, const Reduction& reduction,
              std::uint32_t but = kNone) {
    for (const std::uint32_t rank : below_[place])
      if (rank != but) steps_[place].receive(rank, bytes);
    steps_[place].next();
    const std::uint64_t time = reduction.picoseconds(bytes);
    if (time == 0) return;
    // On a CPU of its own, because what the aggregator passes on does not wait for what it reduces.
    Steps reducing(steps_[place].builder(), rank(place), /*cpu=*/1);
    reducing.join(steps_[place]);
    reducing.compute(time);
    steps_[place].join(reducing);
  }
  void multicast(std::uint32_t place, std::uint64_t bytes, std::uint32_t but = kNone) {
    for (const std::uint32_t rank : below_[place])
      if (rank != but) steps_[place].send(rank, bytes);
    steps_[place].next();
  }
  Steps& operator[](std::uint32_t place) { return steps_[place]; }

 private:
  const SwitchTree& tree_;
  std::vector<Steps> steps_;
  std::vector<std::vector<std::uint32_t>> below_;  // [place] ranks
};

// Calls visit(number, steps, rank of the aggregator at its switch) for each member.
template <class Visit>
void for_each_member(const Group& group, const SwitchTree& tree, const Aggregators& aggregators,
                     Visit&& visit) {
  for (std::uint32_t place = 0; place < tree.places.size(); ++place)
    for (const std::uint32_t member : tree.places[place].members)
      visit(member, *group[member], aggregators.rank(place));
}

// The root sends and all others receive, or the other way round.
void exchange_with_root(const Group& group, const SwitchTree& tree, const Aggregators& aggregators,
                        std::uint32_t root, bool root_sends, std::uint64_t bytes) {
  for_each_member(group, tree, aggregators,
                  [&](std::uint32_t number, Steps& member, std::uint32_t aggregator) {
                    if ((number == root) == root_sends)
                      member.send(aggregator, bytes);
                    else
                      member.receive(aggregator, bytes);
                    member.next();
                  });
}

}  // namespace

SwitchTree tree_of(const Group& group) {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t member = 0; member < group.size(); ++member) ranks.push_back(group[member]->rank());
  return group.builder().tree_of(ranks);
}

void in_network_all_reduce(const Group& group, const SwitchTree& tree, std::uint64_t bytes,
                           const Reduction& reduction) {
  Aggregators aggregators(group, tree);
  for_each_member(group, tree, aggregators, [&](std::uint32_t, Steps& member, std::uint32_t aggregator) {
    member.send(aggregator, bytes);
    member.receive(aggregator, bytes);
    member.next();
  });
  for (std::uint32_t place = 0; place < aggregators.size(); ++place) {
    aggregators.reduce(place, bytes, reduction);
    if (aggregators.has_parent(place)) {
      aggregators[place].send(aggregators.above(place), bytes);
      aggregators[place].receive(aggregators.above(place), bytes);
      aggregators[place].next();
    }
    aggregators.multicast(place, bytes);
  }
}

void in_network_broadcast(const Group& group, const SwitchTree& tree, std::uint32_t root,
                          std::uint64_t bytes) {
  const SwitchTree rooted = tree.from(tree.place_of(root));
  Aggregators aggregators(group, rooted);
  exchange_with_root(group, rooted, aggregators, root, /*root_sends=*/true, bytes);
  const std::uint32_t from = group[root]->rank();
  for (std::uint32_t place = 0; place < aggregators.size(); ++place) {
    aggregators[place].receive(aggregators.has_parent(place) ? aggregators.above(place) : from, bytes);
    aggregators[place].next();
    aggregators.multicast(place, bytes, from);
  }
}

void in_network_reduce(const Group& group, const SwitchTree& tree, std::uint32_t root, std::uint64_t bytes,
                       const Reduction& reduction) {
  const SwitchTree rooted = tree.from(tree.place_of(root));
  Aggregators aggregators(group, rooted);
  exchange_with_root(group, rooted, aggregators, root, /*root_sends=*/false, bytes);
  const std::uint32_t to = group[root]->rank();
  for (std::uint32_t place = 0; place < aggregators.size(); ++place) {
    aggregators.reduce(place, bytes, reduction, to);
    aggregators[place].send(aggregators.has_parent(place) ? aggregators.above(place) : to, bytes);
    aggregators[place].next();
  }
}

}  // namespace headway
