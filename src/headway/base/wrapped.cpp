// SPDX-License-Identifier: Apache-2.0
#include "headway/base/wrapped.h"

#include <algorithm>
#include <iterator>

namespace headway {
namespace {

// Where the rest of a line that is folded begins.
std::size_t fold_column(std::string_view line, std::size_t width, std::size_t hang) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  std::size_t column = start;
  for (std::size_t gap = line.find("  ", start); gap < line.size(); gap = line.find("  ", column)) {
    const std::size_t next = std::min(line.find_first_not_of(' ', gap), line.size());
    if (columns(line.substr(0, next)) > width / 2) break;
    column = next;
  }
  return column > start ? columns(line.substr(0, column)) : std::min(start + hang, width / 2);
}

bool is_numeral(char c) { return c >= '0' && c <= '9'; }

// Things that have numbers: "switch 3", "stages 0 and 1".
constexpr std::string_view kNumbered[] = {
    "bin",    "class", "destination", "figure",  "flow",    "group",     "host",   "iteration", "job",
    "lane",   "layer", "level",       "line",    "node",    "operation", "point",  "port",      "queue",
    "rank",   "root",  "row",         "section", "seed",    "shard",     "slot",   "stage",     "step",
    "switch", "table", "tag",         "task",    "theorem", "trace",     "version"};

bool is_numbered(std::string_view word) {
  std::string noun(word.substr(word.starts_with('(') ? 1 : 0));
  if (!noun.empty() && noun.front() >= 'A' && noun.front() <= 'Z') noun.front() += 'a' - 'A';
  const auto is = [&](std::string_view thing) {
    return std::ranges::find(kNumbered, thing) != std::end(kNumbered);
  };
  return is(noun) || (noun.ends_with("es") && is(std::string_view(noun).substr(0, noun.size() - 2))) ||
         (noun.ends_with('s') && is(std::string_view(noun).substr(0, noun.size() - 1)));
}

// Returns true if a line must not end between two words: a thing and its number ("stage 1"), a number and its
// unit ("64 KiB", "5 %", "12.3 ± 0.8 ns"). `of_thing`: the first one is the number of a thing.
bool belong_together(std::string_view first, bool of_thing, std::string_view second) {
  if (first.empty() || second.empty()) return false;
  if (first == "±") return true;
  if (is_numeral(second.front())) return is_numbered(first);
  return is_numeral(first.back()) && !of_thing;
}

// The end of the word at `start`; words that belong together are one word.
std::size_t end_of_word(std::string_view line, std::size_t start) {
  std::size_t end = std::min(line.find(' ', start), line.size());
  for (bool of_thing = false; end < line.size();) {
    const std::size_t next = std::min(line.find(' ', end + 1), line.size());
    const std::string_view first = line.substr(start, end - start),
                           second = line.substr(end + 1, next - end - 1);
    if (!belong_together(first, of_thing, second)) break;
    of_thing = first != "±" && is_numeral(second.front());
    start = end + 1;
    end = next;
  }
  return end;
}

}  // namespace

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (c & 0xC0) != 0x80 && static_cast<unsigned char>(c) < 0xf8; }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line(indent, ' ');
    for (std::string_view rest = text.substr(at, end - at); !rest.empty();) {
      const std::size_t space = end_of_word(rest, 0);
      const std::string_view word = rest.substr(0, space);
      if (line.size() > indent && columns(line) + 1 + columns(word) > width) {
        result += line + '\n';
        line.assign(indent, ' ');
      }
      if (line.size() > indent) line += ' ';
      line += word;
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    result += (line.size() > indent ? line : "") + '\n';
    at = end + 1;
  }
  return result;
}

std::string in_two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, text] : rows) width = std::max(width, columns(name));
  std::string result;
  for (const auto& [name, text] : rows)
    result += "  " + name + std::string(width + 2 - columns(name), ' ') + text + '\n';
  return result;
}

std::string folded(std::string_view text, std::size_t width, std::size_t hang) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (columns(line) > width) {
      const std::size_t column = fold_column(line, width, hang);
      std::size_t used = 0;  // columns of the line so far
      while (!line.empty()) {
        const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t word = end_of_word(line, blanks);
        const std::size_t more = columns(line.substr(0, word));
        if (used > column && used + more > width && blanks < word) {
          result += '\n' + std::string(column, ' ');
          used = column;
          line.remove_prefix(blanks);
          continue;
        }
        result += line.substr(0, word);
        used += more;
        line.remove_prefix(word);
      }
    } else {
      result += line;
    }
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace headway
