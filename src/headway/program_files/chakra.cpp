// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces as a program with one rank per trace. Choices:
//
//   - Computations are on CPU 0, or on CPU 2 if the trace says that they are operations of the host.
//     Communication is on CPU 1, so that overheads do not delay computations. What takes no time is on CPU 3.
//   - A collective begins and ends, at each of its ranks, with a computation of 0 ns. Dependencies are on
//     these.
//   - The k-th collective of a group at a rank belongs to the k-th one at the others, in the order of the
//     traces.
//   - Tags of messages are one larger than those of the trace, since collectives use tag 0.
//   - All types of dependencies are the same.
#include <fmt/format.h>

#include <unordered_map>

#include "headway/program_files/chakra_json.h"
#include "headway/program_files/chakra_trace.h"
#include "headway/program_files/file_collectives.h"
#include "headway/program_files/rank_groups.h"
#include "headway/programs/file_program.h"
#include "headway/trace/record.h"

namespace headway {
namespace {

constexpr std::uint8_t kDeviceCpu = 0, kNetworkCpu = 1, kHostCpu = 2, kIdleCpu = 3;

constexpr Collective kChakraCollectives[] = {
    Collective::all_reduce, Collective::reduce,         Collective::all_gather,
    Collective::gather,     Collective::scatter,        Collective::broadcast,
    Collective::all_to_all, Collective::reduce_scatter, Collective::reduce_scatter /* with equal blocks */,
    Collective::barrier};

class ChakraProgram {
 public:
  ChakraProgram(const std::vector<ChakraRank>& ranks, const RankGroups& groups,
                const FileCollectives& collectives, const Rational& unit, ProgramBuilder& builder)
      : ranks_(ranks), groups_(groups), collectives_(collectives), unit_(unit), builder_(builder) {
    collectives_of_.resize(ranks.size());
    for (const ChakraRank& rank : ranks) ops_.emplace_back(rank.size());
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) all_.push_back(rank);
  }

  void add() {
    find_collectives();
    for (rank_ = 0; rank_ < ranks_.size(); ++rank_)
      for (std::uint32_t i = 0; i < ranks_[rank_].size(); ++i)
        if (ops_[rank_][i].first == kNone) add_node(i);
    for (rank_ = 0; rank_ < ranks_.size(); ++rank_) require();
  }

 private:
  struct Ops {
    std::uint32_t first = kNone, last = kNone;  // of a node
    std::uint32_t number = 0;                   // of a collective among those of its group at the rank
  };

  const ChakraNode& node(std::uint32_t i) const { return ranks_[rank_][i]; }
  WrongByte wrong(const ChakraNode& node, std::string message, std::string hint = "") const {
    return {node.at, fmt::format("node {}: {}", node.id, message), std::move(hint),
            fmt::format("rank {}", rank_)};
  }

  const std::vector<std::uint32_t>& group_of(const ChakraNode& node) const {
    if (node.group.empty()) return all_;
    const auto found = groups_.find(node.group);
    if (found == groups_.end())
      throw wrong(node, fmt::format("there is no group \"{}\"", node.group.substr(0, 40)),
                  "the key groups_file names a file with the ranks of each group");
    return found->second;
  }

  void find_collectives() {
    for (rank_ = 0; rank_ < ranks_.size(); ++rank_)
      for (std::uint32_t i = 0; i < ranks_[rank_].size(); ++i) {
        if (node(i).type != ChakraType::collective) continue;
        const auto& group = group_of(node(i));
        if (std::ranges::find(group, rank_) == group.end())
          throw wrong(node(i),
                      fmt::format("rank {} is not in the group \"{}\"", rank_, node(i).group.substr(0, 40)));
        std::vector<std::uint32_t>& mine = collectives_of_[rank_][node(i).group];
        ops_[rank_][i].number = static_cast<std::uint32_t>(mine.size());
        mine.push_back(i);
      }
  }

