// SPDX-License-Identifier: Apache-2.0
// Deterministic fuzzing with random bytes and tokens, and with changes of every spec, network, route,
// permutation, trace and paper file of the repository. The short form has some hundred cases;
// HEADWAY_FUZZ=long has 20,000 specs. spec_fuzzer.cpp fuzzes endlessly.
#include "tests/fuzz/spec_fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "headway/config/toml.h"
#include "headway/papers/paper_file.h"
#include "test_paths.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/mutate.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTokens[] = {"[",          "]",       "[[",
                                        "]]",         "{",       "}",
                                        "=",          ".",       ",",
                                        "\n",         "\"",      "'",
                                        "\"\"\"",     "'''",     "#",
                                        "\\",         "1",       "-",
                                        "0x",         "1e999",   "nan",
                                        "inf",        "true",    "seed",
                                        "flow",       "k",       "switch",
                                        "sweep",      "\xff",    "\xef\xbb\xbf",
                                        "\\u0000",    "1/0 ns",  "9223372036854775807",
                                        "1979-05-27", "network", "link"};

// A folder with the files that the specs name.
class SpecFuzz : public testing::Test {
 protected:
  SpecFuzz() {
    for (const SeedFile& file : seed_files()) write_bytes(folder_ / file.name, file.text);
  }
  std::string place(std::string_view name) const { return (folder_ / name).string(); }

  // Runs `number` cases, each with a text that `text_of` makes from the case's random stream.
  void expect_located_errors(std::uint64_t seed, std::uint64_t number,
                             const std::function<std::string(Rng&)>& text_of) const {
    const auto text = [&](std::uint64_t i) {
      Rng rng(seed, i);
      return text_of(rng);
    };
    expect_none(run_in_children(number,
                                [&](std::uint64_t i) {
                                  checks_and_runs(text(i), place("spec.toml"), {}, i);
                                  return "";
                                }),
                [&](std::uint64_t i) { return shortened(text(i)); });
  }

