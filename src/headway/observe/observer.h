// SPDX-License-Identifier: Apache-2.0
// Takes photographs of a simulation at random instants and sums them up. By Little's law the mean number of
// packets in a class of waiting, divided by the packets delivered per time, is the mean time that a packet
// spends in this class (docs/waiting.md).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/observe/camera.h"
#include "headway/observe/flow_census.h"
#include "headway/observe/heads.h"
#include "headway/observe/snapshots.h"

namespace headway {

// Sums over the photographs that show a root.
struct RootSums {
  std::uint64_t photographs = 0;
  std::uint64_t packets = 0;
  std::uint64_t admittance = 0;
  std::uint64_t victims = 0;
  std::uint64_t tree_photographs = 0;  // with a congestion tree
  std::uint64_t tree_queues = 0;
  std::uint32_t depth = 0;                                 // the largest
  std::vector<std::pair<NodeId, std::uint64_t>> culprits;  // destination, packets; by destination

  void add(const RootSeen& seen);
};

// Sums over photographs of the whole network.
struct NetworkSums {
  std::uint64_t photographs = 0;
  std::array<std::uint64_t, kWaitings> packets{};
  std::uint64_t movable = 0;
  std::uint64_t drain = 0;
  std::uint64_t victims = 0;
  std::array<std::uint64_t, kLinkTimes> switch_links{};  // links that leave switches

  void add(const Photograph& photograph, const Graph& graph);
  void add(const NetworkSums& other);
};

struct PhotographSums : NetworkSums {
  std::map<Root, RootSums> roots;
  std::vector<std::array<std::uint32_t, kLinkTimes>> links;  // [port of the graph]
  std::vector<std::uint64_t> hol_to;                         // [destination]
  std::vector<std::uint64_t> victims_to;                     // [destination]

  void add(const Photograph& photograph, const Graph& graph);
};

// The life of a congestion tree, from the first photograph that shows it to the last.
struct TreeLife {
  Root root;
  Tick birth = 0;             // first seen
  std::optional<Tick> death;  // the first photograph without it; none: it still exists
  // Sums over the photographs that show it.
  std::uint64_t photographs = 0;
  std::uint64_t packets = 0;  // packets that wait for the root, including those at nodes
  std::uint64_t victims = 0;  // of these
  std::uint64_t others = 0;   // packets that wait, but not to cross the root
  std::uint64_t most_packets = 0;
  std::uint64_t most_victims = 0;
  std::uint32_t most_queues = 0;
  std::uint32_t most_ports = 0;
  std::uint32_t most_depth = 0;
};

// A congestion tree in a bin of the time series, summed over the photographs of the bin.
struct TreeSums {
  std::size_t tree = 0;  // index in Observer::trees()
  std::uint64_t packets = 0;
  std::uint64_t queues = 0;
  std::uint64_t ports = 0;
  std::uint64_t depth = 0;
  std::uint64_t victims = 0;

  void add(const RootSeen& seen);
  void add(const TreeSums& other);
};

// Choice: a bin keeps only its trees with the most packets, because Stop and Go cause thousands of small,
// short-lived ones. The totals of all trees are in BinSums.
inline constexpr std::size_t kMostTreesOfABin = 64;

// Sums over the photographs of a bin of the time series.
struct BinSums : NetworkSums {
  std::uint64_t watched = 0;  // packets to the watched destination that wait for a root which they will cross
  std::uint64_t trees = 0;
  std::uint64_t tree_queues = 0;
  std::uint64_t tree_packets = 0;
  std::uint64_t tree_ports = 0;
  std::uint64_t tree_depth = 0;         // of the deepest tree of each photograph
  std::vector<TreeSums> largest_trees;  // at most kMostTreesOfABin, in the order of birth

  void add(const BinSums& other);
  using NetworkSums::add;
};

class Observer {
 public:
  // One photograph per interval, in ticks. `watched`: a destination, or kNone. `census`: of flows, or null.
  Observer(const Network& network, std::uint64_t seed, Tick interval, NodeId watched,
           std::unique_ptr<FlowCensus> census = nullptr);

  // Keeps snapshots, from the next photograph on.
  void keep_snapshots() { snapshots_ = std::make_unique<SnapshotWriter>(network_); }

  Tick next() const { return next_; }       // time of the next photograph
  void look(const Simulation& simulation);  // takes the photograph; call it at that time

  void begin_measurement();
  void close_bin();
  // Makes one of each two bins from this one on. Choice: the trees of the new bin are among those that its
  // two halves have kept.
  void join_bins(std::size_t first);

  const PhotographSums& sums() const { return sums_; }           // of the measurement
  const std::vector<BinSums>& bins() const { return bins_; }     // since the start
  const std::vector<TreeLife>& trees() const { return trees_; }  // since the start, in the order of birth
  const HeadWatch& heads() const { return heads_; }
  // The file of snapshots, after the last look; empty if they are not kept.
  std::string take_snapshots() { return snapshots_ ? snapshots_->finish() : ""; }
  FlowCensus* census() const { return census_.get(); }

 private:
  void draw_next();
  void add_to_bin(const Photograph& photograph);
  void follow_trees(const Photograph& photograph, Tick now);
  void keep_largest_trees();

  const Network& network_;
  std::unique_ptr<FlowCensus> census_;
  Camera camera_;
  HeadWatch heads_;
  std::unique_ptr<SnapshotWriter> snapshots_;
  Rng rng_;
  Tick interval_;
  NodeId watched_;
  Tick begin_ = 0;  // start of the interval after that of the next photograph
  Tick next_ = 0;
  PhotographSums sums_;
  BinSums bin_;
  std::vector<BinSums> bins_;
  std::vector<TreeLife> trees_;
  std::map<Root, std::size_t> alive_;          // index in trees_
  std::map<std::size_t, TreeSums> bin_trees_;  // trees of the bin, by index in trees_
};

}  // namespace headway
