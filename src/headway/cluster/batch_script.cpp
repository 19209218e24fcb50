// SPDX-License-Identifier: Apache-2.0
#include "headway/cluster/batch_script.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "headway/base/shell_word.h"
#include "headway/base/version.h"
#include "headway/run/results.h"

namespace headway {
namespace {

// Every option begins a line; a word without a dash is the value of the option before it.
std::string option_lines(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (word.starts_with('-') || text.empty() ? "\n#SBATCH " : " ") + shell_word(word);
  return text.empty() ? "" : "# Options of the command line." + text + "\n";
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t size = ::read(descriptor, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

std::string batch_script(const BatchJob& job) {
  constexpr std::uint64_t kMiB = 1 << 20;
  const std::string directory = shell_word(job.directory);
  return fmt::format(
      R"(#!/bin/bash
# Written by '{written_by}' (headway {version}).
# Change it as you like, and submit it with: sbatch {script}
#
# Every task of the array simulates one part of {shards} of the sweep ({what})
# and writes a journal of its own in {directory}/shards.
#SBATCH --array=1-{shards}
#SBATCH --job-name=headway
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}M
#SBATCH --time={hours}:{minutes:02}:00
#SBATCH --chdir={folder}
#SBATCH --output={logs}/%a.txt
#SBATCH --open-mode=append
# Slurm puts a task back into the queue if its node fails or another job needs its place. No finished run is lost.
#SBATCH --requeue
# Two minutes before the time limit, Slurm sends this signal to this script.
#SBATCH --signal=B:USR1@120
{options}
headway={program}

# Then the task goes back into the queue, too, and continues later. The limit stops a task whose runs are all too long.
back_into_the_queue() {{
  if [ "${{SLURM_RESTART_COUNT:-0}}" -lt 50 ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
  fi
}}
trap back_into_the_queue USR1

simulate() {{
  "$headway" run {spec} --out {directory} \
    --shard "$SLURM_ARRAY_TASK_ID/{shards}" --jobs "$SLURM_CPUS_PER_TASK" &
  wait $!
}}

# A network file system can hold the locks of a node that failed for some time. So a task that fails tries once more.
simulate || {{ sleep 100; simulate; }}
)",
      fmt::arg("written_by", job.written_by), fmt::arg("version", version()),
      fmt::arg("script", shell_word(job.directory + "/submit.sh")), fmt::arg("shards", job.shards),
      fmt::arg("what", job.what), fmt::arg("directory", directory), fmt::arg("cores", job.cores),
      fmt::arg("memory", (job.memory + kMiB - 1) / kMiB), fmt::arg("hours", job.minutes / 60),
      fmt::arg("minutes", job.minutes % 60), fmt::arg("folder", shell_word(job.folder)),
      fmt::arg("logs", shell_word(job.directory + "/logs")), fmt::arg("options", option_lines(job.options)),
      fmt::arg("program", shell_word(job.program)), fmt::arg("spec", shell_words(job.spec)));
}

bool has_sbatch() {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): before any thread
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((std::filesystem::path(folder) / "sbatch").c_str(), X_OK) == 0) return true;
  return false;
}

std::string submit(const std::string& script) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "sbatch");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  std::array<std::string, 3> words = {"sbatch", "--parsable", script};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  const std::string said = error == 0 ? read_all(pipe[0]) : "";
  ::close(pipe[0]);
  if (error != 0) throw std::system_error(error, std::generic_category(), "cannot run sbatch");
  int status = 0;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  if (status != 0)
    throw NoResult(
        fmt::format("sbatch refuses {}; its message is above. Change the script, or give options "
                    "behind --",
                    script));
  return said.substr(0, said.find_first_of(";\n"));  // "JOB" or "JOB;CLUSTER"
}

}  // namespace headway