  void add_node(std::uint32_t i) {
    const ChakraNode& it = node(i);
    Ops& ops = ops_[rank_][i];
    switch (it.type) {
      case ChakraType::invalid:
      case ChakraType::metadata:
        ops.first = ops.last = builder_.compute(rank_, 0, kIdleCpu);
        break;
      case ChakraType::load:
      case ChakraType::store:
        ops.first = ops.last = builder_.compute(rank_, time_of(it), kIdleCpu);
        break;
      case ChakraType::compute:
        ops.first = ops.last = builder_.compute(rank_, time_of(it), it.on_cpu ? kHostCpu : kDeviceCpu);
        break;
      case ChakraType::send:
        expect_rank(it, it.source.value_or(rank_), "comm_src");
        ops.first = ops.last = builder_.send(rank_, peer_of(it, it.destination, "comm_dst"), size_of(it),
                                             tag_of(it), kNetworkCpu);
        break;
      case ChakraType::receive:
        expect_rank(it, it.destination.value_or(rank_), "comm_dst");
        ops.first = ops.last =
            builder_.receive(rank_, peer_of(it, it.source, "comm_src"), size_of(it), tag_of(it), kNetworkCpu);
        break;
      case ChakraType::collective:
        add_collective(i);
        break;
    }
  }

  std::uint64_t time_of(const ChakraNode& node) const {
    const auto picoseconds = picoseconds_of(node.duration, unit_);
    if (!picoseconds) throw wrong(node, "its duration is longer than 46 days", "see time_unit");
    return *picoseconds;
  }
  std::uint64_t size_of(const ChakraNode& node) const {
    if (!node.size) throw wrong(node, "it has no comm_size");
    if (*node.size > static_cast<std::uint64_t>(limits::kBytes))
      throw wrong(node, "its comm_size is too large");
    return *node.size;
  }
  std::uint32_t tag_of(const ChakraNode& node) const {
    if (node.tag >= UINT32_MAX)
      throw wrong(node, "its comm_tag is too large", fmt::format("at most {}", UINT32_MAX - 1));
    return static_cast<std::uint32_t>(node.tag + 1);
  }
  std::uint32_t peer_of(const ChakraNode& node, const std::optional<std::uint64_t>& peer,
                        std::string_view name) const {
    if (!peer) throw wrong(node, fmt::format("it has no {}", name));
    if (*peer >= ranks_.size())
      throw wrong(node, fmt::format("its {} is {}", name, *peer),
                  fmt::format("there are {} ranks", ranks_.size()));
    return static_cast<std::uint32_t>(*peer);
  }
  void expect_rank(const ChakraNode& node, std::uint64_t rank, std::string_view name) const {
    if (rank != rank_)
      throw wrong(node, fmt::format("its {} is {}, but it is in the trace of rank {}", name, rank, rank_));
  }

  Collective kind_of(const ChakraNode& node) const {
    if (!node.collective) throw wrong(node, "it has no comm_type");
    if (*node.collective >= std::size(kChakraCollectives))
      throw wrong(node, fmt::format("its comm_type {} is unknown", *node.collective),
                  fmt::format("0 to {}", std::size(kChakraCollectives) - 1));
    if (node.in_part && node.group.empty())
      throw wrong(node, "it is a collective of some dimensions (involved_dim), which Headway does not know",
                  "name a group with pg_name");
    return kChakraCollectives[*node.collective];
  }

  // All members of the group at once.
  void add_collective(std::uint32_t i) {
    const ChakraNode& it = node(i);
    const Collective kind = kind_of(it);
    const std::uint64_t bytes = kind == Collective::barrier ? 0 : size_of(it);
    const auto& members = group_of(it);
    std::uint32_t root = 0;
    if (it.source) {
      const auto found = std::ranges::find(members, *it.source);
      if (found == members.end())
        throw wrong(it, fmt::format("its comm_src {} is not in its group", *it.source));
      root = static_cast<std::uint32_t>(found - members.begin());
    }
    Mistakes mistakes;
    collectives_.check(kind, static_cast<std::uint32_t>(members.size()), mistakes);
    mistakes.throw_if_any();
    builder_.expect(2 * std::uint64_t{members.size()});
    std::vector<Steps> steps;
    std::vector<Ops*> ops;
    for (const std::uint32_t member : members) {
      ops.push_back(&ops_of(it, ops_[rank_][i].number, member));
      ops.back()->first = builder_.compute(member, 0, kIdleCpu);
      steps.emplace_back(builder_, member, kNetworkCpu).follow(ops.back()->first);
    }
    Group group;
    for (Steps& member : steps) group.push_back(&member);
    collectives_.add(kind, group, bytes, /*gathered=*/false, root);
    for (std::size_t m = 0; m < members.size(); ++m) {
      ops[m]->last = builder_.compute(members[m], 0, kIdleCpu);
      for (const std::uint32_t op : steps[m].last()) builder_.require(members[m], ops[m]->last, op);
    }
  }

