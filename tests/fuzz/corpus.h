// SPDX-License-Identifier: Apache-2.0
// The specs of the repository, to start fuzzing from: those of the papers and the tests, and what README.md
// and docs/ show.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headway::test {

struct SeedFile {
  std::string name;  // "obqa/figure-5a.toml"
  std::string text;
};

// Specs, in an order that does not depend on the file system.
std::vector<SeedFile> seed_specs();

// The paper files and claims of the repository: papers/KEY/paper.toml and claims.toml.
std::vector<SeedFile> seed_papers();

// Files that specs name: a network, its routes, a permutation, and a trace of every format.
std::vector<SeedFile> seed_files();

// A spec whose network, routes, permutation or trace is the file of that name.
std::string spec_with(std::string_view file);

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Writes to a file, replacing it.
void write_bytes(const std::filesystem::path& path, std::string_view bytes);
// All that is in a file.
std::string bytes_of_file(const std::filesystem::path& path);

}  // namespace headway::test
