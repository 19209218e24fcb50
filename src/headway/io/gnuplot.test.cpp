// SPDX-License-Identifier: Apache-2.0
// gnuplot draws any text as it is and executes nothing in it.
#include "headway/io/gnuplot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/base/visible.h"
#include "headway/io/atomic_file.h"
#include "tests/support/dice.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

class Gnuplot : public testing::Test {
 protected:
  Gnuplot() {
    fs::create_directories(directory_);
    write_file(directory_ / "data.csv", "0,0\n");
  }
  ~Gnuplot() override { fs::remove_all(directory_); }

  // The texts that the picture shows for these labels, in order.
  std::vector<std::string> drawn(const std::vector<std::string>& labels) const {
    std::string script =
        "set encoding utf8\nset terminal svg noenhanced\nset output 'out.svg'\nunset tics\nunset key\n";
    for (const std::string& label : labels)
      script += fmt::format("set label {} at screen 0.5, screen 0.5\n", gnuplot_text(label));
    write_file(directory_ / "test.gp",
               script + "set datafile separator comma\nplot 'data.csv' with points\n");
    EXPECT_EQ(run_gnuplot(directory_, "test.gp"), "");
    return texts(read_text(directory_ / "out.svg"));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  // The text of all <text> elements, with XML escapes decoded.
  static std::vector<std::string> texts(const std::string& svg) {
    std::vector<std::string> found;
    for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at)) {
      const std::size_t from = svg.find('>', at) + 1, to = svg.find('<', from);
      EXPECT_EQ(svg.substr(to, 7), "</text>");
      found.emplace_back();
      for (std::size_t i = from; i < to; ++i) {
        constexpr std::pair<std::string_view, char> kEntities[] = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
        char letter = svg[i];
        for (const auto& [entity, meant] : kEntities)
          if (svg.compare(i, entity.size(), entity) == 0) {
            letter = meant;
            i += entity.size() - 1;
            break;
          }
        found.back() += letter;
      }
      EXPECT_EQ(svg.substr(from, to - from).find("]]>"), std::string::npos) << "XML forbids it in text";
      at = to;
    }
    return found;
  }

  fs::path directory_ = fs::path(testing::TempDir()) / ("gnuplot" + std::to_string(getpid()));
};

TEST_F(Gnuplot, DrawsEveryByteAsItself) {
  std::vector<std::string> labels;
  for (int byte = 0; byte < 256; ++byte) labels.push_back(fmt::format("[{}]", static_cast<char>(byte)));
  const std::vector<std::string> texts = drawn(labels);
  ASSERT_EQ(texts.size(), labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(texts[i], visible(labels[i]));
}

TEST_F(Gnuplot, TextThatWantsToBeMoreIsDrawn) {
  const std::vector<std::string> labels = {
      "`touch PWNED`",
      "'`touch PWNED`.csv.zst'",
      "' . system('touch PWNED') . '",
      "'\nsystem('touch PWNED')\n#",
      "\"; system(\"touch PWNED\"); \"",
      "'",
      "''",
      "'''",
      "a''b",
      "a''''. system('touch PWNED') .''''b",
      std::string(300, '\''),
      "x\\",
      "\\'",
      "'' \\n \\x0a \\t",
      "$(touch PWNED) @ARGS %s %n {/Symbol a} a_b^c {/:Bold x} &{x} ~a{.8-}",
      "\\U+1F600",
      "<script>alert(1)</script> &amp; &#10;",
      "µs – Ω 日本 😀",
      "# not a comment; nor an end",
      std::string(20'000, 'x')};
  const std::vector<std::string> texts = drawn(labels);
  ASSERT_EQ(texts.size(), labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(texts[i], visible(labels[i]));
  EXPECT_EQ(files(), (std::vector<std::string>{"data.csv", "out.svg", "test.gp"}));
}

TEST_F(Gnuplot, DrawsAnyTextAsItself) {
  test::Dice dice(1);
  std::vector<std::string> labels;
  for (const std::string letters : {"'\"`\\$@%#&<>{}()[]_^~!;:|\n\r\t ab0µ", "'\"@xy", "'\"\\`t"})
    for (int i = 0; i < 500; ++i) {
      std::string& label = labels.emplace_back("|");
      for (int length = 0; length < 12; ++length)
        label += letters[dice.from(0, static_cast<std::uint32_t>(letters.size()) - 1)];
      label += '|';
    }
  const std::vector<std::string> texts = drawn(labels);
  ASSERT_EQ(texts.size(), labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::string expected = visible(labels[i]);
    for (std::size_t at = expected.find("]]>"); at != std::string::npos; at = expected.find("]]>"))
      expected.insert(at + 2, " ");
    EXPECT_EQ(texts[i], expected);
  }
}

TEST_F(Gnuplot, WorksInADirectoryOfAnyName) {
  for (const char* name :
       {"~", "plain", "a b'c\"d", "`touch PWNED`", "@x\\n\001$(1)", "]]>", "caf\xc3\xa9 \xff\n1"}) {
    const fs::path directory = directory_ / name;
    fs::create_directories(directory);
    write_file(directory / "test.gp", "set print 'said'\nprint 1\n");
    EXPECT_EQ(run_gnuplot(directory, "test.gp"), "") << name;
    EXPECT_EQ(read_text(directory / "said"), "1\n") << name;
  }
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  write_file("~/test.gp", "set print 'again'\nprint 1\n");
  EXPECT_EQ(run_gnuplot("~", "test.gp"), "");
  EXPECT_TRUE(fs::exists("~/again"));
  fs::current_path(before);
}

TEST_F(Gnuplot, SaysWhatWentWrong) {
  write_file(directory_ / "test.gp", "plot nonsense\n");
  EXPECT_NE(run_gnuplot(directory_, "test.gp").find("undefined variable: nonsense"), std::string::npos);
  EXPECT_FALSE(fs::exists(directory_ / "gnuplot.log"));
}

TEST_F(Gnuplot, TakesNoSettingsOfTheUser) {
  write_file(directory_ / ".gnuplot", "system('touch PWNED')\n");
  const char* home = getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  setenv("HOME", directory_.c_str(), 1);
  drawn({"x"});
  setenv("HOME", before.c_str(), 1);
  EXPECT_FALSE(fs::exists(directory_ / "PWNED"));
}

}  // namespace
}  // namespace headway
