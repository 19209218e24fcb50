// SPDX-License-Identifier: Apache-2.0
#include "headway/run/journal.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "headway/base/hash.h"
#include "headway/base/input_file.h"
#include "headway/run/results.h"

namespace headway {
namespace {

std::string in_hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

// Removes `text` from the front, if it is there.
bool take(std::string_view& line, std::string_view text) {
  if (!line.starts_with(text)) return false;
  line.remove_prefix(text.size());
  return true;
}

std::optional<std::uint64_t> take_hex(std::string_view& line) {
  constexpr std::size_t kDigits = 16;
  const std::string digits(line.substr(0, kDigits));
  if (digits.size() < kDigits || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  line.remove_prefix(kDigits);
  return std::stoull(digits, nullptr, 16);
}

std::string line_of(std::uint64_t key, const Result& result) {
  constexpr std::string_view kStart = "{\"sum\": \"", kAfterSum = "\", ";
  constexpr std::size_t kDigits = 16;
  std::string line(kStart);
  line.append(kDigits, '0').append(kAfterSum);
  const std::size_t said = line.size();
  line += fmt::format("\"key\": \"{}\", \"result\": ", in_hex(key));
  append_result(line, result);
  line += '}';
  line.replace(kStart.size(), kDigits, in_hex(hash_of(std::string_view(line).substr(said))));
  return line += '\n';
}

// The key of a valid line, and the text of its result.
std::optional<std::pair<std::uint64_t, std::string_view>> read_line(std::string_view line) {
  if (!take(line, "{\"sum\": \"")) return std::nullopt;
  const auto sum = take_hex(line);
  if (!sum || !take(line, "\", ") || hash_of(line) != *sum || !take(line, "\"key\": \"")) return std::nullopt;
  const auto key = take_hex(line);
  if (!key || !take(line, "\", \"result\": ") || !line.ends_with('}')) return std::nullopt;
  return std::pair(*key, line.substr(0, line.size() - 1));
}

// The lines of a file; the last line can be without a line end.
class Lines {
 public:
  explicit Lines(const std::string& path) : file_(path), buffer_(std::size_t{1} << 16, '\0') {}

  // The next line without its line end; nullopt after the last one.
  std::optional<std::string> next() {
    std::string line;
    for (;;) {
      if (rest_.empty()) {
        rest_ = {buffer_.data(), file_.read(buffer_)};
        if (rest_.empty()) return line.empty() ? std::nullopt : std::optional(line);
      }
      const std::size_t end = rest_.find('\n');
      line += rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ended_ = end != std::string_view::npos;
      if (ended_) return line;
    }
  }
  bool ended() const { return ended_; }  // true if the last returned line had a line end

 private:
  OpenFile file_;
  std::string buffer_;
  std::string_view rest_;  // of the buffer
  bool ended_ = true;
};

}  // namespace

Journal::Journal(const std::filesystem::path& path, const std::function<bool(std::uint64_t)>& wanted,
                 const std::function<void(std::uint64_t, Result)>& take)
    : file_(path) {
  Lines lines(path.string());
  while (const auto line = lines.next()) {
    const auto said = read_line(*line);
    if (said && !wanted(said->first)) {
      others_.insert(said->first);
      continue;
    }
    try {
      if (said) take(said->first, read_result(said->second));
    } catch (const NoResult&) {
      ++damaged_;
    }
    if (!said) ++damaged_;
  }
  if (!lines.ended()) file_.append("\n");
}

void Journal::add(std::uint64_t key, const Result& result) {
  const std::string line = line_of(key, result);
  const std::scoped_lock lock(mutex_);
  file_.append(line);
  unsynced_ = true;
}

bool Journal::sync() {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(unsynced_, false)) return false;
  }
  file_.sync();
  return true;
}

bool Journal::sync_if_due(Clock::time_point now) {
  if (now - synced_ < kBetweenSyncs || !sync()) return false;
  synced_ = now;
  return true;
}

}  // namespace headway
