// SPDX-License-Identifier: Apache-2.0
// What the pages that people write name exists: keys, metrics, columns, Python names, files and constants,
// and the numbers of a file format.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "headway/catalogue/names.h"
#include "headway/config/names.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/tables.h"
#include "headway/observe/snapshots.h"
#include "tests/cli/repository.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string, std::less<>>;

const fs::path kRoot = kSourceDir;

// Folders of the repository, without what is built in them.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(kRoot));
  return files;
}

std::vector<fs::path> files_of_repository() {
  std::vector<fs::path> files;
  for (const char* const folder : {"src", "tests", "docs", "tools", "papers", "studies", "examples", "bench",
                                   "cmake", "packaging", "python"})
    std::ranges::copy(files_below(kRoot / folder), std::back_inserter(files));
  for (const auto& entry : fs::directory_iterator(kRoot))
    if (entry.is_regular_file()) files.push_back(entry.path().filename());
  return files;
}

// Pages that the program or the tests write name what exists.
bool is_generated(const fs::path& page) {
  static const Words kGenerated = {"docs/keys.md", "docs/families.md",     "docs/metrics.md",
                                   "docs/cli.md",  "docs/reproduction.md", "docs/validation.md",
                                   "CHANGELOG.md"};
  return kGenerated.contains(page.string()) || page.string().starts_with("docs/gallery/");
}

std::vector<std::string> pages() {
  std::vector<std::string> pages;
  for (const fs::path& file : files_of_repository()) {
    const std::string top = file.begin()->string();
    if (file.extension() == ".md" && !is_generated(file) && top != "viewer" && top != "tests" &&
        top != "python")
      pages.push_back(file.string());
  }
  return pages;
}

// The texts in `backticks` of a page, without its blocks of code.
std::vector<std::string> code_of(const std::string& page) {
  static const std::regex code("`([^`]+)`");
  std::vector<std::string> found;
  std::istringstream lines(test::repository_file(page));
  bool within = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("```") != std::string::npos) within = !within;
    if (within) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at)
      found.push_back((*at)[1]);
  }
  return found;
}

// The names in source files with these endings.
Words identifiers(const std::vector<fs::path>& files, const Words& endings) {
  Words found;
  for (const fs::path& file : files) {
    if (!endings.contains(file.extension().string())) continue;
    std::string word;
    for (const char c : test::repository_file(file.string()) + '\n') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      if (!word.empty()) found.insert(word);
      word.clear();
    }
  }
  return found;
}

class NamesOfDocuments {
 public:
  NamesOfDocuments() {
    for (const catalogue::Key& key : catalogue::keys()) add_key(key.path);
    for (const Metric& metric : all_metrics()) numbers_.emplace(metric.name);
    for (const TableKind& table : result_tables())
      for (const Metric& column : table.columns) numbers_.emplace(column.name);
    for (const fs::path& file : files_of_repository())
      for (fs::path rest = file; !rest.empty(); rest = without_first(rest)) files_.insert(rest.string());
  }

  // Returns true if a text like "switch.scheme" or "storage.latency_mean_ns" names something.
  bool knows(const std::string& dotted) const {
    const std::string plain = std::regex_replace(dotted, std::regex(R"(\[[^\]]*\])"), "");
    const std::size_t dot = plain.rfind('.');
    const std::string first = plain.substr(0, plain.find('.')), last = plain.substr(dot + 1);
    static const Words kEndings = {"csv", "json", "jsonl", "toml", "md",  "svg", "pdf", "gp",  "txt",
                                   "log", "sh",   "snap",  "deb",  "whl", "et",  "gz",  "png", "html"};
    static const Words kPython = {"hw", "headway", "r", "s", "spec"};
    if (keys_.contains(plain) || is_key_of_a_named_flow(plain) || kEndings.contains(last)) return true;
    if (first == "numpy" || first == "concurrent") return true;  // modules of Python
    if (first == "points" || first == "claims") return true;     // fields of a JSON file
    if (kPython.contains(first) && is_python(plain.substr(first.size() + 1))) return true;
    return numbers_.contains(last) && !tops_.contains(first);
  }

