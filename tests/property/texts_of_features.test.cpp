// SPDX-License-Identifier: Apache-2.0
// Texts in the code that name features agree with the registries: every key that a help text, a mistake or a
// hint names exists, hints name no element of a list that the spec may not have, and nothing is denied that
// exists. The texts are read from the sources, so a new one is tested as soon as it is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "headway/catalogue/names.h"
#include "headway/cli/command.h"
#include "headway/compile/load.h"
#include "headway/config/other_names.h"
#include "headway/config/toml.h"
#include "tests/cli/repository.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string, std::less<>>;

struct Text {
  std::string file;
  std::string text;
};

// The string literals of C++, those that follow each other as one.
std::vector<std::string> literals_of(const std::string& code) {
  std::vector<std::string> found;
  bool joins = false;  // nothing but blanks since the last literal
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (code.compare(at, 2, "//") == 0) {
      at = std::min(code.find('\n', at), code.size());
    } else if (c == '\'') {  // a character
      at += code[at + 1] == '\\' ? 3 : 2;
      joins = false;
    } else if (code.compare(at, 3, "R\"(") == 0) {
      const std::size_t end = std::min(code.find(")\"", at), code.size());
      found.push_back(code.substr(at + 3, end - at - 3));
      at = end + 1;
      joins = false;
    } else if (c == '"') {
      std::string text;
      for (++at; at < code.size() && code[at] != '"'; ++at) {
        const bool escaped = code[at] == '\\';
        if (escaped) ++at;
        text += escaped && code[at] == 'n' ? '\n' : code[at];
      }
      if (joins)
        found.back() += text;
      else
        found.push_back(text);
      joins = true;
    } else if (c != ' ' && c != '\n') {
      joins = false;
    }
  }
  return found;
}

std::vector<Text> texts_in_code() {
  std::vector<Text> all;
  const fs::path root = fs::path(kSourceDir) / "src" / "headway";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string file = fs::relative(entry.path(), kSourceDir).string();
    const bool is_source = file.ends_with(".cpp") || file.ends_with(".h");
    if (!is_source || file.find(".test.") != file.npos || file.find(".bench.") != file.npos) continue;
    for (const std::string& text : literals_of(test::repository_file(file))) all.push_back({file, text});
  }
  return all;
}

// Keys of specs, and the beginnings of their paths.
Words keys_of_specs() {
  Words keys;
  for (const catalogue::Key& key : catalogue::keys()) {
    const std::string& path = key.path;
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1))
      keys.insert(path.substr(0, dot));
    keys.insert(path);
  }
  keys.insert({"sweep.zip", "traffic.storage.load"});  // a list of tables of a sweep; a flow by its name
  return keys;
}

// The dotted keys that a text names, without the indices of lists.
std::vector<std::string> keys_named_in(const std::string& text) {
  static const std::regex key(
      R"((^|[^A-Za-z0-9_./-])((network|routing|switch|node|class|traffic|measure|observe|units|seeds|sweep)(\[[^\]]*\])?(\.[a-z_]+(\[[^\]]*\])?)+))"),
      index(R"(\[[^\]]*\])");
  std::vector<std::string> keys;
  for (std::sregex_iterator at(text.begin(), text.end(), key), end; at != end; ++at)
    if (const std::string named = std::regex_replace((*at)[2].str(), index, ""); !named.ends_with(".toml"))
      keys.push_back(named);
  return keys;
}

// Network files have keys of their own, which their reader and their writer name.
bool has_keys_of_specs(const std::string& file) {
  return file != "src/headway/topology/network_file.cpp" && file != "src/headway/imports/network_draft.cpp";
}

TEST(TextsOfFeatures, NameKeysThatExist) {
  const Words keys = keys_of_specs();
  std::size_t seen = 0;
  for (const auto& [file, text] : texts_in_code())
    if (has_keys_of_specs(file))
      for (const std::string& key : keys_named_in(text)) {
        ++seen;
        EXPECT_TRUE(keys.contains(key)) << file << ": " << key << " in \"" << text << "\"";
      }
  EXPECT_GT(seen, 150U);
  EXPECT_FALSE(keys.contains("network.cycles"));
  EXPECT_EQ(keys_named_in("set observe.waiting = true; see traffic.flow[{}].load, /switch.x"),
            (std::vector<std::string>{"observe.waiting", "traffic.flow.load"}));
}

