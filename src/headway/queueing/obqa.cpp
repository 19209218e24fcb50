// SPDX-License-Identifier: Apache-2.0
// OBQA, output-based queue assignment: the switch's output ports share a few queues, modulo the number of
// queues. In a fat-tree with DET routing each stage sees fewer destinations than the one before, so half or a
// quarter of the radix is enough queues. Source: Escudero-Sahuquillo et al., "An efficient strategy for
// reducing head-of-line blocking in fat-trees", Euro-Par 2010, section 3.
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

class Obqa final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "queues",
                      .help = "queues per input port; recommended: half or a quarter of the radix",
                      .bounds = Bounds::from(1, kMostQueuesPerPort)},
                     queues_);
  }

  QueueMap build(const Graph& graph) const override {
    const auto queues = static_cast<std::uint32_t>(queues_);
    return QueueMap::from(QueueKey::output, queues, graph.max_radix(),
                          [&](std::uint32_t output) { return output % queues; });
  }

 private:
  std::int64_t queues_ = 4;
};

}  // namespace

Entry<Scheme> obqa() {
  return {"obqa", "a few queues, shared by the switch's output ports modulo the number of queues",
          "OBQA (Euro-Par 2010), section 3", make_entry<Scheme, Obqa>};
}

}  // namespace headway