  const TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

std::vector<Document> documents_of(const std::vector<SeedFile>& files) {
  std::vector<Document> documents;
  for (const SeedFile& file : files) documents.push_back(parse_toml(file.text, file.name));
  return documents;
}

// The text of a changed document; sometimes the text is changed, too.
std::string changed(const DocumentMutator& mutator, const std::vector<Document>& documents, Rng& rng) {
  Document document = any_of(documents, rng);
  mutator.mutate(document, rng);
  std::string text = write_toml(document);
  if (rng.below(8) == 0) mutate_text(text, rng);
  return text;
}

TEST_F(SpecFuzz, SeedsAreValid) {
  const std::vector<SeedFile> specs = seed_specs();
  EXPECT_GE(specs.size(), 60U);
  std::size_t valid = 0;
  for (const SeedFile& spec : specs) valid += checks(spec.text, place("spec.toml")) ? 1 : 0;
  EXPECT_GE(valid, specs.size() * 9 / 10);  // a few blocks in the documents are only parts of specs
  for (const SeedFile& file : seed_files()) EXPECT_TRUE(checks(spec_with(file.name), place("spec.toml")));
}

TEST_F(SpecFuzz, SurvivesRandomBytes) {
  expect_located_errors(1, cases(2000, 20'000), [](Rng& rng) {
    std::string bytes(rng.below(64), ' ');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    return bytes;
  });
}

TEST_F(SpecFuzz, SurvivesRandomTokens) {
  expect_located_errors(2, cases(2000, 20'000), [](Rng& rng) {
    std::string bytes;
    for (std::uint32_t i = rng.below(24); i > 0; --i) bytes += any_of(kTokens, rng);
    return bytes;
  });
}

TEST_F(SpecFuzz, SurvivesChangesOfEverySpec) {
  const std::vector<Document> documents = documents_of(seed_specs());
  const DocumentMutator mutator(documents);
  expect_located_errors(3, cases(200, 20'000), [&](Rng& rng) { return changed(mutator, documents, rng); });
}

// Settings on the command line.
TEST_F(SpecFuzz, SurvivesSettingsBesideTheFile) {
  const std::vector<SeedFile> specs = seed_specs();
  const std::vector<Document> documents = documents_of(specs);
  const DocumentMutator mutator(documents);
  const auto settings = [&](std::uint64_t number) {
    Rng rng(5, number);
    std::vector<std::string> words;
    for (std::uint32_t i = 1 + rng.below(2); i > 0; --i) words.push_back(mutator.setting(rng));
    return words;
  };
  const auto spec = [&](std::uint64_t number) { return specs[mix64(number) % specs.size()].text; };
  expect_none(run_in_children(cases(100, 10'000),
                              [&](std::uint64_t i) -> std::string {
                                try {
                                  std::vector<Override> overrides;
                                  for (const std::string& word : settings(i)) {
                                    const std::size_t equals = word.find('=');
                                    const std::string key = word.substr(0, equals);
                                    overrides.push_back(
                                        {key, parse_toml_value(word.substr(equals + 1), "--set " + key)});
                                  }
                                  checks_and_runs(spec(i), place("spec.toml"), overrides, i);
                                } catch (const SpecError& error) {
                                  return fault_of(error);
                                }
                                return "";
                              }),
              [&](std::uint64_t i) {
                std::string text;
                for (const std::string& word : settings(i)) text += "--set '" + word + "'\n";
                return shortened(text + spec(i));
              });
}

// Networks, routes, permutations and traces.
TEST_F(SpecFuzz, SurvivesChangesOfEveryFileThatASpecNames) {
  const std::vector<SeedFile> files = seed_files();
  const std::vector<Document> network = {parse_toml(files[0].text, files[0].name)};
  const DocumentMutator mutator(network);
  const auto file = [&](std::uint64_t number) {
    Rng rng(6, number);
    SeedFile changed_file = files[number % files.size()];
    if (changed_file.name == files[0].name && rng.below(2) == 0)
      changed_file.text = changed(mutator, network, rng);
    else
      mutate_text(changed_file.text, rng);
    return changed_file;
  };
  expect_none(run_in_children(cases(200, 20'000),
                              [&](std::uint64_t i) {
                                const SeedFile now = file(i);
                                const std::string before = bytes_of_file(folder_ / now.name);
                                write_bytes(folder_ / now.name, now.text);
                                checks_and_runs(spec_with(now.name), place("spec.toml"), {}, i);
                                for (const SeedFile& whole : files)
                                  if (whole.name == now.name) write_bytes(folder_ / whole.name, whole.text);
                                return "";
                              }),
              [&](std::uint64_t i) { return file(i).name + ":\n" + shortened(file(i).text); });
}

TEST_F(SpecFuzz, SurvivesChangesOfEveryPaperFile) {
  fs::copy(fs::path(kSourceDir) / "papers", folder_ / "papers", fs::copy_options::recursive);
  const std::vector<SeedFile> files = seed_papers();
  const std::vector<Document> documents = documents_of(files);
  const DocumentMutator mutator(documents);
  const auto file = [&](std::uint64_t number) {
    Rng rng(7, number);
    SeedFile changed_file = files[number % files.size()];
    Document document = documents[number % files.size()];
    mutator.mutate(document, rng);
    changed_file.text = write_toml(document);
    if (rng.below(8) == 0) mutate_text(changed_file.text, rng);
    return changed_file;
  };
  expect_none(run_in_children(cases(100, 4000),
                              [&](std::uint64_t i) -> std::string {
                                const SeedFile now = file(i);
                                const fs::path path = folder_ / "papers" / now.name;
                                write_bytes(path, now.text);
                                std::string fault;
                                try {
                                  read_paper(path.parent_path());
                                } catch (const SpecError& error) {
                                  fault = fault_of(error);
                                }
                                write_bytes(path, files[i % files.size()].text);
                                return fault;
                              }),
              [&](std::uint64_t i) { return file(i).name + ":\n" + shortened(file(i).text); });
}

}  // namespace
}  // namespace headway::test
