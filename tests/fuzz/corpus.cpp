// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "test_paths.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/trace_bytes.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

// A small spec with nearly every key of flows, networks and measurements.
constexpr std::string_view kEverything = R"(seed = 3
seeds = 2
[network]
topology = "k-ary-n-tree"
k = 2
n = 3
link = { rate = "1.5 GB/s", delay = "4 ns" }
[switch]
scheme = "obqa"
queues = 4
input_memory = "4 KiB"
[[traffic.flow]]
sources = { fraction = 0.75 }
load = [["0 us", 0.0], ["3 us", 1.0]]
load_change = "ramp"
[[traffic.flow]]
sources = { rest = true }
pattern = "hotspot"
destination = 5
start = "1 us"
[measure]
warmup = "20 us"
duration = "50 us"
tables = ["per-destination", "fairness", "per-pair"]
[sweep]
"switch.scheme" = ["1q", "obqa", "dbbm"]
[[sweep.zip]]
"traffic.flow[0].load" = [0.2, 0.4]
"traffic.packet" = ["64 B", "128 B"]
)";

constexpr std::string_view kIsolationSpec = R"([network]
topology = "file"
file = "cluster.toml"
[routing]
algorithm = "table"
file = "routes.txt"
[switch]
scheme = "fbicm"
input_memory = "8 KiB"
[[traffic.flow]]
pattern = "permutation"
file = "permutation.txt"
load = 0.4
[[traffic.trace]]
format = "csv"
file = "trace.csv"
[measure]
warmup = "0 us"
duration = "20 us"
watch_destination = 3
)";

constexpr std::string_view kCluster = R"([[switch]]
name = "leaf0"
ports = 6
[[switch]]
name = "leaf1"
ports = 6
[[switch]]
name = "spine"
[[node]]
at = "leaf0:0"
name = "storage"
rate = "2 GB/s"
[[node]]
at = "leaf0"
count = 2
[[node]]
at = "leaf1"
count = 3
[[link]]
ends = ["leaf0:4", "spine:0"]
rate = "4 GB/s"
delay = "20 ns"
[[link]]
ends = ["leaf1:4", "spine:1"]
delay = "50 ns"
)";

constexpr std::string_view kRoutes = R"(# destinations and the port they leave by
switch leaf0
storage 0
1       1
2       2
3-5     4
switch leaf1
3       0
4       1
5       2
*       4
switch spine
0-2     0
3-5     1
)";