  // The operations of a collective at another of its ranks.
  Ops& ops_of(const ChakraNode& node, std::uint32_t number, std::uint32_t member) {
    const std::vector<std::uint32_t>& theirs = collectives_of_[member][node.group];
    if (number >= theirs.size())
      throw wrong(
          node,
          fmt::format("rank {} has no such collective: it has {} in this group, and this one is the {}th",
                      member, theirs.size(), number + 1));
    const ChakraNode& other = ranks_[member][theirs[number]];
    if (other.collective != node.collective || other.size != node.size || other.source != node.source)
      throw wrong(
          node, fmt::format(
                    "node {} of rank {}, which belongs to this collective, has another comm_type, comm_size "
                    "or comm_src",
                    other.id, member));
    return ops_[member][theirs[number]];
  }

  void require() {
    std::unordered_map<std::uint64_t, std::uint32_t> number_of;  // by id
    for (std::uint32_t i = 0; i < ranks_[rank_].size(); ++i)
      if (!number_of.emplace(node(i).id, i).second)
        throw wrong(node(i), "there is another node with this id");
    for (std::uint32_t i = 0; i < ranks_[rank_].size(); ++i)
      for (const std::uint64_t needed : node(i).needed) {
        const auto found = number_of.find(needed);
        if (found == number_of.end())
          throw wrong(node(i), fmt::format("it needs node {}, which does not exist", needed));
        builder_.require(rank_, ops_[rank_][i].first, ops_[rank_][found->second].last);
      }
  }

  const std::vector<ChakraRank>& ranks_;
  const RankGroups& groups_;
  const FileCollectives& collectives_;
  const Rational& unit_;
  ProgramBuilder& builder_;
  std::vector<std::uint32_t> all_;     // ranks
  std::vector<std::vector<Ops>> ops_;  // [rank][node]
  std::vector<std::unordered_map<std::string, std::vector<std::uint32_t>>>
      collectives_of_;  // [rank] group -> nodes
  std::uint32_t rank_ = 0;
};

class Chakra final : public FileProgram {
 public:
  void describe(Parameters& parameters) override {
    FileProgram::describe(parameters);
    parameters.field(
        {.name = "groups_file",
         .help =
             "ranks of each group, as JSON: {\"0\": [0, 1], \"1\": [2, 3]}; default: collectives are of all "
             "ranks"},
        groups_);
    parameters.field({.name = "time_unit",
                      .help = "unit of the durations of the trace",
                      .bounds = Bounds::over(0, limits::kTime)},
                     time_unit_);
    collectives_.describe(parameters);
  }
  bool uses_switches() const override { return collectives_.uses_switches(); }
  bool recognises(std::string_view beginning) const override {
    return is_chakra(beginning) || is_chakra_json(beginning);
  }

  void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const override {
    try {
      const std::string_view beginning = text.ahead(std::size_t{1} << 14);
      const bool is_json = beginning.starts_with('{') && !is_chakra(beginning);
      const std::vector<ChakraRank> ranks = is_json ? read_chakra_json(text) : read_chakra(text);
      const auto count = static_cast<std::uint32_t>(ranks.size());
      builder.have_at_least(count);
      if (only_ranks) return;
      Mistakes mistakes;
      RankGroups groups;
      if (groups_.named()) groups = read_rank_groups(groups_, count, "groups_file", mistakes);
      mistakes.throw_if_any();
      ChakraProgram(ranks, groups, collectives_, time_unit_.ns * Rational(kNanosecond), builder).add();
    } catch (const WrongByte& wrong) {
      text.report(wrong);
    }
  }

 private:
  InputFile groups_;
  Duration time_unit_{Rational(1000)};
  FileCollectives collectives_;
};

}  // namespace

Entry<ProgramKind> chakra() {
  return {"chakra", "Chakra execution traces, one for each rank: .et, or as JSON",
          "Sridharan et al. 2023; mlcommons/chakra", make_entry<ProgramKind, Chakra>};
}

}  // namespace headway