// `--set traffic.flow[0].x` makes a flow where there is none.
TEST(TextsOfFeatures, HintsNameOnlyElementsThatTheSpecHas) {
  static const std::regex element(
      R"((^|[ `"'])set ([^;]* )?(traffic\.(flow|trace|job)|class|node\.receiver)\[[0-9]+\])");
  for (const auto& [file, text] : texts_in_code())
    EXPECT_FALSE(std::regex_search(text, element)) << file << ": " << text;
  EXPECT_TRUE(std::regex_search(std::string("set traffic.flow[0].service_level"), element));
}

// The advice for lanes names the traffic that the spec has.
TEST(TextsOfFeatures, AdviceForLanesNamesTheTrafficThatIsThere) {
  const auto advice = [](const std::string& text) -> std::string {
    try {
      load_experiment(parse_toml(text, "x.toml"));
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  const std::string job = test::repository_file("tests/findings/lanes-advice.toml");
  EXPECT_NE(advice(job).find("set traffic.job[0].service_level, "), std::string::npos) << advice(job);
  const std::string flow = job.substr(0, job.find("[[traffic.job]]")) + "[[traffic.flow]]\n";
  EXPECT_NE(advice(flow).find("set traffic.flow[0].service_level, "), std::string::npos) << advice(flow);
}

TEST(TextsOfFeatures, NameCommandsThatExist) {
  static const std::regex named(R"(['`]headway ([a-z]+))");
  Words commands;
  for (const cli::Command& command : cli::commands()) commands.emplace(command.name);
  std::size_t seen = 0;
  for (const auto& [file, text] : texts_in_code())
    for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
      ++seen;
      EXPECT_TRUE(commands.contains((*at)[1].str())) << file << ": " << text;
    }
  EXPECT_GT(seen, 20U);
}

// What the field calls by capital letters and Headway has: members of families, and names of other tools that
// lead to one of our names.
bool exists(const std::string& word) {
  static const Words kNoFeatures = {"programs", "traces", "topologies"};  // HPCC and CSV are names of files
  std::string small = word;
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const catalogue::Family& family : catalogue::families())
    if (!kNoFeatures.contains(family.name))
      for (const catalogue::Member& member : family.members)
        if (member.name == small) return true;
  const auto is_ours = [](std::string_view ours) {
    return !ours.starts_with("headway ") && !ours.ends_with(".md");
  };
  return std::ranges::any_of(called_here(small), is_ours);
}

std::vector<std::string> denied_in(const std::string& text) {
  static const std::regex denial(
      R"(no counterpart|without counterpart|has no |have no |there (is|are) no|not supported|not slowed|does not have|no such)"),
      word("(^|[^A-Za-z0-9_])([A-Z][A-Z0-9]{2,})($|[^A-Za-z0-9_])");
  std::vector<std::string> denied;
  if (!std::regex_search(text, denial)) return denied;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
    if (exists((*at)[2])) denied.push_back((*at)[2]);
  return denied;
}

TEST(TextsOfFeatures, DenyNothingThatExists) {
  for (const auto& [file, text] : texts_in_code())
    EXPECT_EQ(denied_in(text), std::vector<std::string>{}) << file << ": " << text;
  std::istringstream lines(test::repository_file("docs/coming-from.md"));
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(denied_in(line), std::vector<std::string>{}) << "docs/coming-from.md: " << line;
  EXPECT_EQ(denied_in("| windows, INT, PFC, traces | named, no counterpart |"),
            std::vector<std::string>{"PFC"});
  EXPECT_EQ(denied_in("TIMELY and DCTCP; flows are not slowed down here"),
            std::vector<std::string>{"TIMELY"});
  EXPECT_EQ(denied_in("there is no TCP"), std::vector<std::string>{});
}

}  // namespace
}  // namespace headway
