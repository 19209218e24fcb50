// SPDX-License-Identifier: Apache-2.0
// Every name of other tools leads to a name that exists here, and `headway explain` knows it.
#include "headway/config/other_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "headway/catalogue/explain.h"
#include "headway/catalogue/keys.h"
#include "headway/cli/command.h"
#include "headway/cli/parse.h"

namespace headway {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(OtherNames, LeadToNamesThatExist) {
  const std::vector<std::string> topics = catalogue::topics();
  std::set<std::string, std::less<>> names(topics.begin(), topics.end()), of_program{"--version"};
  for (const cli::Command& command : cli::commands()) {
    of_program.emplace(command.name);
    for (const cli::Flag& flag : cli::all_flags(command)) of_program.emplace(flag.name());
  }
  for (const auto& [ours, others] : other_names()) {
    EXPECT_TRUE(names.contains(ours) || of_program.contains(ours)) << ours;
    for (const std::string& name : words_of(others)) {
      EXPECT_TRUE(std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      })) << name;
      EXPECT_NE(name, ours);
    }
  }
}

TEST(OtherNames, AreExplained) {
  for (const auto& [ours, others] : other_names())
    for (const std::string& name : words_of(others)) {
      const std::vector<std::string_view> meanings = called_here(name);
      EXPECT_EQ(std::ranges::count(meanings, ours), 1) << name << ": " << ours;
    }
  const std::string text = catalogue::explained("VC");
  EXPECT_NE(text.find("VC has another name here:\n  switch.virtual_channels "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  switch.lanes "), std::string::npos) << text;
}

TEST(Explained, EveryTopic) {
  for (const std::string& topic : catalogue::topics()) EXPECT_NE(catalogue::explained(topic), "") << topic;
}

}  // namespace
}  // namespace headway
