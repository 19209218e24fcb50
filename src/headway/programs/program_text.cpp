// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "headway/config/nearest.h"

namespace headway {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool ProgramText::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    before_ += begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  return got > 0;
}

std::string_view ProgramText::ahead(std::size_t count) {
  while (end_ - begin_ < count && fill()) {
  }
  return {buffer_.data() + begin_, std::min(count, end_ - begin_)};
}

std::string_view ProgramText::take(std::size_t count) {
  const std::string_view taken = ahead(count);
  begin_ += taken.size();
  return taken;
}

bool ProgramText::next() {
  if (wrong_ >= kMostCounted) return false;
  for (std::size_t searched = 0;;) {
    const char* const from = buffer_.data() + begin_;
    const void* const found = std::memchr(from + searched, '\n', end_ - begin_ - searched);
    searched =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - from) : end_ - begin_;
    if (found == nullptr && searched < kLongestLine && fill()) continue;
    if (found == nullptr && searched == 0) return false;
    line_ = {buffer_.data() + begin_, searched};
    begin_ += searched + (found != nullptr ? 1 : 0);
    number_ += number_ < UINT32_MAX;
    if (found == nullptr && searched >= kLongestLine) {
      report(WrongLine{{}, fmt::format("the line has more than {} characters", kLongestLine)});
      wrong_ = kMostCounted;
      return false;
    }
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return true;
  }
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
  while (size < rest_.size() && !is_blank(rest_[size])) ++size;
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
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
