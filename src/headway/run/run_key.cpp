// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run_key.h"

#include <fmt/format.h>

#include <string>

#include "headway/base/hash.h"
#include "headway/base/version.h"

namespace headway {

RunKeys::RunKeys(const Experiment& experiment, const InputFile::Progress& progress) {
  const auto runs = static_cast<double>(experiment.until ? experiment.until->at_least : experiment.seeds);
  const std::string how =
      fmt::format("{}\nmodel {}\n", experiment.search ? to_string(*experiment.search) : "", kModelVersion);
  for (const Point& point : experiment.points) {
    const StoredPoint stored =
        point.stored ? *point.stored : stored_point(point.spec(), point.work, progress);
    most_bytes += stored.most_bytes * runs;
    keeps.push_back(stored.keeps);
    const std::uint64_t of_point = hash_of(how, stored.content);
    for (int repetition = 0; repetition < experiment.seeds; ++repetition)
      of_run.push_back(
          hash_of(fmt::format("seed {}\n", point.seed + static_cast<std::uint64_t>(repetition)), of_point));
  }
}

}  // namespace headway
