// SPDX-License-Identifier: Apache-2.0
#include "headway/config/row_reader.h"

#include <algorithm>

#include "headway/base/paths.h"
#include "headway/config/nearest.h"

namespace headway {

NumberedNames::NumberedNames(std::string what, std::uint32_t count, const std::vector<std::string>& names)
    : what_(std::move(what)), count_(count) {
  for (std::uint32_t number = 0; number < names.size(); ++number) number_of_.emplace(names[number], number);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> NumberedNames::find(std::string_view word) const {
  if (const auto found = number_of_.find(word); found != number_of_.end())
    return std::pair{found->second, found->second};
  const std::size_t dash = word.find('-');
  const auto first = whole_number(word.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole_number(word.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= count_) return std::nullopt;
  return std::pair{*first, *last};
}

std::optional<std::uint32_t> NumberedNames::single(std::string_view word) const {
  const auto range = find(word);
  return range && range->first == range->second ? std::optional(range->first) : std::nullopt;
}

std::string NumberedNames::no_such(std::string_view word) const {
  return "there is no " + what_ + " \"" + std::string(word) + "\"";
}

std::string NumberedNames::hint(std::string_view word) const {
  std::vector<std::string_view> known;
  if (!whole_number(word))
    for (const auto& [name, number] : number_of_) known.push_back(name);
  if (const auto found = nearest(word, known)) return "did you mean \"" + std::string(*found) + "\"?";
  return count_ == 0 ? "" : "0 to " + std::to_string(count_ - 1);
}

RowReader::RowReader(const InputFile& file, std::string key, Mistakes& mistakes)
    : RowReader(file.text(key, mistakes), short_path(file.path()), key, mistakes) {}

bool RowReader::next() {
  constexpr std::string_view kBlanks = " \t\r\f\v";
  words_.clear();
  while (!rest_.empty() && words_.empty()) {
    ++line_;
    whole_ = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(whole_.size() + 1, rest_.size()));
    std::string_view line = whole_.substr(0, whole_.find('#'));
    for (;;) {
      line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
      if (line.empty()) break;
      words_.push_back(line.substr(0, line.find_first_of(kBlanks)));
      line.remove_prefix(words_.back().size());
    }
  }
  return !words_.empty();
}

void RowReader::wrong_at(std::uint32_t line, std::string message, std::string hint) {
  if (++wrong_ > kMostShown) return;
  Mistake mistake{key_, std::move(message), std::move(hint), place(line)};
  mistakes_.add(std::move(mistake));
}

void RowReader::finish() {
  if (!has_unlisted()) return;
  Mistake mistake{key_, "and " + std::to_string(wrong_ - kMostShown) + " more mistakes in this file", "",
                  file_};
  mistakes_.add(std::move(mistake));
}

}  // namespace headway
