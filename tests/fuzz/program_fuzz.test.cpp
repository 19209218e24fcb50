// SPDX-License-Identifier: Apache-2.0
// Short or long (HEADWAY_FUZZ=long) deterministic fuzzing of the readers of programs, with random bytes and
// with mutations of a valid file of every format. program_fuzzer.cpp fuzzes endlessly.
#include "tests/fuzz/program_fuzz.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "headway/base/rng.h"
#include "headway/config/document.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/chakra_bytes.h"
#include "tests/support/goal_bytes.h"
#include "tests/support/nccl_log.h"

namespace headway {
namespace {

const std::string kValid[] = {
    "num_ranks 2\nrank 0 {\nl1: calc 10 cpu 1\nl2: send 8b to 1 tag 3 nic 1\nl2 irequires l1\n/* x "
    "*/\n}\nrank 1 "
    "{\nrecv 8b from 0 tag 3\n}\n",
    "rank,kind,peer,bytes,time_ns,tag,cpu,after\n0,compute,,,1.5,,1,\n0,send,1,8,,3,,~0\n1,receive,0,8,,3,,"
    "\n",
    "Nodes 3\nConnections 3\nTriggers 2\n0->1 id 1 start 0 size 5 recv_done_trigger 1 send_done_trigger "
    "2\n1->2 id 2 "
    "trigger 1 size 6\n2->0 id 3 trigger 2 size 7\ntrigger id 1 oneshot\ntrigger id 2 barrier count 1\n",
    "2\n0 1 3 100 4000 2.5\n1 0 3 100 50 2.25\n",
    "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 all_gpus: 8\n1\na -1 5 ALLREDUCE 8 5 ALLGATHER 9 5 "
    "ALLTOALL_EP 10 7\n",
};

// Reads the bytes of every case in a child process.
void expect_programs_survived(std::uint64_t number,
                              const std::function<std::string(std::uint64_t)>& bytes_of_case) {
  test::expect_none(test::run_in_children(number,
                                          [&](std::uint64_t i) {
                                            read_program_bytes(bytes_of_case(i));
                                            return "";
                                          }),
                    [&](std::uint64_t i) { return to_text(Document(bytes_of_case(i))); });
}

TEST(ProgramFuzz, SurvivesRandomBytes) {
  expect_programs_survived(test::cases(500, 50'000), [](std::uint64_t number) {
    Rng rng(1, number);
    std::string bytes(rng.below(200), ' ');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    return bytes;
  });
}

TEST(ProgramFuzz, SurvivesMutationsOfValidPrograms) {
  std::vector<std::string> all(std::begin(kValid), std::end(kValid));
  const test::ReadProgram goal = test::read_program("goal", kValid[0]);
  all.push_back(test::GoalBytes::of(*goal.program, goal.tags));
  all.push_back(test::small_chakra());
  all.emplace_back(test::kSmallChakraJson);
  all.emplace_back(test::kNcclLog);
  for (const std::string& valid : all) read_program_bytes(valid);
  expect_programs_survived(test::cases(1500, 100'000), [&](std::uint64_t number) {
    Rng rng(2, number);
    std::string bytes = all[number % all.size()];
    test::mutate_text(bytes, rng);
    return bytes;
  });
}

}  // namespace
}  // namespace headway
