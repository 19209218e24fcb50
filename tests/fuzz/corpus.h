// SPDX-License-Identifier: Apache-2.0
// The specs of the repository as a start for fuzzing: those of papers and tests, and those in README.md and
// docs/.
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

// Examples of files that specs name: a network, its routes, a permutation, and a trace of every format.
std::vector<SeedFile> seed_files();

// A spec that uses the file with this name as its network, routes, permutation or trace.
std::string spec_with(std::string_view file);

// A temporary folder, which the destructor removes.
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
std::string bytes_of_file(const std::filesystem::path& path);

}  // namespace headway::test
