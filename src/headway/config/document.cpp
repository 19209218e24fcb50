// SPDX-License-Identifier: Apache-2.0
#include "headway/config/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "headway/base/parse_number.h"
#include "headway/base/visible.h"

namespace headway {
namespace {

struct Step {
  std::string_view name;
  std::optional<std::size_t> index;
};

// "name", "name[2]", or a name in quotes, which can have dots, at the front of a path.
std::string_view first_step(std::string_view path) {
  if (!path.starts_with('"') && !path.starts_with('\'')) return path.substr(0, path.find('.'));
  const std::size_t end = path.find(path.front(), 1);
  return end == std::string_view::npos ? path : path.substr(0, path.find('.', end));
}

// Removes the first step and a following dot from the front. Returns nullopt if the path is malformed.
std::optional<Step> take_step(std::string_view& path) {
  const std::string_view step = first_step(path);
  path.remove_prefix(std::min(step.size() + 1, path.size()));
  if (const char quote = step.empty() ? '\0' : step.front(); quote == '"' || quote == '\'') {
    const bool closed = step.size() > 2 && step.find(quote, 1) == step.size() - 1;
    return closed ? std::optional(Step{step.substr(1, step.size() - 2), {}}) : std::nullopt;
  }
  const std::size_t bracket = step.find('[');
  Step result{step.substr(0, bracket), {}};
  if (result.name.empty()) return std::nullopt;
  if (bracket == std::string_view::npos) return result;
  std::string_view rest = step.substr(bracket + 1);
  result.index = take_number<std::size_t>(rest);
  return result.index && rest == "]" ? std::optional(result) : std::nullopt;
}

// Calls visit(list, index, name) for every table in a list of tables that has a name. A table counts as a
// list of one.
template <class Visit>
void for_each_named(const Document& document, Visit&& visit) {
  const auto* table = document.get<Document::Table>();
  if (table == nullptr) return;
  for (const Document::Member& member : *table) {
    const auto* array = member.value.get<Document::Array>();
    const std::size_t size = array != nullptr ? array->size() : 1;
    for (std::size_t i = 0; i < size; ++i)
      if (const Document* name = (array != nullptr ? (*array)[i] : member.value).member("name"))
        if (const auto* text = name->get<std::string>()) visit(std::string_view(member.name), i, *text);
  }
}

// Returns the list and the index of the element that the step names; otherwise the step.
Step by_index(const Document& document, const Step& step) {
  if (step.index || document.member(step.name) != nullptr) return step;
  std::optional<Step> found;
  for_each_named(document, [&](std::string_view list, std::size_t index, const std::string& name) {
    if (!found && name == step.name) found = Step{list, index};
  });
  return found.value_or(step);
}

bool too_long(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '.')) >= Document::kMostNames;
}

// Explains that a list of `size` elements has no such element.
std::string no_element(const Step& step, std::size_t size) {
  return fmt::format(
      "there is no {0}[{1}]: {2}; to add one, set {0}[{3}] = {{ ... }}", step.name, *step.index,
      size == 0 ? "the spec has none" : fmt::format("the last is {}[{}]", step.name, size - 1), size);
}

Document* member_of(Document& document, std::string_view name) {
  return const_cast<Document*>(std::as_const(document).member(name));
}

// Text that reads back as a floating-point number.
std::string float_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string string_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\')
      text += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  return escaped(text) + '"';
}

}  // namespace

Document::Document(Value content, std::string place) : value(std::move(content)), where(std::move(place)) {}

const Document* Document::member(std::string_view name) const {
  const auto* table = get<Table>();
  if (table == nullptr) return nullptr;
  const auto found = std::ranges::find(*table, name, &Member::name);
  return found == table->end() ? nullptr : &found->value;
}

const Document* Document::find(std::string_view path) const {
  const Document* here = this;
  while (here != nullptr && !path.empty()) {
    auto step = take_step(path);
    if (!step) return nullptr;
    step = by_index(*here, *step);
    here = here->member(step->name);
    if (here == nullptr) continue;
    const auto* array = here->get<Array>();
    if (!step->index) {
      if (array != nullptr && array->size() == 1 && !path.empty()) here = &array->front();
      continue;
    }
    if (array != nullptr)
      here = *step->index < array->size() ? &(*array)[*step->index] : nullptr;
    else if (*step->index > 0 || here->get<Table>() == nullptr)
      here = nullptr;
  }
  return here;
}

std::optional<std::string> Document::set(std::string_view path, const Document& content) {
  if (too_long(path)) return fmt::format("is not a key: it has more than {} names", kMostNames);
  auto step = take_step(path);
  if (!step) return "is not a key; a key consists of names with dots between them, such as switch.queues";
  auto* table = std::get_if<Table>(&value);
  if (table == nullptr) return fmt::format("cannot hold {}: it is not a table", step->name);
  const std::string_view name = step->name;
  step = by_index(*this, *step);
  const bool is_named = step->name != name;
  Document* target = member_of(*this, step->name);
  if (target == nullptr) {
    if (step->index && *step->index > 0) return no_element(*step, 0);
    table->push_back({std::string(step->name), content.where, Document(Table{}, content.where)});
    target = &table->back().value;
    if (step->index) target->value = Array{Document(Table{}, content.where)};
  }
  if (step->index) {
    if (target->get<Table>() != nullptr && *step->index > 0) {  // the table becomes a list of one
      Document single = std::move(*target);
      *target = Document(Array{std::move(single)}, content.where);
    }
    if (auto* array = std::get_if<Array>(&target->value)) {
      const bool appends = path.empty() && *step->index == array->size();
      if (*step->index >= array->size() && !appends) return no_element(*step, array->size());
      if (appends) array->push_back(Document(Table{}, content.where));
      target = &(*array)[*step->index];
    } else if (target->get<Table>() == nullptr) {
      return fmt::format("{} is not a list", step->name);
    }
  }
  if (path.empty()) {
    Document whole = content;
    auto* members = std::get_if<Table>(&whole.value);
    if (is_named && members != nullptr && whole.member("name") == nullptr)
      members->insert(members->begin(),
                      {"name", content.where, *target->member("name")});  // it stays the same
    *target = std::move(whole);
    return std::nullopt;
  }
  auto* array = std::get_if<Array>(&target->value);
  if (array == nullptr) return target->set(path, content);
  for (Document& element : *array)
    if (auto problem = element.set(path, content)) return problem;
  return std::nullopt;
}

