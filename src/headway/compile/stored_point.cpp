// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/stored_point.h"

#include <fmt/format.h>

#include <utility>

#include "headway/base/hash.h"
#include "headway/compile/experiment.h"
#include "headway/compile/memory.h"
#include "headway/compile/run_scope.h"
#include "headway/config/toml.h"
#include "headway/metrics/metric.h"
#include "headway/spec/spec_files.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

std::uint64_t hash_of_metrics() {
  std::uint64_t hash = 0;
  for (const Metric& metric : all_metrics())
    hash = hash_of(fmt::format("{} {}\n", metric.table, metric.name), hash);
  return hash;
}

// Size of the snapshots of a run: 500 of a jammed tree with 2304 ports take 2.4 MB.
double snapshot_bytes(const EventSpec& spec) {
  constexpr double kOfAPort = 4;
  const double snapshots = (spec.measure.duration.ns / spec.observe.interval.ns).to_double();
  const auto ports =
      static_cast<double>(spec.network.topology->switch_ports() + spec.network.topology->links_of_nodes());
  return snapshots * ports * kOfAPort;
}

// Upper bound of the text size of a result: every number has 20 characters in the journal, the JSON and the
// tables.
constexpr double kOfANumber = 20 * 3;

// Choice: a critical path visits as many operations as a rank of the job has. It can visit more where ranks
// wait for each other in turn, but all operations of a job would be far too many.
double most_bytes_of(const EventSpec& spec, const RunWork& work) {
  constexpr double kLinksPerNode = 10;
  const double links = kLinksPerNode * static_cast<double>(spec.network.topology->links_of_nodes());
  TableBounds most = table_bounds(spec, links, most_pair_rows(spec, spec.network.link.rate));
  most.roots = links;  // what keeps packets waiting: fewer rows than there are links
  for (const JobWork& job : work.jobs) {
    const double operations = static_cast<double>(job.operations) * job.copies;
    most.operations += operations;
    most.path_operations += operations / job.ranks;
  }
  return most_numbers(scope_of(spec), most) * kOfANumber + (spec.observe.keep ? snapshot_bytes(spec) : 0);
}

double most_bytes_of(const Spec& spec, const RunWork& work) {
  const Kernel* const other = other_kernel(spec);
  return other == nullptr ? most_bytes_of(std::get<EventSpec>(spec), work)
                          : other->most_numbers() * kOfANumber;
}

bool keeps(const Spec& spec) {
  const auto* const event_driven = std::get_if<EventSpec>(&spec);
  return event_driven != nullptr && event_driven->observe.keep;
}

}  // namespace

std::uint64_t content_of(Document written) {
  static const std::uint64_t metrics = hash_of_metrics();
  written.set("seed", Document(std::int64_t{0}));
  if (written.find("observe.keep") != nullptr) written.set("observe.keep", Document(false));
  return hash_of(write_toml(written), metrics);
}

StoredPoint stored_point(const Spec& spec, const RunWork& work, Document written) {
  return {.content = content_of(std::move(written)),
          .most_bytes = most_bytes_of(spec, work),
          .keeps = keeps(spec)};
}

StoredPoint stored_point(const Spec& spec, const RunWork& work, const InputFile::Progress& progress) {
  Document written = resolved(spec);
  for (const auto& [name, file] : file_keys_of(spec))
    written.set(name, Document(fmt::format("{:016x}", file.hash(progress))));
  return stored_point(spec, work, std::move(written));
}

}  // namespace headway
