// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/import.h"

#include <algorithm>
#include <cctype>

#include "headway/base/error.h"
#include "headway/imports/checked.h"

namespace headway::imports {

Import import_booksim(const Source& source, Mistakes& mistakes);
Import import_caminos(const Source& source, Mistakes& mistakes);
// A topology, and perhaps a connection matrix.
Import import_htsim(const std::vector<Source>& sources, Mistakes& mistakes);
// A configuration, which names the files of a topology and of flows. The topology is read.
Import import_hpcc(const Source& source, const std::string& path, Mistakes& mistakes);

namespace {

// The text without comments, which can name another simulator.
std::string settings_in(const Source& source) {
  std::string text;
  for (std::size_t begin = 0; begin < source.text.size();) {
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    const std::string line = source.text.substr(begin, end - begin);
    const std::size_t comment = std::min(line.find("//"), line.find('#'));
    text += line.substr(0, comment) + '\n';
    begin = end + 1;
  }
  for (std::size_t begin = text.find("/*"); begin != std::string::npos; begin = text.find("/*", begin)) {
    const std::size_t end = text.find("*/", begin + 2);
    text.erase(begin, end == std::string::npos ? end : end + 2 - begin);
  }
  return text;
}

// Whether a line of the text begins with the word, in capital letters or small ones.
bool has_line(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
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

}  // namespace

std::optional<Simulator> simulator_of(const std::vector<Source>& sources) {
  std::string text;
  for (const Source& source : sources) text += settings_in(source);
  if (has_line(text, "Configuration")) return Simulator::caminos;
  if (has_line(text, "TOPOLOGY_FILE")) return Simulator::hpcc;
  if (text.find('=') != std::string::npos && text.find(';') != std::string::npos) return Simulator::booksim;
  if (has_line(text, "Tiers") || has_line(text, "Connections")) return Simulator::htsim;
  return std::nullopt;
}

Import import_from(Simulator simulator, const std::vector<Source>& sources, const std::string& path) {
  Mistakes mistakes;
  if (sources.size() > 1 && simulator != Simulator::htsim)
    mistakes.add({"FILE", "is one file for this simulator", "", sources[1].path});
  Import result;
  switch (simulator) {
    case Simulator::booksim:
      result = import_booksim(sources.front(), mistakes);
      break;
    case Simulator::htsim:
      result = import_htsim(sources, mistakes);
      break;
    case Simulator::hpcc:
      result = import_hpcc(sources.front(), path, mistakes);
      break;
    case Simulator::caminos:
      result = import_caminos(sources.front(), mistakes);
      break;
  }
  mistakes.throw_if_any();
  mistakes.add_all(refused(result, path, sources.front().path));
  mistakes.throw_if_any();
  return result;
}

}  // namespace headway::imports
