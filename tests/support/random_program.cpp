// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_program.h"

#include <fmt/format.h>
#include <cstdlib>

#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "headway/programs/builder.h"
#include "tests/support/dice.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

class Maker {
 public:
  Maker(std::uint64_t number, const Network& network, std::uint32_t packets)
      : dice_(number), network_(network), most_(network.packet_bytes * packets) {}

  RandomJob make() {
    RandomJob result;
    Job& job = result.job;
    const std::uint32_t ranks = from(1, std::min(6U, 2 * network_.nodes()));
    job.start = from(0, 3) * 20;
    job.iterations = from(1, 3);
    job.background = one_in(5);
    job.buffered = one_in(3);
    if (one_in(3)) job.rendezvous = from(0, most_);
    job.control_bytes = from(1, 2 * network_.packet_bytes);
    job.local_delay = one_in(2) ? 0 : from(1, 30);
    job.picosecond = {1, from(1, 3)};
    job.overhead = {one_in(2) ? 0 : from(1, 9), from(1, 2)};
    job.overhead_per_byte = {one_in(2) ? 0 : 1, from(1, 40)};
    for (std::uint32_t rank = 0; rank < ranks; ++rank) job.nodes.push_back(from(0, network_.nodes() - 1));
    job.program = std::make_shared<const CompiledProgram>(program(ranks, job.rendezvous));
    result.description = fmt::format(
        "{} ranks, {} operations, start {}, {} iterations, background {}, buffered {}, rendezvous {}, "
        "control {}, "
        "local delay {}, overhead {}/{} + {}/{} per byte",
        ranks, job.program->operations(), job.start, job.iterations, job.background, job.buffered,
        job.rendezvous, job.control_bytes, job.local_delay, job.overhead.numerator, job.overhead.denominator,
        job.overhead_per_byte.numerator, job.overhead_per_byte.denominator);
    return result;
  }

 private:
  std::uint32_t from(std::uint32_t least, std::uint32_t most) { return dice_.from(least, most); }
  bool one_in(std::uint32_t number) { return dice_.one_in(number); }

  // Operations are added in one order over all ranks, and require earlier ones only, so there is no cycle.
  Program program(std::uint32_t ranks, std::uint64_t rendezvous) {
    ProgramBuilder builder(ranks);
    const auto requirements = [&](std::uint32_t rank, std::uint32_t op, std::uint32_t earlier) {
      for (std::uint32_t needed = 0; needed < earlier; ++needed)
        if (one_in(op < 4 ? 2 : 4)) builder.require(rank, op, needed, one_in(3));
    };
    // an iteration that takes no time would repeat for ever in the background
    for (std::uint32_t rank = 0; rank < ranks; ++rank) builder.compute(rank, from(3, 30));
    for (std::uint32_t left = from(1, 30); left > 0; --left) {
      const std::uint32_t rank = from(0, ranks - 1), peer = from(0, ranks - 1);
      if (one_in(4)) {
        const std::uint32_t op = builder.compute(rank, one_in(4) ? 0 : from(1, 80), cpu());
        requirements(rank, op, op);
        continue;
      }
      const std::uint32_t tag = from(0, 1), bytes = one_in(6) ? 0 : from(1, most_);
      const std::uint32_t send = builder.send(rank, peer, bytes, tag, cpu());
      const std::uint32_t receive = builder.receive(peer, rank, most_, tag, cpu());
      requirements(rank, send, send);
      requirements(peer, receive, rank == peer ? send : receive);  // an announced send needs its receive
    }
    Mistakes mistakes;
    std::optional<Program> program = builder.take(mistakes);
    mistakes.throw_if_any();
    report_cycle(*program, rendezvous, mistakes);
    mistakes.throw_if_any();
    return *std::move(program);
  }
  std::uint8_t cpu() { return static_cast<std::uint8_t>(from(0, 2) / 2); }

  Dice dice_;
  const Network& network_;
  std::uint32_t most_;
};

}  // namespace

std::uint64_t soaked_cases(std::uint64_t usual) {
  const char* factor = std::getenv("HEADWAY_SOAK");
  return usual * (factor == nullptr ? 1 : std::strtoull(factor, nullptr, 10));
}
std::uint64_t cases_of(std::uint64_t usual) { return soaked_cases(usual) / kOneIn; }

RandomJob random_job(std::uint64_t number, const Network& network, std::uint32_t packets) {
  return Maker(number, network, packets).make();
}

void let_wait_for_nodes(Job& job, Dice& dice, std::uint32_t nodes) {
  const auto ranks = static_cast<std::uint32_t>(job.nodes.size());
  do {
    job.ranks_per_node = dice.from(1, ranks);
  } while (job.nodes_needed() > nodes);
  std::vector<NodeId> pool(nodes);
  std::iota(pool.begin(), pool.end(), 0U);
  for (std::uint32_t left = nodes; left > 1; --left) std::swap(pool[left - 1], pool[dice.from(0, left - 1)]);
  pool.resize(dice.from(static_cast<std::uint32_t>(job.nodes_needed()), nodes));
  for (std::uint32_t rank = 0; rank < ranks; ++rank) job.nodes[rank] = pool[rank / job.ranks_per_node];
  job.pool = std::make_shared<const std::vector<NodeId>>(std::move(pool));
}

}  // namespace headway::test