  bool has_file(const std::string& name) const { return files_.contains(name); }

 private:
  static fs::path without_first(const fs::path& path) {
    fs::path rest;
    for (auto part = std::next(path.begin()); part != path.end(); ++part) rest /= *part;
    return rest;
  }

  // A key, and the ends of its path: "link.rate".
  void add_key(const std::string& path) {
    tops_.insert(path.substr(0, path.find('.')));
    for (std::size_t at = 0; at != std::string::npos; at = path.find('.', at + 1))
      keys_.insert(path.substr(at == 0 ? 0 : at + 1));
  }

  // traffic.storage.load, for a flow with this name
  bool is_key_of_a_named_flow(const std::string& plain) const {
    static const std::regex named(R"(traffic\.\w+\.(.*))");
    std::smatch found;
    if (!std::regex_match(plain, found, named)) return false;
    return keys_.contains("traffic.flow." + found[1].str()) ||
           keys_.contains("traffic.job." + found[1].str());
  }

  bool is_python(const std::string& names) const {
    std::istringstream parts(names);
    for (std::string part; std::getline(parts, part, '.');)
      if (!python_.contains(part) && find_metric(part) == nullptr && find_table(part) == nullptr)
        return false;
    return true;
  }

  Words python_ = identifiers(files_below(kRoot / "python" / "headway"), {".py"});
  Words keys_, tops_, numbers_, files_;
};

TEST(Documentation, NamesKeysMetricsAndPythonNamesThatExist) {
  const NamesOfDocuments names;
  static const std::regex name(R"(([a-z_0-9]+(\[[^\]]*\])*(\.[A-Za-z_0-9]+(\[[^\]]*\])*)+)( = .*)?)");
  std::size_t seen = 0;
  for (const std::string& page : pages())
    for (const std::string& code : code_of(page)) {
      std::smatch found;
      const bool is_source = code.ends_with(".cpp") || code.ends_with(".h") || code.ends_with(".py") ||
                             code.ends_with(".cmake") || code.ends_with(".ts") || code.ends_with(".def");
      if (is_source || !std::regex_match(code, found, name) ||
          code.find_first_not_of("0123456789.") == code.npos)
        continue;
      ++seen;
      EXPECT_TRUE(names.knows(found[1])) << page << ": " << code;
    }
  EXPECT_GT(seen, 200U);
  for (const char* const wrong :
       {"network.cycles", "switch.schema", "hw.simulate_all", "traffic.storage.loud", "storage.delay_ns"})
    EXPECT_FALSE(names.knows(wrong)) << wrong;
  for (const char* const right : {"routing.cycles", "traffic.flow[0].load", "hw.run", "traffic.storage.load",
                                  "storage.latency_mean_ns", "per_flow.csv", "points[].runs[].seed"})
    EXPECT_TRUE(names.knows(right)) << right;
}

// A path whose words are in capital letters stands for others: papers/KEY/README.md.
bool is_pattern(const std::string& path) {
  return std::regex_search(path, std::regex(R"((^|[/-])([A-Z]+|x)([./-]|$))")) &&
         !path.starts_with("README") && !path.starts_with("CONTRIBUTING") && !path.starts_with("CHANGELOG");
}

TEST(Documentation, NamesFilesAndConstantsThatExist) {
  const NamesOfDocuments names;
  static const std::regex constant("k[A-Z][A-Za-z0-9]*"),
      path(
          R"([\w.+-]+(/[\w.+-]+)*\.(cpp|h|py|cmake|ts|def|cxx)|(src|tests|tools|papers|studies|examples|bench|cmake|packaging|python|viewer|docs)/[\w./+-]*\.\w+)");
  const Words in_sources = identifiers(files_of_repository(), {".cpp", ".h", ".ts", ".def"});
  std::size_t files = 0, constants = 0;
  for (const std::string& page : pages())
    for (const std::string& code : code_of(page)) {
      if (std::regex_match(code, constant)) {
        ++constants;
        EXPECT_TRUE(in_sources.contains(code)) << page << ": " << code;
      }
      const bool is_elsewhere = code == "fmt/format.h" || code == "my.py" || code.starts_with("out/");
      if (!std::regex_match(code, path) || is_pattern(code) || is_elsewhere) continue;
      ++files;
      EXPECT_TRUE(names.has_file(code)) << page << ": " << code;
    }
  EXPECT_GT(files, 200U);
  EXPECT_GT(constants, 0U);
  EXPECT_FALSE(names.has_file("src/headway/observe/photograph.test.cpp"));
}

