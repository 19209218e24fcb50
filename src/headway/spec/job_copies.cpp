// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/job_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headway {

void add_copies(TrafficSpec& traffic) {
  std::vector<JobSpec> jobs;
  for (const JobSpec& job : traffic.jobs)
    for (std::int64_t copy = 0; copy < job.copies; ++copy) jobs.emplace_back(job).copy = copy;
  traffic.jobs = std::move(jobs);
}

std::vector<std::size_t> first_copies(const TrafficSpec& traffic) {
  std::vector<std::size_t> numbers;
  for (std::size_t job = 0; job < traffic.jobs.size(); ++job)
    if (traffic.jobs[job].copy == 0) numbers.push_back(job);
  return numbers;
}

std::string key_of_job(const TrafficSpec& traffic, std::size_t job) {
  const auto end = traffic.jobs.begin() + static_cast<std::ptrdiff_t>(job) + 1;
  const auto first = std::count_if(traffic.jobs.begin(), end, [](const JobSpec& of) { return of.copy == 0; });
  return fmt::format("traffic.job[{}]", first - 1);
}

}  // namespace headway
