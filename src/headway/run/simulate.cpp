// SPDX-License-Identifier: Apache-2.0
#include "headway/run/simulate.h"

#include <fmt/format.h>

#include "headway/compile/machine.h"
#include "headway/engine/backlog.h"

namespace headway {

void simulate(Simulation& simulation, const Network& network, Tick to, const RunOptions& options) try {
  if (!options.watch) {
    simulation.run_until(to);
    return;
  }
  while (simulation.run_until(to, options.watch(simulation, network)) > 0) continue;
} catch (const BacklogTooLarge& stopped) {
  const Record& record = simulation.record();
  throw OutOfMemory(
      fmt::format("stopped at {:.6g} us: the offered load exceeds what the network accepts; {} waiting "
                  "messages use {} of memory, and this run can use {} in total. Reduce the load or the "
                  "simulated time, or set node.admittance_limit",
                  network.ns(static_cast<double>(stopped.tick)) / 1000, stopped.messages,
                  memory_text(backlog_bytes(record.most_kept_messages, record.admittance_queues,
                                            record.admittance_tails)),
                  memory_text(options.memory)));
}

}  // namespace headway
