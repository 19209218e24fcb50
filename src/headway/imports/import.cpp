// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "headway/base/error.h"
#include "headway/base/plural.h"
#include "headway/base/visible.h"
#include "headway/imports/checked.h"

namespace headway::imports {
namespace {

// Takes the mistakes of keys that are not known out of the others, as texts.
std::vector<std::string> take_unknown(Mistakes& mistakes) {
  std::vector<std::string> unknown;
  std::erase_if(mistakes.list(), [&](const Mistake& mistake) {
    if (mistake.message != kUnknownKey) return false;
    unknown.push_back(fmt::format("{}{}{}", mistake.key, mistake.where.empty() ? "" : " at ", mistake.where));
    return true;
  });
  return unknown;
}

// Behind the line that says what the spec was made from.
void name_unknown(const std::vector<std::string>& unknown, Import& result) {
  if (unknown.empty()) return;
  std::string lines = "# Not known, and left out (--unknown=warn):\n";
  for (const std::string& key : unknown) {
    lines += fmt::format("# - {}\n", visible(key));
    result.said.push_back("left out, because no reader knows it: " + key);
  }
  const std::size_t head = result.spec.find("# Made by");
  const std::size_t end = head == std::string::npos ? head : result.spec.find('\n', head);
  result.spec.insert(end == std::string::npos ? 0 : end + 1, lines);
}

}  // namespace

std::string Request::beside(std::string_view suffix) const {
  return fmt::format("{}.{}", std::filesystem::path(path).stem().string(), suffix);
}

Import import_from(const Format& format, const Request& given, Unknown unknown) {
  Request request = given;
  const auto is_it = [&](const Source& source) { return format.recognises(source.text); };
  if (const auto main = std::ranges::find_if(request.sources, is_it); main != request.sources.end())
    std::rotate(request.sources.begin(), main, main + 1);  // in whatever order the files were given
  Mistakes mistakes;
  if (request.sources.size() > format.most_files)
    mistakes.add({"FILE",
                  fmt::format("{} is read from {} at most", format.name, plural(format.most_files, "file")),
                  "", request.sources[format.most_files].path});
  Import result;
  try {
    result = format.import(request, mistakes);
  } catch (const SpecError& error) {  // of a reader that cannot go on behind a mistake
    mistakes.add_all(error.mistakes());
  }
  std::vector<std::string> left_out;
  if (unknown == Unknown::warn) left_out = take_unknown(mistakes);
  mistakes.throw_if_any();
  name_unknown(left_out, result);
  mistakes.add_all(refused(result, request.path, request.first().path));
  mistakes.throw_if_any();
  return result;
}

}  // namespace headway::imports
