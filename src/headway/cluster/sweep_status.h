// SPDX-License-Identifier: Apache-2.0
// How far the processes are that simulate an experiment into a directory (shard_journals.h). Reads the
// directory, and changes and locks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/config/names.h"
#include "headway/run/shard_journals.h"

namespace headway {

enum class ShardState {
  done,       // all its runs are there
  running,    // a process simulates it
  stopped,    // its last process was killed, interrupted or has another number of shards
  failed,     // its last process ended with an error
  not_begun,  // no process has begun
};
constexpr auto names_in_specs(ShardState) {
  return name_list("done", "running", "stopped", "failed", "not begun");
}

struct ShardStatus {
  Shard shard;
  ShardState state = ShardState::not_begun;
  std::size_t runs = 0;              // dealt to it; with SeedsUntil, as far as known
  std::size_t done = 0;              // of these
  std::optional<ShardProcess> last;  // of its processes
  std::optional<double> left_s;      // of a running one: expected, after its first run
};

struct SweepStatus {
  std::size_t runs = 0, done = 0;  // of the experiment
  bool whole_running = false;      // a command without --shard is at work
  std::vector<ShardStatus> shards;
  std::optional<double> left_s;  // until the last running shard is done; none if a shard does not say
};

// `now`: seconds since 1970.
SweepStatus status_of(const std::filesystem::path& directory, const Experiment& experiment, std::int64_t now);

}  // namespace headway