std::vector<std::string_view> Document::element_names() const {
  std::vector<std::string_view> names;
  for_each_named(*this,
                 [&](std::string_view, std::size_t, const std::string& name) { names.push_back(name); });
  return names;
}

std::string Document::with_indices(std::string_view path) const {
  std::string result;
  const Document* here = this;
  while (here != nullptr && !path.empty()) {
    const std::string_view rest = path;
    const auto step = take_step(path);
    if (!step) return result.append(rest);
    const Step indexed = by_index(*here, *step);
    if (indexed.name != step->name)
      result += fmt::format("{}[{}]", indexed.name, *indexed.index);
    else
      result += first_step(rest);
    if (!path.empty()) result += '.';
    here = here->find(first_step(rest));
  }
  return result.append(path);
}

std::vector<std::string> Document::meant_by(std::string_view path) const {
  if (too_long(path)) return {};
  auto step = take_step(path);
  if (!step) return {};
  step = by_index(*this, *step);
  const Document* target = member(step->name);
  const auto* array = target == nullptr ? nullptr : target->get<Array>();
  const bool several = array != nullptr && array->size() > 1;
  std::vector<std::string> result;
  const auto follow = [&](std::string name, const Document* there) {
    if (path.empty()) return result.push_back(std::move(name));
    const Document nothing;
    for (const std::string& rest : (there != nullptr ? *there : nothing).meant_by(path))
      result.push_back(std::string(name).append(1, '.').append(rest));
  };
  const std::string name(step->name);
  const auto element = [&](std::size_t index) {
    follow(fmt::format("{}[{}]", name, index), index < array->size() ? &(*array)[index] : nullptr);
  };
  if (several && step->index)
    element(*step->index);
  else if (several && !path.empty())
    for (std::size_t index = 0; index < array->size(); ++index) element(index);
  else if (step->index.value_or(0) > 0)
    follow(fmt::format("{}[{}]", name, *step->index), nullptr);
  else
    follow(name, array == nullptr || array->empty() ? target : &array->front());
  return result;
}

std::string Document::place_of(std::string_view path) const {
  std::string place = where;
  for (std::size_t end = 0; end < path.size();) {
    end = std::min(path.find_first_of(".[", end + 1), path.size());
    const Document* here = find(path.substr(0, end));
    if (here != nullptr && !here->where.empty()) place = here->where;
  }
  return place;
}

bool operator==(const Document& a, const Document& b) { return a.value == b.value; }
bool operator==(const Document::Member& a, const Document::Member& b) {
  return a.name == b.name && a.value == b.value;
}

std::string key_text(const std::string& name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  return bare ? name : string_text(name);
}

std::string to_text(const Document& document) {
  std::string text;
  if (const auto* table = document.get<Document::Table>()) {
    for (const auto& member : *table)
      text += (text.empty() ? " " : ", ") + key_text(member.name) + " = " + to_text(member.value);
    return '{' + text + " }";
  }
  if (const auto* array = document.get<Document::Array>()) {
    for (const Document& element : *array) text += (text.empty() ? "" : ", ") + to_text(element);
    return '[' + text + ']';
  }
  if (const auto* flag = document.get<bool>()) return *flag ? "true" : "false";
  if (const auto* number = document.get<std::int64_t>()) return std::to_string(*number);
  if (const auto* number = document.get<double>()) return float_text(*number);
  return string_text(std::get<std::string>(document.value));
}

bool is_list_of_tables(const Document& document) {
  const auto* list = document.get<Document::Array>();
  const auto is_table = [](const Document& element) { return element.get<Document::Table>() != nullptr; };
  return list != nullptr && !list->empty() && std::ranges::all_of(*list, is_table);
}

namespace {

using Leaves = std::map<std::string, const Document*>;

void add_leaves(const Document& node, const std::string& path, Leaves& leaves) {
  const auto* table = node.get<Document::Table>();
  if (table != nullptr)
    for (const Document::Member& member : *table)
      add_leaves(member.value, path + (path.empty() ? "" : ".") + member.name, leaves);
  else if (is_list_of_tables(node))
    for (std::size_t i = 0; const Document& element : std::get<Document::Array>(node.value))
      add_leaves(element, path + '[' + std::to_string(i++) + ']', leaves);
  else
    leaves.emplace(path, &node);
}

}  // namespace

std::set<std::string> differing_keys(const Document& a, const Document& b) {
  Leaves in_a, in_b;
  add_leaves(a, "", in_a);
  add_leaves(b, "", in_b);
  std::set<std::string> keys;
  for (const auto& [key, value] : in_a)
    if (const auto found = in_b.find(key); found == in_b.end() || !(*found->second == *value))
      keys.insert(key);
  for (const auto& [key, value] : in_b)
    if (!in_a.contains(key)) keys.insert(key);
  return keys;
}

}  // namespace headway