// "0 link, 1 crossbar, ..." of a list of names; those that a file can have.
template <class E>
std::string numbered(std::initializer_list<E> values) {
  std::string text;
  for (const E value : values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", static_cast<int>(value), name_of(value));
  return text;
}

template <class E>
std::string all_numbered() {
  std::string text;
  for (std::size_t i = 0; i < std::size(kNames<E>); ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", i, kNames<E>[i]);
  return text;
}

// docs/architecture.md answers where things are.
TEST(Documentation, ThingsAreWhereItSays) {
  const std::string page = test::repository_file("docs/architecture.md");
  const std::size_t begin = page.find("## Where is it?");
  ASSERT_NE(begin, std::string::npos);
  const std::string table = page.substr(begin, page.find("\n## ", begin) - begin);
  const std::regex row("\n\\| [^|]+\\? \\| `([^`]+)` \\| ([^|]+) \\|"), what("`([^`]+)`");
  std::size_t questions = 0;
  for (std::sregex_iterator at(table.begin(), table.end(), row), none; at != none; ++at, ++questions) {
    const std::string file = test::repository_file("src/headway/" + (*at)[1].str());
    const std::string there = (*at)[2].str();
    for (std::sregex_iterator thing(there.begin(), there.end(), what); thing != none; ++thing)
      EXPECT_THAT(file, ::testing::HasSubstr((*thing)[1].str())) << (*at)[1];
  }
  EXPECT_GE(questions, 10U);
}

// The comment of snapshot_format.h specifies a file, so its numbers are those of the code.
TEST(Documentation, NumbersOfSnapshotsAreThoseOfTheCode) {
  const std::string page = std::regex_replace(test::repository_file("src/headway/observe/snapshot_format.h"),
                                              std::regex("\n// +"), " ");
  using ::testing::HasSubstr;
  EXPECT_THAT(page, HasSubstr("its kind (" + all_numbered<RootKind>() + ")"));
  EXPECT_THAT(
      page,
      HasSubstr("class of its head: " +
                numbered({Waiting::room, Waiting::output, Waiting::serial, Waiting::input, Waiting::paused}) +
                "; 0 if it is empty"));
  std::string classes;  // the metrics of links are in the order of LinkTime
  int link_times = 0;
  for (const Metric& metric : all_metrics())
    if (metric.name.starts_with("links_") && !metric.name.ends_with("_se"))
      classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", link_times++, metric.name.substr(6));
  EXPECT_EQ(link_times, kLinkTimes);
  EXPECT_THAT(page, HasSubstr("class of the link that leaves it: " + classes + " "));
  // a line for each track
  const std::regex track("[a-z]+ +(port|queue|node)  ");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), track), {}),
            static_cast<std::ptrdiff_t>(kTracks));
}

// Papers are judged one by one, and both pages say how many of their claims hold.
TEST(Documentation, CountsOfClaimsAreTheSameOnBothPages) {
  const std::string judged = test::repository_file("docs/reproduction.md");
  const std::string summary = test::repository_file("docs/validation.md");
  const std::regex counts("\n(\\d+ claims: [^\n]*)\\.\n");
  std::size_t papers = 0;
  for (std::sregex_iterator at(judged.begin(), judged.end(), counts), none; at != none; ++at, ++papers)
    EXPECT_THAT(summary, testing::HasSubstr("| " + (*at)[1].str() + " |"));
  const std::regex begins("<!-- begin ");
  EXPECT_EQ(papers, static_cast<std::size_t>(
                        std::distance(std::sregex_iterator(judged.begin(), judged.end(), begins), {})));
  EXPECT_GT(papers, 0U);
}

}  // namespace
}  // namespace headway
