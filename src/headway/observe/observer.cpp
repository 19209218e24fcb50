// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/observer.h"

#include <algorithm>
#include <utility>

#include "headway/base/every_second.h"

namespace headway {
namespace {

template <class T, class U, std::size_t kCount>
void add_each(std::array<T, kCount>& sums, const std::array<U, kCount>& values) {
  for (std::size_t i = 0; i < kCount; ++i) sums[i] += values[i];
}

}  // namespace

void RootSums::add(const RootSeen& seen) {
  ++photographs;
  packets += seen.packets;
  admittance += seen.admittance;
  victims += seen.victims;
  tree_photographs += seen.depth > 0 ? 1 : 0;
  tree_queues += seen.tree_queues;
  depth = std::max(depth, seen.depth);
  auto own = culprits.begin();
  std::vector<std::pair<NodeId, std::uint64_t>> sums;
  for (const auto& [destination, count] : seen.culprits) {
    for (; own != culprits.end() && own->first < destination; ++own) sums.push_back(*own);
    const bool known = own != culprits.end() && own->first == destination;
    sums.emplace_back(destination, count + (known ? (own++)->second : 0));
  }
  sums.insert(sums.end(), own, culprits.end());
  culprits = std::move(sums);
}

void TreeSums::add(const RootSeen& seen) {
  packets += seen.tree_packets;
  queues += seen.tree_queues;
  ports += seen.tree_ports;
  depth += seen.depth;
  victims += seen.victims;
}

void TreeSums::add(const TreeSums& other) {
  packets += other.packets;
  queues += other.queues;
  ports += other.ports;
  depth += other.depth;
  victims += other.victims;
}

void NetworkSums::add(const Photograph& photograph, const Graph& graph) {
  ++photographs;
  add_each(packets, photograph.packets);
  movable += photograph.movable;
  drain += photograph.drain;
  victims += photograph.victims;
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    if (graph.peer_of(port) != kNone) ++switch_links[static_cast<std::size_t>(photograph.links[port])];
}

void NetworkSums::add(const NetworkSums& other) {
  photographs += other.photographs;
  add_each(packets, other.packets);
  movable += other.movable;
  drain += other.drain;
  victims += other.victims;
  add_each(switch_links, other.switch_links);
}

void PhotographSums::add(const Photograph& photograph, const Graph& graph) {
  NetworkSums::add(photograph, graph);
  for (const RootSeen& seen : photograph.roots) roots[seen.root].add(seen);
  for (std::size_t port = 0; port < links.size(); ++port)
    ++links[port][static_cast<std::size_t>(photograph.links[port])];
  for (std::size_t node = 0; node < hol_to.size(); ++node) {
    hol_to[node] += photograph.hol_to[node];
    victims_to[node] += photograph.victims_to[node];
  }
}

namespace {

void keep_largest(std::vector<TreeSums>& trees) {
  if (trees.size() <= kMostTreesOfABin) return;
  std::ranges::stable_sort(trees, std::ranges::greater{}, &TreeSums::packets);
  trees.resize(kMostTreesOfABin);
  std::ranges::sort(trees, {}, &TreeSums::tree);
}

}  // namespace

void BinSums::add(const BinSums& other) {
  NetworkSums::add(other);
  watched += other.watched;
  trees += other.trees;
  tree_queues += other.tree_queues;
  tree_packets += other.tree_packets;
  tree_ports += other.tree_ports;
  tree_depth += other.tree_depth;
  std::map<std::size_t, TreeSums> of_tree;  // in the order of birth
  for (const TreeSums& sums : largest_trees) of_tree.emplace(sums.tree, sums);
  for (const TreeSums& sums : other.largest_trees)
    if (const auto [found, is_new] = of_tree.try_emplace(sums.tree, sums); !is_new) found->second.add(sums);
  largest_trees.clear();
  for (const auto& [tree, sums] : of_tree) largest_trees.push_back(sums);
  keep_largest(largest_trees);
}

Observer::Observer(const Network& network, std::uint64_t seed, Tick interval, NodeId watched,
                   std::unique_ptr<FlowCensus> census)
    : network_(network),
      census_(std::move(census)),
      camera_(network, seed, census_.get()),
      heads_(network),
      rng_(seed, StreamKind::photograph, 0),
      interval_(interval),
      watched_(watched) {
  begin_measurement();
  draw_next();
}

// Draws the instant at random, because instants at a fixed distance can synchronise with the packets.
void Observer::draw_next() {
  next_ = begin_ + 1 + static_cast<Tick>(rng_.below_long(static_cast<std::uint64_t>(interval_)));
  begin_ += interval_;
}

void Observer::look(const Simulation& simulation) {
  const Photograph& photograph = camera_.take(simulation.view());
  sums_.add(photograph, network_.graph);
  add_to_bin(photograph);
  follow_trees(photograph, next_);
  heads_.look(photograph, simulation.view(), next_);
  if (snapshots_) snapshots_->add(photograph, simulation, next_);
  draw_next();
}

void Observer::begin_measurement() {
  sums_ = {};
  if (census_) census_->begin_measurement();
  sums_.links.resize(network_.graph.ports());
  sums_.hol_to.resize(network_.nodes());
  sums_.victims_to.resize(network_.nodes());
  heads_.begin_measurement();
}

void Observer::close_bin() {
  if (census_) census_->close_bin();
  keep_largest_trees();
  bins_.push_back(std::move(bin_));
  bin_ = {};
}

void Observer::join_bins(std::size_t first) {
  if (census_) census_->join_bins(first);
  for (std::size_t bin = first; bin + 1 < bins_.size(); bin += 2) bins_[bin].add(bins_[bin + 1]);
  keep_every_second(bins_, first);
}

void Observer::keep_largest_trees() {
  for (const auto& [tree, sums] : bin_trees_) bin_.largest_trees.push_back(sums);
  bin_trees_.clear();
  keep_largest(bin_.largest_trees);
}

void Observer::add_to_bin(const Photograph& photograph) {
  bin_.add(photograph, network_.graph);
  std::uint32_t depth = 0;
  if (watched_ != kNone) bin_.watched += photograph.culprits_to[watched_];
  for (const RootSeen& seen : photograph.roots) {
    if (seen.depth == 0) continue;
    ++bin_.trees;
    bin_.tree_queues += seen.tree_queues;
    bin_.tree_packets += seen.tree_packets;
    bin_.tree_ports += seen.tree_ports;
    depth = std::max(depth, seen.depth);
  }
  bin_.tree_depth += depth;
}

void Observer::follow_trees(const Photograph& photograph, Tick now) {
  const std::uint64_t waiting = photograph.waiting();
  for (const RootSeen& seen : photograph.roots) {
    if (seen.depth == 0) continue;
    const auto [found, born] = alive_.try_emplace(seen.root, trees_.size());
    if (born) trees_.push_back({.root = seen.root, .birth = now, .death = {}});
    bin_trees_.try_emplace(found->second, TreeSums{.tree = found->second}).first->second.add(seen);
    TreeLife& life = trees_[found->second];
    ++life.photographs;
    life.packets += seen.packets + seen.admittance;
    life.victims += seen.victims;
    life.others += waiting - (seen.packets + seen.admittance - seen.victims);
    life.most_packets = std::max(life.most_packets, seen.tree_packets);
    life.most_victims = std::max(life.most_victims, seen.victims);
    life.most_queues = std::max(life.most_queues, seen.tree_queues);
    life.most_ports = std::max(life.most_ports, seen.tree_ports);
    life.most_depth = std::max(life.most_depth, seen.depth);
  }
  std::erase_if(alive_, [&](const auto& entry) {
    const auto seen = std::ranges::lower_bound(photograph.roots, entry.first, {}, &RootSeen::root);
    const bool lives = seen != photograph.roots.end() && seen->root == entry.first && seen->depth > 0;
    if (!lives) trees_[entry.second].death = now;
    return !lives;
  });
}

}  // namespace headway
