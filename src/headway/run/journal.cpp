// SPDX-License-Identifier: Apache-2.0
#include "headway/run/journal.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

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

constexpr std::string_view kStart = "{\"sum\": \"", kAfterSum = "\", ";
constexpr std::size_t kSumDigits = 16;

// `add` adds what the sum is of, without the last brace.
template <class Add>
std::string line_of(const Add& add) {
  std::string line(kStart);
  line.append(kSumDigits, '0').append(kAfterSum);
  const std::size_t said = line.size();
  add(line);
  line += '}';
  line.replace(kStart.size(), kSumDigits, in_hex(hash_of(std::string_view(line).substr(said))));
  return line += '\n';
}

// Gives a valid line to the reader. Returns false for any other.
bool read_line(std::string_view line, const JournalReader& reader) {
  const std::string_view whole = line;
  if (!take(line, kStart)) return false;
  const auto sum = take_hex(line);
  if (!sum || !take(line, kAfterSum) || hash_of(line) != *sum || !line.ends_with('}')) return false;
  if (take(line, "\"note\": ")) {
    if (reader.on_note) reader.on_note(line.substr(0, line.size() - 1));
    return true;
  }
  if (!take(line, "\"key\": \"")) return false;
  const auto key = take_hex(line);
  if (!key || !take(line, "\", \"result\": ")) return false;
  reader.on_run(*key, line.substr(0, line.size() - 1), whole);
  return true;
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
      if (end != std::string_view::npos) return line;
    }
  }

 private:
  OpenFile file_;
  std::string buffer_;
  std::string_view rest_;  // of the buffer
};

bool ends_a_line(const std::filesystem::path& path) {
  OpenFile file(path.string());
  const std::uint64_t size = file.size();
  if (size == 0) return true;
  char last = 0;
  file.go_to(size - 1);
  file.read({&last, 1});
  return last == '\n';
}

}  // namespace

std::size_t read_journal(const std::filesystem::path& path, const JournalReader& reader) {
  std::size_t damaged = 0;
  Lines lines(path.string());
  while (const auto line = lines.next())
    if (!read_line(*line, reader)) ++damaged;
  return damaged;
}

Journal::Journal(const std::filesystem::path& path) : file_(path) {
  if (locked() && !ends_a_line(path)) file_.append("\n");
}

void Journal::add(std::uint64_t key, const Result& result) {
  append(line_of([&](std::string& line) {
    line += fmt::format("\"key\": \"{}\", \"result\": ", in_hex(key));
    append_result(line, result);
  }));
}

void Journal::add_note(std::string_view note) {
  append(line_of([&](std::string& line) { line += fmt::format("\"note\": {}", note); }));
}

void Journal::add_line(std::string_view line) { append(std::string(line) + '\n'); }

void Journal::append(std::string_view line) {
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
