// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/keyed_lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

std::string_view bare(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  const bool quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> elements_in(std::string_view list) {
  std::vector<std::string> elements;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (const std::string_view element = bare(list.substr(0, comma)); !element.empty())
      elements.emplace_back(element);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return elements;
}

}  // namespace

std::string KeyedList::shown() const { return fmt::format("{} = {}", name, fmt::join(values, ", ")); }

std::vector<KeyedList> json_lists(const Source& source) {
  nlohmann::ordered_json root;
  try {
    root = nlohmann::ordered_json::parse(source.text);
  } catch (const nlohmann::json::parse_error& error) {
    throw SpecError("FILE", "is no JSON", "",
                    place_in(source.path, line_of(source.text, std::min(error.byte, source.text.size()))));
  } catch (const nlohmann::json::exception&) {
    throw SpecError("FILE", "is JSON with a number that is too large", "", source.path);
  }
  if (!root.is_object()) throw SpecError("FILE", "is no object of JSON", "", source.path);
  std::vector<KeyedList> lists;
  for (const auto& [name, value] : root.items()) {
    KeyedList list{name,
                   {},
                   place_in(source.path, line_of(source.text, std::min(source.text.find('"' + name + '"'),
                                                                       source.text.size())))};
    if (value.is_array())
      for (const auto& element : value) list.values.push_back(text_of(element));
    else
      list.values.push_back(text_of(value));
    lists.push_back(std::move(list));
  }
  return lists;
}

std::vector<KeyedList> yaml_lists(const Source& source) {
  std::vector<KeyedList> lists;
  std::string_view rest = source.text;
  for (std::uint32_t line = 1; !rest.empty(); ++line) {
    std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(row.size() + 1, rest.size()));
    row = row.substr(0, row.find('#'));
    const std::string_view content = bare(row);
    if (content.empty() || content == "---") continue;
    const std::string where = place_in(source.path, line);
    if (content.starts_with("- ")) {
      if (lists.empty())
        throw SpecError("FILE", "an element stands above the first name", "write name: [ a, b ]", where);
      lists.back().values.emplace_back(bare(content.substr(2)));
      continue;
    }
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos)
      throw SpecError("FILE", fmt::format("\"{}\" is no name and value", content), "write name: [ a, b ]",
                      where);
    KeyedList list{std::string(bare(content.substr(0, colon))), {}, where};
    const std::string_view value = bare(content.substr(colon + 1));
    if (value.starts_with('[')) {
      if (!value.ends_with(']'))
        throw SpecError(list.name, "its list does not end in its line", "write name: [ a, b ]", where);
      list.values = elements_in(value.substr(1, value.size() - 2));
    } else if (!value.empty()) {
      list.values.emplace_back(value);
    }
    lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace headway::imports
