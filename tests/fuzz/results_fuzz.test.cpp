// SPDX-License-Identifier: Apache-2.0
// Results directories with damaged files. The next run with this directory gives the same results as the
// first, or reports what is wrong. It never accepts results that it did not write.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/mutate.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSpec = R"(seeds = 2
[network]
k = 2
n = 2
[measure]
warmup = "0 us"
duration = "4 us"
bin = "1 us"
tables = ["per-destination"]
[sweep]
"traffic.flow.load" = [0.2, 0.6, 1.0]
)";

// Files that contain results.
constexpr std::string_view kResults[] = {"results.json", "results.csv", "series.csv", "per_destination.csv"};

class ResultsFuzz : public testing::Test {
 protected:
  ResultsFuzz() {
    write_bytes(temporary_.path() / "spec.toml", kSpec);
    expect_none(run_in_children(1, [&](std::uint64_t) { return run_into(whole_).fault; }),
                [](std::uint64_t) { return "the first run"; });
  }

  struct Outcome {
    int code;
    std::string fault;
  };

  // `headway run`, in this process.
  Outcome run_into(const fs::path& directory) const {
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const fs::path said = temporary_.path() / "said";
    const std::unique_ptr<std::FILE, decltype(close)> out(std::fopen("/dev/null", "w"), close);
    std::unique_ptr<std::FILE, decltype(close)> err(std::fopen(said.c_str(), "w"), close);
    cli::Terminal terminal(out.get(), err.get());
    const int code = cli::run_program(
        {"run", (temporary_.path() / "spec.toml").string(), "--jobs", "1", "--out", directory.string()},
        terminal);
    err.reset();
    const std::string error = bytes_of_file(said);
    if (code != cli::kFine && error.empty()) return {code, fmt::format("exit code {} without a word", code)};
    if (code != cli::kFine && code != cli::kFailed && code != cli::kBadInput)
      return {code, fmt::format("exit code {}: {}", code, error)};
    if (error.find("out of memory") != std::string::npos || error.find("bug in headway") != std::string::npos)
      return {code, error};
    if (visible_lines(error) != error) return {code, "a control character in: " + error};
    return {code, ""};
  }

  // Runs with a copy of the results directory in which one file is changed.
  std::string fault_with(const std::string& name, std::string_view content) const {
    const fs::path copy = temporary_.path() / "copy";
    fs::remove_all(copy);
    fs::copy(whole_, copy);
    write_bytes(copy / name, content);
    const Outcome outcome = run_into(copy);
    if (!outcome.fault.empty() || outcome.code != cli::kFine) return outcome.fault;
    for (const std::string_view result : kResults)
      if (bytes_of_file(copy / result) != bytes_of_file(whole_ / result))
        return fmt::format("{} has changed:\n{}", result, bytes_of_file(copy / result));
    return "";
  }

  const TemporaryFolder temporary_;
  const fs::path whole_ = temporary_.path() / "whole";
};

TEST_F(ResultsFuzz, NeverBelievesADamagedJournal) {
  const std::string journal = bytes_of_file(whole_ / "journal.jsonl");
  ASSERT_FALSE(journal.empty());
  const auto changed = [&](std::uint64_t number) {
    Rng rng(8, number);
    std::string text = journal;
    mutate_text(text, rng);
    return text;
  };
  expect_none(run_in_children(cases(100, 5000),
                              [&](std::uint64_t i) { return fault_with("journal.jsonl", changed(i)); }),
              [&](std::uint64_t i) { return shortened(changed(i)); });
}

TEST_F(ResultsFuzz, SurvivesChangesOfEveryFile) {
  std::vector<SeedFile> files;
  for (const auto& entry : fs::directory_iterator(whole_))
    if (entry.is_regular_file())
      files.push_back({entry.path().filename().string(), bytes_of_file(entry.path())});
  std::ranges::sort(files, {}, &SeedFile::name);
  const auto changed = [&](std::uint64_t number) {
    Rng rng(9, number);
    SeedFile file = files[number % files.size()];
    mutate_text(file.text, rng);
    return file;
  };
  expect_none(run_in_children(cases(60, 2000),
                              [&](std::uint64_t i) {
                                const SeedFile file = changed(i);
                                return fault_with(file.name, file.text);
                              }),
              [&](std::uint64_t i) { return changed(i).name + ":\n" + shortened(changed(i).text); });
}

}  // namespace
}  // namespace headway::test
