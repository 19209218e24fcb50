// SPDX-License-Identifier: Apache-2.0
// DBBM, destination-based buffer management: destinations share a few queues, by the low bits of their number
// (modulo), the high ones (block), or both (set-associative: low bits choose a set, high bits a queue of it),
// so a congested destination blocks only those that share its queue, whatever the routing. Source: Nachiondo
// et al., "Cost / performance trade-offs and fairness evaluation of queue mapping policies", Euro-Par 2005,
// section 4 (shared-queue DBBM).
#include <algorithm>

#include "headway/queueing/scheme.h"

namespace headway {
namespace {

constexpr std::string_view kMappings[] = {"modulo", "block", "set-associative"};

class Dbbm final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "queues", .help = "queues per input port", .at_least = 1, .at_most = 65536},
                     queues_);
    parameters.field(
        {.name = "mapping",
         .help =
             "which destinations share a queue: equal modulo `queues`, a block of consecutive ones, or both:"
             " equal modulo the number of sets and in the same block of nodes / `ways`",
         .choices = kMappings},
        mapping_);
    parameters.field({.name = "ways",
                      .help = "set-associative: queues per set; `queues` / `ways` sets, rounded down",
                      .at_least = 1,
                      .at_most = 65536},
                     ways_);
  }

  QueueMap build(const Graph& graph) const override {
    const auto queues = static_cast<std::uint32_t>(queues_);
    const std::uint64_t nodes = graph.nodes();
    if (mapping_ == "modulo")
      return QueueMap::from(QueueKey::destination, queues, graph.nodes(),
                            [&](std::uint32_t destination) { return destination % queues; });
    // Choice: the paper reads the high bits of a power of two; this is the same there, and defined for any
    // numbers. Of set-associative mapping it gives only the name: as a cache, with the queue of a set fixed
    // by the destination. With one way it is modulo, with all ways block.
    const auto ways = mapping_ == "block" ? queues : std::min(static_cast<std::uint32_t>(ways_), queues);
    const std::uint32_t sets = queues / ways;
    return QueueMap::from(QueueKey::destination, queues, graph.nodes(), [&](std::uint64_t destination) {
      return static_cast<std::uint32_t>(destination % sets * ways + destination * ways / nodes);
    });
  }

 private:
  std::int64_t queues_ = 4;
  std::string mapping_ = "modulo";
  std::int64_t ways_ = 2;
};

}  // namespace

Entry<Scheme> dbbm() {
  return {"dbbm", "destinations share a few queues by their number", "DBBM (Euro-Par 2005), section 4",
          make_entry<Scheme, Dbbm>};
}

}  // namespace headway
