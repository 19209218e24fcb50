// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "headway/config/nearest.h"

namespace headway {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool ends_word(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string_view ProgramText::take(std::size_t count) {
  const std::string_view taken = ahead(count);
  bytes_.take(taken.size());
  offset_ += taken.size();
  return taken;
}

bool ProgramText::next() {
  if (wrong_ >= kMostCounted) return false;
  std::string_view text = bytes_.buffered();
  std::size_t end = text.find('\n');
  while (end == std::string_view::npos && text.size() < kLongestLine) {
    const std::size_t searched = text.size();
    if (ahead(searched + 1).size() == searched) break;  // the file ends
    text = bytes_.buffered();
    end = text.find('\n', searched);
  }
  if (text.empty()) return false;
  line_ = text.substr(0, end);
  take(line_.size() + (end != std::string_view::npos ? 1 : 0));
  number_ += number_ < UINT32_MAX;
  if (end == std::string_view::npos && text.size() >= kLongestLine) {
    report(WrongLine{{}, fmt::format("the line has more than {} characters", kLongestLine)});
    wrong_ = kMostCounted;
    return false;
  }
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  return true;
}

void ProgramText::report_at(std::uint32_t line, const WrongLine& wrong) {
  if (line != 0 && line == last_wrong_) return;
  last_wrong_ = line;
  if (++wrong_ > kMostShown) return;
  const bool within = wrong.at.data() != nullptr && line == number_ && wrong.at.data() >= line_.data() &&
                      wrong.at.data() <= line_.data() + line_.size();
  const std::size_t column = within ? static_cast<std::size_t>(wrong.at.data() - line_.data()) + 1 : 1;
  shown_.add({.key = key_,
              .message = wrong.message,
              .hint = wrong.hint,
              .where = line == 0 ? name_ : fmt::format("{}:{}:{}", name_, line, column)});
}

void ProgramText::report(const WrongByte& wrong) {
  if (++wrong_ > kMostShown) return;
  shown_.add({.key = key_,
              .message = wrong.message,
              .hint = wrong.hint,
              .where = fmt::format("{} at byte {}{}{}", name_, wrong.at, wrong.within.empty() ? "" : " of ",
                                   wrong.within)});
}

void ProgramText::finish(Mistakes& mistakes) {
  for (Mistake& mistake : shown_.list()) mistakes.add(std::move(mistake));
  shown_.list().clear();
  if (wrong_ > kMostShown)
    mistakes.add({.key = key_,
                  .message = fmt::format("there are {}{} more mistakes",
                                         wrong_ >= kMostCounted ? "at least " : "", wrong_ - kMostShown),
                  .hint = "",
                  .where = name_});
}

std::string_view Words::word() {
  skip_blanks();
  std::size_t size = 0;
  while (size < rest_.size() && is_word(rest_[size])) ++size;
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
}

std::string_view Words::piece() {
  skip_blanks();
  std::size_t size = 0;
  while (size < rest_.size() && !ends_word(rest_[size])) ++size;
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
}

std::string_view Words::one_of(std::span<const std::string_view> valid, std::string_view otherwise) {
  const std::string_view at = rest(), found = word();
  const auto same = std::ranges::find(valid, found);
  if (same == valid.end())
    throw WrongLine{at, fmt::format("{}{}", otherwise, found_text(at)), hint_of(found, valid)};
  return *same;
}

void Words::expect_end(std::string_view of, std::string hint) {
  if (!at_end())
    throw WrongLine{rest_, fmt::format("the {} should end here, but {}", of, found_text(rest_)),
                    std::move(hint)};
}

std::uint64_t Words::number(std::string_view what, std::uint64_t most) {
  skip_blanks();
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (fault == std::errc::invalid_argument)
    throw WrongLine{rest_, fmt::format("{} is missing, {}", what, found_text(rest_)), "write a whole number"};
  if (fault != std::errc{} || value > most)
    throw WrongLine{rest_, fmt::format("{} is too large", what), fmt::format("at most {}", most)};
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::string found_text(std::string_view at) {
  Words words(at);
  if (words.at_end()) return "the line ends";
  std::string_view found = words.word();
  if (found.empty()) found = words.rest().substr(0, 1);
  constexpr std::size_t kMost = 40;
  return fmt::format("there is \"{}{}\"", found.substr(0, kMost), found.size() > kMost ? "..." : "");
}

std::string hint_of(std::string_view word, std::span<const std::string_view> valid) {
  if (const auto found = nearest(word, valid)) return fmt::format("did you mean \"{}\"?", *found);
  return fmt::format("valid here: {}", fmt::join(valid, ", "));
}

}  // namespace headway
