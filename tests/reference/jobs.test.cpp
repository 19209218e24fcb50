// SPDX-License-Identifier: Apache-2.0
// The start and finish of every operation of random programs, in random networks with and without other
// traffic, beside the naive interpreter.
#include <gtest/gtest.h>

#include "tests/reference/agreement.h"
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
  for (std::uint64_t number = 0; number < test::job_cases(400); ++number)
    expect_agreement(test::random_case(number), number);
}

TEST(AgreementOfJobs, RandomNetworksWithIsolation) {
  for (std::uint64_t number = 0; number < test::job_cases(200); ++number)
    expect_agreement(test::random_isolation_case(number), number);
}

TEST(AgreementOfJobs, RandomNetworksWithCells) {
  for (std::uint64_t number = 0; number < test::job_cases(200); ++number)
    expect_agreement(test::random_case(number, test::Memory::cells), number);
}

}  // namespace
}  // namespace headway
