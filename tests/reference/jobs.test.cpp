// SPDX-License-Identifier: Apache-2.0
// The start and finish of every operation of random programs, in random networks with and without other
// traffic, beside the naive interpreter.
#include <gtest/gtest.h>

#include "tests/reference/agreement.h"
#include "tests/support/dice.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"

namespace headway {
namespace {

void expect_agreement(test::RandomCase c, std::uint64_t number) {
  if (number % 2 == 0) {
    c.workload.flows.clear();
    c.workload.sources.clear();
  }
  std::string jobs;
  for (std::uint64_t job = 0; job <= number % 3; ++job) {
    test::RandomJob random = test::random_job(number * 3 + job, c.network, number % 5 == 0 ? 4 : 2);
    if (c.network.admittance_limit != UINT64_MAX) return;  // no spec can have both
    c.workload.jobs.push_back(std::move(random.job));
    jobs += "\n  job: " + random.description;
  }
  EXPECT_EQ(reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0), "")
      << "case " << number << ": " << c.description << jobs;
}

TEST(AgreementOfJobs, RandomNetworks) {
  for (std::uint64_t number = 0; number < test::cases_of(400); ++number)
    expect_agreement(test::random_case(number), number);
}

// Most jobs wait for nodes, of pools that have some of them in common.
TEST(AgreementOfJobs, JobsThatWaitForNodes) {
  int waited = 0;
  for (std::uint64_t number = 0; number < test::cases_of(400); ++number) {
    test::RandomCase c = test::random_case(number);
    if (c.network.admittance_limit != UINT64_MAX) continue;
    test::Dice dice(number);
    c.workload.allocation = dice.one_in(2) ? Allocation::fifo : Allocation::first_fit;
    for (std::uint64_t job = 0; job < 2 + number % 5; ++job) {
      test::RandomJob random = test::random_job(number * 7 + job, c.network, 2);
      if (!dice.one_in(5)) test::let_wait_for_nodes(random.job, dice, c.network.nodes());
      if (dice.one_in(
              3)) {  // by a tick at most, and by node, so that no message comes before its receiver begins
        const std::uint32_t late = dice.from(0, c.network.nodes() - 1);
        for (const NodeId node : random.job.nodes) random.job.stagger.push_back(node <= late ? 1 : 0);
      }
      waited += random.job.pool != nullptr;
      c.workload.jobs.push_back(std::move(random.job));
    }
    EXPECT_EQ(reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0), "")
        << "case " << number << ": " << c.description;
  }
  EXPECT_GT(waited, 100);
}

TEST(AgreementOfJobs, RandomNetworksWithIsolation) {
  for (std::uint64_t number = 0; number < test::cases_of(200); ++number)
    expect_agreement(test::random_isolation_case(number), number);
}

TEST(AgreementOfJobs, RandomNetworksWithCells) {
  for (std::uint64_t number = 0; number < test::cases_of(200); ++number)
    expect_agreement(test::random_case(number, test::Memory::cells), number);
}

}  // namespace
}  // namespace headway
