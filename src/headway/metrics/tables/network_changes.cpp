// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "headway/metrics/change_text.h"
#include "headway/metrics/measured_run.h"
#include "headway/metrics/tables.h"
#include "headway/topology/named_link.h"

namespace headway {
namespace {

// Choice: of links that flap, the first changes are enough.
constexpr std::size_t kMostRows = 1000;

struct NetworkChangeRow {
  static constexpr std::string_view kTable = "network_changes";

  double time_ns = kNaN;
  std::string_view what = {};
  double links_down = kNaN;
};

constexpr ColumnOf<NetworkChangeRow> kColumns[] = {
    {{"time_ns", "ns", "when links or routes change", OverSeeds::key}, &NetworkChangeRow::time_ns},
    {{"what", kName, "what changes", OverSeeds::same}, &NetworkChangeRow::what},
    {{"down", "links", "links that are down from then on", OverSeeds::same}, &NetworkChangeRow::links_down},
};

void add_network_changes(const MeasuredRun& run, TableRows<NetworkChangeRow>& rows) {
  const Network& network = run.network();
  const std::vector<TimedChange>& changes = network.changes;
  const Tick end = run.window().last().tick;
  std::set<PortId> down;  // one end of each link
  std::size_t made = 0;
  for (std::size_t i = 0; i < changes.size() && changes[i].tick < end && made < kMostRows; ++i) {
    if (const PortId link = changes[i].link; link != kNone && changes[i].ticks_per_byte == 0)
      down.insert(one_end(network.graph, link));
    else if (link != kNone)
      down.erase(one_end(network.graph, link));
    if (i + 1 < changes.size() && changes[i + 1].tick == changes[i].tick) continue;
    const std::string what = text_of_changes(network, changes[i].tick);
    rows.add({run.ns(changes[i].tick), what, static_cast<double>(down.size())});
    ++made;
  }
}

}  // namespace

TableKind network_changes_table() {
  return table_of<kColumns, add_network_changes>(
      {.rows = "times when links or routes change: at most the first thousand",
       .when = "`[[event]]`",
       .needs = Needs::events,
       .most_cells = [](const TableBounds&, double columns) { return kMostRows * columns; }});
}

}  // namespace headway
