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
#include <variant>

#include "headway/catalogue/explain.h"
#include "headway/catalogue/names.h"
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
  const std::vector<std::string_view> topics = catalogue::topics();
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

// What an explanation says of one meaning of a name.
struct Shown {
  std::string_view name;

  std::string operator()(const catalogue::Key* key) const { return key->path + ": " + key->row.help; }
  std::string operator()(const catalogue::MemberOf& of) const {
    return of.family->key + " = \"" + std::string(name);
  }
  // The explanation of a metric of the run names the tables whose rows have it.
  std::string operator()(const Metric* metric) const {
    const bool is_of_rows = !metric->table.empty() && find_table(metric->table) != nullptr &&
                            find_metric(name) != nullptr &&
                            column_of_rows(*find_table(metric->table), name) != nullptr;
    return is_of_rows ? "as NAME." + std::string(name) : std::string(metric->help);
  }
  std::string operator()(const TableKind* table) const {
    return std::string(table->name) + ": a table of results";
  }
  std::string operator()(catalogue::Word word) const {
    return word == catalogue::Word::status ? "status: " : "limited_by: ";
  }
  std::string operator()(const catalogue::ValueOf& of) const {
    return std::string(name) + ": a value of " + of.key;
  }
};

// Whatever its case, a name is explained with all that has it here, and before what other tools call so. The
// last part of a key is enough.
TEST(OtherNames, HideNothingOfOurs) {
  for (const catalogue::Name& entry : catalogue::names()) {
    const std::string name(entry.name.substr(entry.name.rfind('.') + 1)), text = catalogue::explained(name);
    const std::size_t elsewhere = std::min(text.find("What other tools call "), text.size());
    EXPECT_LT(text.find(std::visit(Shown{name}, entry.meaning)), elsewhere) << name << "\n" << text;
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
  expect("rail", "\n  rails  ");
  expect("NVLink", "\n  rails  ");
  expect("slurm", "\n  headway submit ");
  expect("VC", "What other tools call VC is here:\n  switch.virtual_channels  ");
  expect("VC", "\n  switch.lanes ");
  expect("topologies", "network.topology: ");
  expect("host", "\n  node  ");
  expect("GPU", "\n  rails  ");
  expect("ToR", "\n  docs/fabrics.md ");
  expect("AllReduce", "\n  all-reduce ");
}

TEST(Explained, EveryTopic) {
  for (const std::string_view topic : catalogue::topics())
    EXPECT_NE(catalogue::explained(topic), "") << topic;
}

}  // namespace
}  // namespace headway
