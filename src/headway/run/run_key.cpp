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

// Part of the key, because all results of a point must have the same metrics and columns: a build with other
// ones repeats the run.
std::uint64_t hash_of_metrics() {
  std::uint64_t hash = 0;
  for (const Metric& metric : all_metrics())
    hash = headway::hash_of(fmt::format("{} {}\n", metric.table, metric.name), hash);
  return hash;
}

}  // namespace

std::uint64_t key_of_point(Spec spec, const std::optional<SaturationSearch>& search,
                           const InputFile::Progress& progress) {
  seed_of(spec) = 0;
  if (auto* const event_driven = std::get_if<EventSpec>(&spec)) event_driven->observe.keep = false;
  Document described = resolved(spec);
  for (const auto& [name, file] : file_keys_of(spec))
    described.set(name, Document(fmt::format("{:016x}", file.hash(progress))));
  static const std::uint64_t metrics = hash_of_metrics();
  return hash_of(
      fmt::format("{}{}\nmodel {}\n", write_toml(described), search ? to_string(*search) : "", kModelVersion),
      metrics);
}

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed) {
  return hash_of(fmt::format("seed {}\n", seed), of_point);
}

}  // namespace headway
