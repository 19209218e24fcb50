// SPDX-License-Identifier: Apache-2.0
// The examples: every spec is valid, its page in docs/gallery has its text and its content, and the results
// that the page shows are not those of a run that is too short. tools/recording.py --check runs what the
// pages show.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

const fs::path kExamples = fs::path(kSourceDir) / "examples";

std::vector<std::string> names_of_examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string quoted(const std::string& name) { return "'" + (kExamples / (name + ".toml")).string() + "'"; }

class Examples : public ShellTest {};

class EveryExample : public ShellTest, public testing::WithParamInterface<std::string> {};

TEST_P(EveryExample, IsValidAndOnItsPage) {
  const Outcome checked = shell("headway check " + quoted(GetParam()));
  EXPECT_EQ(checked.code, 0) << checked.err;
  const std::string page = repository_file("docs/gallery/" + GetParam() + ".md");
  std::istringstream spec(repository_file("examples/" + GetParam() + ".toml"));
  for (std::string line; std::getline(spec, line);) {
    if (line.starts_with("#:schema")) continue;
    const std::size_t text = line.find_first_not_of("# ");
    if (text != std::string::npos)
      EXPECT_THAT(page, HasSubstr(line.substr(text))) << "run ./dev docs gallery";
  }
}

TEST_P(EveryExample, ShowsNumbersThatCanBeTrusted) {
  const std::string page = repository_file("docs/gallery/" + GetParam() + ".md");
  for (const char* status : {"  too_short  ", "  deadlock  ", "  unfinished  "})
    EXPECT_THAT(page, testing::Not(HasSubstr(status)));
  if (page.find("not_steady") != std::string::npos) EXPECT_THAT(page, HasSubstr("\"not_steady\""));
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryExample, testing::ValuesIn(names_of_examples()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST_F(Examples, HaveTheTreeThatABuyerOf36PortSwitchesGets) {
  const Outcome resolved = shell("headway check --resolved " + quoted("2048-nodes-36-ports"));
  EXPECT_THAT(resolved.out, HasSubstr("children = [16, 16, 8]"));
  EXPECT_THAT(resolved.out, HasSubstr("parents = [1, 8, 4]"));
  EXPECT_THAT(resolved.out, HasSubstr("links = [1, 1, 4]"));
}

}  // namespace
}  // namespace headway::test
