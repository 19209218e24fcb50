// SPDX-License-Identifier: Apache-2.0
// Linux reports memory in several places: sysconf and /proc/meminfo for the machine, the files of control
// groups for containers (Linux documentation, admin-guide/cgroup-v2 and cgroup-v1/memory), getrlimit for
// `ulimit`. A place that cannot be read sets no limit.
#include "headway/compile/machine.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace headway {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct Memory {
  std::uint64_t limit = kUnlimited;
  std::uint64_t free = kUnlimited;

  void restrict_to(std::uint64_t other_limit, std::uint64_t taken) {
    limit = std::min(limit, other_limit);
    free = std::min(free, other_limit - std::min(taken, other_limit));
  }
};

std::uint64_t page() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

// The number in a file with one number; `otherwise` if it contains a word such as "max".
std::uint64_t number_in(const fs::path& file, std::uint64_t otherwise) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? number : otherwise;
}

// The number after a name in a file of lines "name number".
std::uint64_t number_of(const fs::path& file, std::string_view name, std::uint64_t otherwise) {
  std::ifstream stream(file);
  std::string word;
  for (std::uint64_t number = 0; stream >> word; stream.ignore(kUnlimited >> 1, '\n'))
    if (word == name) return stream >> number ? number : otherwise;
  return otherwise;
}

Memory of_machine() {
  const std::uint64_t all = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page();
  return {all, std::min(all, number_of("/proc/meminfo", "MemAvailable:", all / 1024) * 1024)};
}

// A group is limited by its own limit and by those of all enclosing groups. File caches are released when
// needed.
void restrict_to_group(Memory& memory, const fs::path& root, fs::path group, const char* limit,
                       const char* usage) {
  for (;; group = group.parent_path()) {
    const fs::path here = root / group.relative_path();
    if (const std::uint64_t most = number_in(here / limit, kUnlimited); most != kUnlimited) {
      const std::uint64_t cached = number_of(here / "memory.stat", "inactive_file", 0);
      const std::uint64_t taken = number_in(here / usage, 0);
      memory.restrict_to(most, taken - std::min(cached, taken));
    }
    if (!group.has_relative_path()) return;
  }
}

void restrict_to_groups(Memory& memory) {
  std::ifstream groups("/proc/self/cgroup");  // "number:controllers:path"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty())
      restrict_to_group(memory, "/sys/fs/cgroup", path, "memory.max", "memory.current");
    else if (controllers == "memory")
      restrict_to_group(memory, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                        "memory.usage_in_bytes");
  }
}

void restrict_to_user(Memory& memory) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory.restrict_to(limit.rlim_cur, number_in("/proc/self/statm", 0) * page());
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory.restrict_to(limit.rlim_cur, number_of("/proc/self/status", "VmData:", 0) * 1024);
}

Memory memory() {
  Memory result = of_machine();
  restrict_to_groups(result);
  restrict_to_user(result);
  return result;
}

}  // namespace

std::uint64_t machine_memory() {
  static const std::uint64_t limit = memory().limit;  // cached, because checks ask for every point of a sweep
  return limit;
}

std::uint64_t available_memory() { return memory().free; }

std::string memory_text(std::uint64_t bytes) {
  constexpr double kGiB = 1 << 30, kMiB = 1 << 20;
  const auto amount = static_cast<double>(bytes);
  return amount >= kGiB ? fmt::format("{:.1f} GiB", amount / kGiB) : fmt::format("{:.0f} MiB", amount / kMiB);
}

}  // namespace headway
