// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run_key.h"

#include <fmt/format.h>

#include "headway/base/hash.h"
#include "headway/base/version.h"
#include "headway/config/toml.h"
#include "headway/metrics/metric.h"
#include "headway/spec/spec_files.h"
#include "headway/spec/write_spec.h"

namespace headway {

namespace {

// Runs of builds with other metrics cannot be combined, so they do not have the same key.
std::string names_of_metrics() {
  std::string names;
  for (const Metric& metric : all_metrics()) names += fmt::format("{} {}\n", metric.table, metric.name);
  return names;
}

}  // namespace

std::uint64_t key_of_point(Spec spec, std::string_view method, const InputFile::Progress& progress) {
  seed_of(spec) = 0;
  if (auto* const event_driven = std::get_if<EventSpec>(&spec)) event_driven->observe.keep = false;
  std::uint64_t key = hash_of(fmt::format("{}{}\nmodel {}\nmetrics {}", write_toml(resolved(spec)), method,
                                          kModelVersion, names_of_metrics()));
  for (const InputFile& file : files_of(spec))
    key = hash_of(fmt::format("{:016x}\n", file.hash(progress)), key);
  return key;
}

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed) {
  return hash_of(fmt::format("seed {}\n", seed), of_point);
}

}  // namespace headway
