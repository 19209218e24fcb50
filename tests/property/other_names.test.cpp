// SPDX-License-Identifier: Apache-2.0
// Every name of other tools leads to a name that exists here, and `headway explain` knows it.
#include "headway/config/other_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "headway/catalogue/explain.h"
#include "headway/catalogue/keys.h"
#include "headway/cli/command.h"
#include "headway/cli/parse.h"
#include "tests/cli/repository.h"

namespace headway {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(OtherNames, LeadToNamesThatExist) {
  const std::vector<std::string> topics = catalogue::topics();
  std::set<std::string, std::less<>> names(topics.begin(), topics.end()), of_program{"headway --version"};
  for (const cli::Command& command : cli::commands()) {
    const std::string called = "headway " + std::string(command.name);
    of_program.insert(called);
    for (const cli::Flag& flag : cli::all_flags(command))
      of_program.insert(called + " " + std::string(flag.name()));
  }
  for (const auto& [ours, others] : other_names()) {
    EXPECT_TRUE(names.contains(ours) || of_program.contains(ours) ||
                (ours.ends_with(".md") && !test::repository_file(ours).empty()))
        << ours;
    for (const std::string& name : words_of(others)) {
      EXPECT_TRUE(std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      })) << name;
      EXPECT_NE(name, ours);
    }
  }
}

// The rows of "What other tools call NAME is here:".
std::set<std::string> called_so_elsewhere(const std::string& text, const std::string& name) {
  const std::string heading = "What other tools call " + name + " is here:\n";
  const std::size_t begin = text.find(heading);
  std::set<std::string> ours;
  if (begin == std::string::npos) return ours;
  std::istringstream lines(text.substr(begin + heading.size()));
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");)
    if (line[2] != ' ') ours.insert(line.substr(2, line.find("  ", 2) - 2));
  return ours;
}

std::string in_capitals(std::string name) {
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

TEST(OtherNames, AreExplainedEvenIfSomethingHereIsCalledSo) {
  for (const auto& [ours, others] : other_names())
    for (const std::string& name : words_of(others))
      for (const std::string& written : {name, in_capitals(name)}) {
        const std::string text = catalogue::explained(written);
        EXPECT_TRUE(called_so_elsewhere(text, written).contains(std::string(ours))) << written << "\n"
                                                                                    << text;
        EXPECT_NE(text.find("\n  " + std::string(ours) + "  "), std::string::npos) << text;
        EXPECT_FALSE(std::regex_search(text, std::regex("\n  " + std::string(ours) + " +(\n|$)"))) << text;
      }
}

// Whatever its case, a name is explained with all that has it here, and before what other tools call so.
TEST(OtherNames, HideNothingOfOurs) {
  const std::vector<catalogue::Key> keys = catalogue::keys();
  const std::vector<catalogue::NamedValues> all_values = catalogue::named_values({});
  for (const std::string& topic : catalogue::topics()) {
    const std::string name = topic.substr(topic.rfind('.') + 1), text = catalogue::explained(name);
    const std::size_t elsewhere = std::min(text.find("What other tools call "), text.size());
    EXPECT_GT(elsewhere, 0U) << name;
    for (const catalogue::Key& key : keys)
      if (key.row.name == name)
        EXPECT_LT(text.find(key.path + ": " + key.row.help), elsewhere) << name << "\n" << text;
    for (const catalogue::Family& family : catalogue::families())
      for (const catalogue::Member& member : family.members)
        if (member.name == name)
          EXPECT_LT(text.find(std::string(family.key) + " = \"" + name), elsewhere) << name;
    for (const catalogue::NamedValues& values : all_values)
      if (std::ranges::find(values.names, name) != values.names.end())
        EXPECT_LT(text.find(name + ": a value of " + values.key), elsewhere) << name << "\n" << text;
    const bool is_pattern =
        in_capitals(name) != name && std::regex_search(name, std::regex("[A-Z]"));  // cfqs_stage_S
    EXPECT_EQ(catalogue::explained(in_capitals(name)).empty(), is_pattern) << name;
  }
}

TEST(OtherNames, AbbreviationsOfTheFieldLeadToNamesHere) {
  const auto expect = [](const char* word, const char* ours) {
    EXPECT_NE(catalogue::explained(word).find(ours), std::string::npos) << word << "\n"
                                                                        << catalogue::explained(word);
  };
  expect("ECMP", "routing.algorithm = \"ecmp\"");
  expect("PFC", "switch.flow_control = \"pfc\"");
  expect("DCQCN", "node.reaction = \"dcqcn\"");
  expect("TIMELY", "node.reaction = \"timely\"");
  expect("NIC", "\n  node  ");
  expect("rail", "\n  file  ");
  expect("NVLink", "\n  file  ");
  expect("slurm", "\n  headway submit ");
  expect("VC", "What other tools call VC is here:\n  switch.virtual_channels  ");
  expect("VC", "\n  switch.lanes ");
  expect("topologies", "network.topology: ");
}

TEST(Explained, EveryTopic) {
  for (const std::string& topic : catalogue::topics()) EXPECT_NE(catalogue::explained(topic), "") << topic;
}

}  // namespace
}  // namespace headway
