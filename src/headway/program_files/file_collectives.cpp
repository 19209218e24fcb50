// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/file_collectives.h"

namespace headway {

void FileCollectives::describe(Parameters& parameters) {
  all_reduce_.describe(parameters);
  parameters.field({.name = "all_gather", .help = "algorithm of all-gathers"}, all_gather_);
  parameters.field({.name = "all_to_all", .help = "algorithm of all-to-alls"}, all_to_all_);
  parameters.field(
      {.name = "gather_size",
       .help = "what the size of an all-gather or gather in the file is: the data of a rank (input), "
               "those of all ranks (output), or what the format means (docs/program-files.md)"},
      gather_size_);
}

void FileCollectives::check(Collective collective, std::uint32_t ranks, Mistakes& mistakes) const {
  if (collective == Collective::all_reduce && ranks > 1) all_reduce_.check(ranks, mistakes);
  if (collective == Collective::all_to_all && all_to_all_ == AllToAllAlgorithm::hierarchical)
    mistakes.add("all_to_all", "\"hierarchical\" needs groups, which a file does not give",
                 "use \"pairwise\", \"linear\" or \"bruck\"");
}

void FileCollectives::add(Collective collective, const Group& group, std::uint64_t bytes, bool gathered,
                          std::uint32_t root) const {
  const auto size = static_cast<std::uint32_t>(group.size());
  if (size == 1) return;
  if (gather_size_ != GatherSize::by_format) gathered = gather_size_ == GatherSize::output;
  const auto of_each = [&] { return (bytes + size - 1) / size; };
  switch (collective) {
    case Collective::all_reduce:
      return all_reduce_.add(group, bytes);
    case Collective::all_gather:
      return add_all_gather(
          all_gather_, group,
          gathered ? Blocks::even(bytes, size) : Blocks(std::vector<std::uint64_t>(size, bytes)));
    case Collective::reduce_scatter:
      return ring_reduce_scatter(group, Blocks::even(bytes, size), all_reduce_.reduction());
    case Collective::all_to_all:
      return AllToAllMethod(all_to_all_).add(group, of_each());
    case Collective::broadcast:
      return broadcast(group, root, bytes);
    case Collective::reduce:
      return reduce(group, root, bytes, all_reduce_.reduction());
    case Collective::gather:
      return binomial_gather(group, root, gathered ? of_each() : bytes);
    case Collective::scatter:
      return binomial_scatter(group, root, of_each());
    case Collective::barrier:
      return dissemination_barrier(group);
  }
}

}  // namespace headway
