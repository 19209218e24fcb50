// SPDX-License-Identifier: Apache-2.0
// The log of NCCL as a program: an all-reduce over the rings or the trees that NCCL has made. The data are
// cut for the channels, whose parts do not wait for each other, and each part into chunks. Choices:
//
//   - NCCL's channels have as much bandwidth as each other, so each gets an even part of the data.
//   - NCCL cuts a part into as many chunks as its buffers need; here a key says how many.
//   - In a tree, a rank handles its children at the same time, as in double_tree.
#include <fmt/format.h>

#include "headway/program_files/nccl_log.h"
#include "headway/programs/collectives.h"
#include "headway/programs/file_program.h"
#include "headway/programs/parts.h"

namespace headway {
namespace {

enum class NcclAlgorithm { ring, tree };
constexpr auto names_in_specs(NcclAlgorithm) { return name_list("ring", "tree"); }

class NcclProgram final : public FileProgram {
 public:
  void describe(Parameters& parameters) override {
    FileProgram::describe(parameters);
    parameters.field(bytes_parameter("size", "bytes of each rank's data, and of the result"), size_);
    parameters.field({.name = "algorithm", .help = "rings or trees of the log"}, algorithm_);
    parameters.field(chunks_parameter(), chunks_);
    parameters.field(reduction_parameter(), reduction_);
  }
  bool can_stand_still() const override { return false; }
  bool recognises(std::string_view beginning) const override { return is_nccl_log(beginning); }

  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    const NcclLog log = read_nccl_log(text);
    builder.have_at_least(log.ranks);
    if (only_ranks || text.any_wrong()) return;
    const bool rings = algorithm_ == NcclAlgorithm::ring;
    if (rings ? log.rings.empty() : log.trees.empty())
      return text.report_at(0, {{},
                                fmt::format("the log has no {}", name_of(algorithm_)),
                                rings ? "rank 0 tells them: Channel 00/02 : 0 1 ..."
                                      : "all ranks must tell theirs: Trees [0] ..."});
    const auto channels = static_cast<std::uint32_t>(rings ? log.rings.size() : log.trees.size());
    const AllRanks all(builder);
    const Reduction reduction(reduction_);
    std::uint32_t channel = 0;
    in_chunks(all.group(), bytes_of(size_), channels, [&](const Group& group, std::uint64_t bytes) {
      const std::uint32_t which = channel++;
      in_chunks(group, bytes, static_cast<std::uint32_t>(chunks_), [&](const Group& chunk, std::uint64_t n) {
        if (rings)
          ring(chunk, log.rings[which], n, reduction);
        else
          tree(chunk, log.trees[which], n, reduction);
      });
    });
  }

 private:
  static void ring(const Group& group, const std::vector<std::uint32_t>& order, std::uint64_t bytes,
                   const Reduction& reduction) {
    Group members;
    for (const std::uint32_t rank : order) members.push_back(group[rank]);
    ring_all_reduce(members, Blocks::even(bytes, static_cast<std::uint32_t>(order.size())), reduction);
  }

  static void tree(const Group& group, const NcclTree& tree, std::uint64_t bytes,
                   const Reduction& reduction) {
    for (std::uint32_t rank = 0; rank < group.size(); ++rank) {
      Steps& steps = *group[rank];
      const std::uint32_t parent = tree.parent[rank];
      for (const std::uint32_t child : tree.children[rank]) {
        steps.receive(child, bytes);
        steps.then_compute(reduction.picoseconds(bytes));
      }
      steps.next();
      if (parent != kNone) steps.send(parent, bytes);
      steps.next();
      if (parent != kNone) steps.receive(parent, bytes);
      steps.next();
      for (const std::uint32_t child : tree.children[rank]) steps.send(child, bytes);
      steps.next();
    }
  }

  Bytes size_{1 << 20};
  NcclAlgorithm algorithm_ = NcclAlgorithm::ring;
  std::int64_t chunks_ = 1;
  Rate reduction_{};
};

}  // namespace

Entry<ProgramKind> nccl() {
  return {"nccl", "an all-reduce over the rings or trees in a log of NCCL (NCCL_DEBUG=INFO)", "NVIDIA/nccl",
          make_entry<ProgramKind, NcclProgram>};
}

}  // namespace headway
