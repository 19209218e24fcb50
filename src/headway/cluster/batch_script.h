// SPDX-License-Identifier: Apache-2.0
// The script of an array job of Slurm that simulates the shards of a sweep. People read and change it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headway {

struct BatchJob {
  std::string written_by;         // the command
  std::string program;            // path of headway on the nodes
  std::string folder;             // in which the command was called
  std::vector<std::string> spec;  // the words that name the experiment: SPEC --set KEY=VALUE ...
  std::string directory;          // of --out
  std::string what;               // "200 runs, about 3.2 core hours"
  std::uint64_t shards = 1;
  unsigned cores = 1;                     // of a task
  std::uint64_t memory = 0;               // bytes of a task
  std::uint64_t minutes = 1;              // time limit of a task
  std::vector<std::string> options = {};  // words of further options of sbatch
};

std::string batch_script(const BatchJob& job);

// Submits a script. Returns the number of the job. Throws NoResult if there is no sbatch, or if it refuses
// the script.
std::string submit(const std::string& script);
bool has_sbatch();

}  // namespace headway
