// SPDX-License-Identifier: Apache-2.0
// A user's own scheme: the queue for any combination of switch (or stage), input port, output port, source
// and destination, from a file (user_table.h). Static schemes of the literature that Headway does not
// include can be written as such tables.
#include <utility>

#include "headway/queueing/scheme.h"
#include "headway/queueing/user_table.h"

namespace headway {
namespace {

class TableScheme final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "file",
         .help = "queue of every combination of some of switch or stage, input, output, source and "
                 "destination: text whose header names the columns, or a NumPy array of integers "
                 "(docs/files.md); a relative path is relative to the spec"},
        file_);
    parameters.field({.name = "by",
                      .help = "names of the dimensions of a NumPy array, in their order",
                      .choices = kQueueCoordinates},
                     by_);
    parameters.field({.name = "queues",
                      .help = "queues per input port; default: the highest number in the file + 1",
                      .bounds = Bounds::from(1, kMostQueuesPerPort)},
                     queues_);
  }
  void check(Mistakes& mistakes) const override {
    if (!file_.named())
      mistakes.add("switch.file", "no file is given", "write for example file = \"queues.txt\"");
  }

  // If there is no file, `check` has reported a mistake.
  QueueMap build(const Graph& graph) const override {
    if (!file_.named()) return QueueMap::single();
    TableForm form{.file_key = "switch.file",
                   .value = "queue",
                   .most = static_cast<std::uint32_t>(queues_.value_or(kMostQueuesPerPort)) - 1,
                   .columns = {},
                   .by_key = "switch.by",
                   .by = by_};
    for (const std::string_view name : kQueueCoordinates) form.columns.push_back(*value_of<Coordinate>(name));
    Mistakes mistakes;
    std::optional<UserTable> table = read_user_table(graph, file_, form, mistakes);
    mistakes.throw_if_any();
    return table->dimensions.map(std::move(table->values),
                                 queues_ ? static_cast<std::uint32_t>(*queues_) : table->highest + 1);
  }

 private:
  InputFile file_;
  std::vector<std::string> by_;
  std::optional<std::int64_t> queues_;
};

}  // namespace

Entry<Scheme> table_scheme() {
  return {"table", "a user's own scheme: the queue by switch, ports, source or destination, from a file",
          "Headway", make_entry<Scheme, TableScheme>};
}

}  // namespace headway