// The code blocks of a Markdown page in this language.
void add_blocks(const fs::path& page, std::vector<SeedFile>& found) {
  std::istringstream lines(bytes_of_file(page));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```toml";
      if (inside) found.push_back({page.filename().string(), ""});
    } else if (inside) {
      found.back().text += line + '\n';
    }
  }
}

std::vector<fs::path> toml_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

bool is_of_paper(const fs::path& path) {
  return path.filename() == "paper.toml" || path.filename() == "claims.toml";
}
// These take seconds, or need the files beside them.
bool is_of_remedies(const fs::path& path) { return path.parent_path().filename() == "remedies"; }

SeedFile file_at(const fs::path& path) {
  return {(path.parent_path().filename() / path.filename()).string(), bytes_of_file(path)};
}

}  // namespace

std::vector<SeedFile> seed_specs() {
  const fs::path source = kSourceDir;
  std::vector<SeedFile> specs = {{"everything", std::string(kEverything)},
                                 {"files", std::string(kIsolationSpec)}};
  for (const char* folder : {"papers", "tests"})
    for (const fs::path& path : toml_files(source / folder))
      if (!is_of_paper(path) && !is_of_remedies(path)) specs.push_back(file_at(path));
  std::vector<fs::path> pages = {source / "README.md"};
  for (const auto& entry : fs::directory_iterator(source / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::ranges::sort(pages);
  for (const fs::path& page : pages) add_blocks(page, specs);
  return specs;
}

std::vector<SeedFile> seed_papers() {
  std::vector<SeedFile> papers;
  for (const fs::path& path : toml_files(fs::path(kSourceDir) / "papers"))
    if (is_of_paper(path)) papers.push_back(file_at(path));
  return papers;
}

std::vector<SeedFile> seed_files() {
  std::vector<SeedFile> files = {{"cluster.toml", std::string(kCluster)},
                                 {"routes.txt", std::string(kRoutes)},
                                 {"permutation.txt", "1 2 3\n4 5 0\n"},
                                 {"queues.txt", "switch destination queue\nleaf0 1 2\nleaf1 2-4 1\n* * 0\n"},
                                 {"queues.npy", npy("'|u1'", "(6,)", std::string("\0\1\2\0\1\2", 6))},
                                 {"levels.txt", "source destination service_level\n* * 0\n1 2-3 4\n0 * 1\n"},
                                 {"levels.npy", npy("'|u1'", "(6,)", std::string("\0\1\2\0\1\2", 6))},
                                 {"lanes.txt", "service_level hop output lane\n* * * 0\n1 0 2 1\n2 * * 2\n"},
                                 {"lanes.npy", npy("'|u1'", "(3, 2)", std::string("\0\1\2\0\1\2", 6))},
                                 {"weights.txt", "source destination weight\n0 1 2.5\n1 0 1\n3 5 1e3\n"},
                                 {"weights.npy", npy("'|u1'", "(6, 6)", std::string(36, '\1'))}};
  const fs::path fabric = fs::path(kSourceDir) / "examples/fabric";
  files.push_back({"fabric.ibnetdiscover", bytes_of_file(fabric / "topology.ibnetdiscover")});
  files.push_back({"fabric.lfts", bytes_of_file(fabric / "routes.lfts")});
  for (const std::string_view format : file_formats())
    files.push_back({"trace." + std::string(format), sample_trace(format)});
  return files;
}

std::string spec_with(std::string_view file) {
  std::string spec = R"([measure]
warmup = "0 us"
duration = "20 us"
)";
  spec += "[switch]\ninput_memory = \"8 KiB\"\n";
  spec += file.starts_with("queues.") ? "scheme = \"table\"\nfile = \"" + std::string(file) + "\"\n"
                                      : "scheme = \"voqsw\"\n";
  if (file.starts_with("levels.")) spec += "lanes = 2\nservice_levels_file = \"" + std::string(file) + "\"\n";
  if (file.starts_with("lanes.")) spec += "lanes = 3\nlane_table_file = \"" + std::string(file) + "\"\n";
  if (file == "queues.npy") spec += "by = [\"destination\"]\n";
  if (file == "cluster.toml" || file == "routes.txt" || file == "queues.txt")
    spec += R"([network]
topology = "file"
file = "cluster.toml"
[routing]
algorithm = "table"
file = "routes.txt"
)";
  else if (file.starts_with("fabric."))
    spec += R"([network]
topology = "file"
file = "fabric.ibnetdiscover"
[routing]
algorithm = "table"
file = "fabric.lfts"
)";
  else
    spec += "[network]\nk = 6\nn = 1\n";
  if (file.starts_with("trace."))
    spec += "[traffic.trace]\nformat = \"" + std::string(file.substr(6)) + "\"\nfile = \"" +
            std::string(file) + "\"\n";
  else if (file.starts_with("weights."))
    spec += "[traffic.flow]\nload = 0.4\npattern = \"matrix\"\nfile = \"" + std::string(file) + "\"\n";
  else if (file == "permutation.txt")
    spec += "[traffic.flow]\nload = 0.4\npattern = \"permutation\"\nfile = \"permutation.txt\"\n";
  else
    spec += "[traffic.flow]\nload = 0.4\n";
  if (file.starts_with("lanes.")) spec += "service_level = 2\n";
  return spec;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = testing::TempDir() + "headway_fuzz_XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace headway::test
