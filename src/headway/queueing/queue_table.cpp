// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/queue_table.h"

#include <utility>

#include "headway/queueing/user_table.h"

namespace headway {

QueueMap read_queue_table(const Graph& graph, const InputFile& file, const std::vector<std::string>& by,
                          std::optional<std::uint32_t> queues, Mistakes& mistakes) {
  constexpr std::uint32_t kMostQueue = kMostQueuesPerPort - 1;  // highest queue number
  TableForm form{.file_key = "switch.file",
                 .value = "queue",
                 .most = queues ? *queues - 1 : kMostQueue,
                 .columns = {},
                 .by_key = "switch.by",
                 .by = by};
  for (const std::string_view name : kQueueCoordinates) form.columns.push_back(*value_of<Coordinate>(name));
  std::optional<UserTable> table = read_user_table(graph, file, form, mistakes);
  if (!table) return {};
  return table->dimensions.map(std::move(table->values), queues.value_or(table->highest + 1));
}

}  // namespace headway
