// SPDX-License-Identifier: Apache-2.0
// DBBM, destination-based buffer management: destinations share a few queues, selected by the low bits of
// their number (modulo), the high bits (block), or both (set-associative: the low bits select a set, the high
// bits a queue of this set). A congested destination blocks only destinations that share its queue, for any
// routing. Source: Nachiondo et al., "Cost / performance trade-offs and fairness evaluation of queue mapping
// policies", Euro-Par 2005, section 4. `dbbm` shares queues, as evaluated in the paper. `dbbm-unshared`
// covers the rest of the paper's design space: a queue holds packets for one destination at a time, and an
// overflow queue holds all other packets (congestion/overflow.h).
#include <algorithm>

#include "headway/queueing/scheme.h"

namespace headway {

constexpr auto names_in_specs(Replacement) {
  return name_list("none", "lru", "oldest", "shortest", "longest");
}
constexpr auto names_in_specs(Restoration) { return name_list("none", "first", "most"); }

namespace {

enum class Mapping { modulo, block, set_associative };
constexpr auto names_in_specs(Mapping) { return name_list("modulo", "block", "set-associative"); }

class Dbbm : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "queues", .help = "queues per input port", .bounds = Bounds::from(1, kMostQueuesPerPort)},
        queues_);
    parameters.field({.name = "mapping",
                      .help = "destinations that share a queue: equal modulo `queues` (modulo), consecutive "
                              "ones (block), or equal modulo the number of sets and in the same block of "
                              "nodes / `ways` consecutive ones (set-associative)"},
                     mapping_);
    parameters.field(
        {.name = "ways",
         .help =
             "set-associative mapping: queues per set; the number of sets is `queues` / `ways`, rounded down",
         .bounds = Bounds::from(1, kMostQueuesPerPort)},
        ways_);
  }

  // Choice: the paper uses the high bits of a power of two; this mapping is equal in that case and defined
  // for all numbers. Set-associative mapping with shared queues is the paper's future work, "combinations of
  // block and cyclical mapping": it works like a cache in which the destination determines the queue of a
  // set. With one way it equals modulo, with all ways block.
  QueueMap build(const Graph& graph) const override {
    const std::uint64_t nodes = graph.nodes(),
                        ways = mapping_ == Mapping::block ? queues() : queues_per_set();
    const std::uint64_t sets = queues() / ways;
    return QueueMap::from(QueueKey::destination, queues(), graph.nodes(), [&](std::uint64_t destination) {
      return static_cast<std::uint32_t>(destination % sets * ways + destination * ways / nodes);
    });
  }

 protected:
  std::uint32_t queues() const { return static_cast<std::uint32_t>(queues_); }
  std::uint32_t queues_per_set() const {
    return mapping_ == Mapping::set_associative ? std::min(static_cast<std::uint32_t>(ways_), queues()) : 1;
  }
  bool is_block() const { return mapping_ == Mapping::block; }

 private:
  std::int64_t queues_ = 4;
  Mapping mapping_ = Mapping::modulo;
  std::int64_t ways_ = 2;
};

class DbbmUnshared final : public Dbbm {
 public:
  void describe(Parameters& parameters) override {
    Dbbm::describe(parameters);
    parameters.field(
        {.name = "replacement",
         .help = "queue of its set that a destination without a queue takes over; the packets in it move to "
                 "the overflow queue: none, the least recently used one (lru), the one with the longest "
                 "ownership (oldest), or the one with the fewest (shortest) or most packets (longest)"},
        replacement_);
    parameters.field(
        {.name = "restoration",
         .help = "destination in the overflow queue that gets a queue when one becomes free: none, that of "
                 "the first packet (first), or the one with the most packets (most)"},
        restoration_);
  }

  QueueMap build(const Graph&) const override { return QueueMap::single(); }

  std::optional<OverflowRules> overflow(std::uint32_t nodes) const override {
    OverflowRules rules;
    rules.ways = queues_per_set();
    rules.queues = queues() / rules.ways * rules.ways;
    const std::uint64_t sets = rules.queues / rules.ways;
    for (std::uint64_t node = 0; node < nodes; ++node)
      rules.set_of.push_back(static_cast<std::uint32_t>(is_block() ? node * sets / nodes : node % sets));
    rules.replacement = replacement_;
    rules.restoration = restoration_;
    return rules;
  }

 private:
  Replacement replacement_ = Replacement::none;
  Restoration restoration_ = Restoration::none;
};

}  // namespace

Entry<Scheme> dbbm_unshared() {
  return {"dbbm-unshared",
          "each queue holds packets for one destination at a time; an overflow queue holds all other packets",
          "DBBM (Euro-Par 2005), section 4", make_entry<Scheme, DbbmUnshared>};
}

Entry<Scheme> dbbm() {
  return {"dbbm", "a few queues, shared by the destinations according to their number",
          "DBBM (Euro-Par 2005), section 4", make_entry<Scheme, Dbbm>};
}

}  // namespace headway
