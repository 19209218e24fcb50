// SPDX-License-Identifier: Apache-2.0
// What a file is: the formats in the order in which they are asked, and files that are known and not
// imported, with the reason.
#include "headway/imports/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "headway/base/parse_number.h"
#include "headway/base/small_letters.h"
#include "headway/config/parameter_values.h"
#include "headway/imports/import.h"
#include "headway/imports/text_rows.h"
#include "headway/programs/file_program.h"
#include "headway/programs/kind.h"

namespace headway::imports {

Format booksim(), htsim(), hpcc(), caminos();
Format graphml(), dot(), edge_list(), adjacency_list(), adjacency_matrix();
Format anynet(), hpcc_topology(), simai_topology(), astra_sim();
Format ibnetdiscover(), ibnetdiscover_ports(), iblinkinfo();

namespace {

// Formats whose content says clearly what it is come first, those of plain rows last.
const std::array<Format, 16>& all_formats() {
  static const std::array<Format, 16> kFormats = {graphml(),
                                                  dot(),
                                                  caminos(),
                                                  hpcc(),
                                                  astra_sim(),
                                                  iblinkinfo(),
                                                  ibnetdiscover_ports(),
                                                  ibnetdiscover(),
                                                  anynet(),
                                                  booksim(),
                                                  htsim(),
                                                  simai_topology(),
                                                  hpcc_topology(),
                                                  adjacency_matrix(),
                                                  adjacency_list(),
                                                  edge_list()};
  return kFormats;
}
constexpr std::size_t kPlainFormats = 3;  // at the end

bool begins_with(std::string_view text, std::string_view word) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with(word);
}

// The first row of Inet's files counts nodes and links, and rows of nodes and links follow.
bool is_inet(std::string_view text) {
  const TextRows rows = rows_of(text);
  if (rows.rows.size() < 4 || rows.rows[0].words.size() != 2 || rows.rows[1].words.size() != 3) return false;
  const auto nodes = parse_number<std::uint64_t>(rows.rows[0].words[0]),
             links = parse_number<std::uint64_t>(rows.rows[0].words[1]);
  return nodes && links && *nodes < rows.rows.size() && *links < rows.rows.size() &&
         *nodes + *links + 1 == rows.rows.size();
}

struct KnownElsewhere {
  bool (*is_it)(std::string_view text);
  std::string_view what, hint;
};
constexpr KnownElsewhere kKnownElsewhere[] = {
    {[](std::string_view text) { return text.find('\0') != std::string_view::npos; }, "is not a text",
     "Chakra traces and the like are files of jobs (docs/program-files.md)"},
    {[](std::string_view text) { return has_line(text, "[[switch]]") || has_line(text, "[[node]]"); },
     "is a network file of Headway already", "name it in a spec: topology = \"file\" (docs/files.md)"},
    {[](std::string_view text) { return has_line(text, "[network]") || has_line(text, "[traffic]"); },
     "is a spec of Headway already", "headway run runs it"},
    {[](std::string_view text) { return begins_with(text, "<"); }, "is XML, but not GraphML",
     "a graph in GraphML begins with <graphml>"},
    {is_lft_dump, "has forwarding tables without a fabric",
     "give the output of ibnetdiscover first, then this file"},
    {is_inet, "is a topology of Inet, with places of nodes",
     "the rows of links, without those above them, are an edge list"},
};

}  // namespace

bool is_lft_dump(std::string_view text) { return has_line(text, "Unicast"); }

std::span<const Format> formats() { return all_formats(); }

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  std::ranges::sort(names);
  return names;
}

const Format* find_format(std::string_view name) {
  const auto found = std::ranges::find(formats(), name, &Format::name);
  return found == formats().end() ? nullptr : &*found;
}

const Format& format_of(const std::vector<Source>& sources) {
  const auto clear = formats().first(formats().size() - kPlainFormats), plain = formats().last(kPlainFormats);
  for (const Format& format : clear)
    for (const Source& source : sources)
      if (format.recognises(source.text)) return format;
  const Source& first = sources.front();
  for (const KnownElsewhere& known : kKnownElsewhere)
    if (known.is_it(first.text))
      throw SpecError("FILE", std::string(known.what), std::string(known.hint), first.path);
  if (const std::string_view program = program_in(first.text); !program.empty())
    throw SpecError("FILE", fmt::format("is a program ({}), without a network", program),
                    "a job of a spec reads it as it is (docs/program-files.md)", first.path);
  for (const Format& format : plain)
    if (format.recognises(first.text)) return format;
  throw SpecError("FILE", "is of no format that is known",
                  fmt::format("--from names one: {}", list_text(format_names(), "or")), first.path);
}

std::string without_comments_of_any(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    kept += line.substr(0, std::min(line.find("//"), line.find('#')));
    kept += '\n';
  }
  std::string result;
  std::string_view rest = kept;
  for (std::size_t begin = rest.find("/*"); begin != std::string_view::npos; begin = rest.find("/*")) {
    result += rest.substr(0, begin);
    const std::size_t end = rest.find("*/", begin + 2);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  }
  return result += rest;
}

bool has_line(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return in_small_letters(a) == in_small_letters(b); };
  for (std::size_t begin = 0; begin < text.size();) {
    begin = text.find_first_not_of(" \t\r\n", begin);
    if (begin == std::string_view::npos) return false;
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    const std::string_view first = line.substr(0, line.find_first_of(" \t\r{=;"));
    if (std::ranges::equal(first, word, same)) return true;
    begin += line.size();
  }
  return false;
}

bool is_astra_text(std::string_view text) {
  return program_in(std::string(text.substr(0, 4096))) == "astra-sim";
}
bool is_hpcc_flows(std::string_view text) { return program_in(std::string(text.substr(0, 4096))) == "hpcc"; }
bool is_htsim_matrix(std::string_view text) { return text.find("Connections") != std::string_view::npos; }

std::string_view program_in(const std::string& text) {
  for (const Choice<ProgramKind>& choice : file_programs())
    if (dynamic_cast<const FileProgram&>(*choice).recognises(std::string_view(text).substr(0, 1 << 16)))
      return choice.name;
  return "";
}

}  // namespace headway::imports
