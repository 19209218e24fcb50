// SPDX-License-Identifier: Apache-2.0
// Reading is toml++'s work, with bounds on depth around it: it recurses per level of nesting, and a name of n
// dots is n levels. Writing is ours: toml++ sorts keys, we keep their order.
#include "headway/io/toml.h"

// toml++ 3.3 asserts that a table's name begins as it should, and without assertions takes it for granted.
// Here a failed assertion is an exception, in all builds.
namespace headway {
namespace {
struct AssertionFailed {};
[[noreturn]] inline void fail_assertion() { throw AssertionFailed{}; }
}  // namespace
}  // namespace headway
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : headway::fail_assertion())
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 32
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "headway/base/error.h"

namespace headway {
namespace {

constexpr int kMaxDepth = 32;
constexpr std::int64_t kMaxDotsPerLine = 250;

[[noreturn]] void refuse(std::string message, std::string where, std::string hint = "") {
  throw SpecError(
      {{.key = "", .message = std::move(message), .hint = std::move(hint), .where = std::move(where)}});
}

class Converter {
 public:
  explicit Converter(std::string_view name) : name_(name) {}

  Document document(const toml::node& node, int depth = 0) {
    const std::string where = place(node.source());
    if (depth > kMaxDepth)
      refuse(fmt::format("tables and lists are nested more than {} deep", kMaxDepth), where);
    if (const toml::table* table = node.as_table()) return Document(members(*table, depth), where);
    if (const toml::array* array = node.as_array()) {
      Document::Array elements;
      for (const toml::node& element : *array) elements.push_back(document(element, depth + 1));
      return Document(std::move(elements), where);
    }
    if (const auto* value = node.as_boolean()) return Document(value->get(), where);
    if (const auto* value = node.as_integer()) return Document(value->get(), where);
    if (const auto* value = node.as_floating_point()) return Document(value->get(), where);
    if (const auto* value = node.as_string()) return Document(value->get(), where);
    refuse("no key takes a date or a time of day", where, "simulated time is written \"250 us\"");
  }

  std::string place(const toml::source_region& source) const {
    if (source.begin.line == 0) return std::string(name_);
    return fmt::format("{}:{}:{}", name_, source.begin.line, source.begin.column);
  }

 private:
  // toml++ keeps names sorted; their places tell the order of the file.
  Document::Table members(const toml::table& table, int depth) {
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
    std::ranges::stable_sort(entries, {}, [](const auto& entry) {
      const toml::source_position& at = entry.first->source().begin;
      return std::pair(at.line, at.column);
    });
    Document::Table result;
    for (const auto& [key, node] : entries)
      result.push_back({std::string(key->str()), place(key->source()), document(*node, depth + 1)});
    return result;
  }

  std::string_view name_;
};

void refuse_long_names(std::string_view text, std::string_view name) {
  for (std::size_t begin = 0, line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (std::count(text.begin() + begin, text.begin() + end, '.') > kMaxDotsPerLine)
      refuse(fmt::format("more than {} dots in one line", kMaxDotsPerLine),
             fmt::format("{}:{}:1", name, line), "break the list into several lines");
    begin = end + 1;
  }
}

bool fails_assertion(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error&) {
  } catch (const AssertionFailed&) {
    return true;
  }
  return false;
}

// The first line with which reading fails an assertion, by bisection; a failed assertion does not say where.
std::size_t line_of_failure(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    ends.push_back(end);
  const auto line = std::ranges::partition_point(
      ends, [&](std::size_t end) { return !fails_assertion(text.substr(0, end)); });
  return static_cast<std::size_t>(line - ends.begin()) + 1;
}

bool is_list_of_tables(const Document& document) {
  const auto* array = document.get<Document::Array>();
  return array != nullptr && !array->empty() && std::ranges::all_of(*array, [](const Document& element) {
           return element.get<Document::Table>() != nullptr;
         });
}

// Tables of the first level and lists of tables get a header, what lies within them stays on the line of its
// key.
void write_table(std::string& text, const Document::Table& table, const std::string& path,
                 bool with_headers) {
  const auto has_header = [&](const Document::Member& member) {
    if (with_headers && member.value.get<Document::Table>() != nullptr) return true;
    return is_list_of_tables(member.value) && key_text(member.name) == member.name;
  };
  for (const auto& member : table)
    if (!has_header(member)) text += key_text(member.name) + " = " + to_text(member.value) + '\n';
  for (const auto& member : table) {
    if (!has_header(member)) continue;
    const std::string name = path + key_text(member.name);
    if (const auto* inner = member.value.get<Document::Table>()) {
      text += fmt::format("\n[{}]\n", name);
      write_table(text, *inner, name + '.', false);
    } else {
      for (const Document& element : std::get<Document::Array>(member.value.value)) {
        text += fmt::format("\n[[{}]]\n", name);
        write_table(text, std::get<Document::Table>(element.value), name + '.', false);
      }
    }
  }
}

}  // namespace

Document parse_toml(std::string_view text, std::string_view name) {
  refuse_long_names(text, name);
  Converter converter(name);
  try {
    return converter.document(toml::parse(text));
  } catch (const toml::parse_error& error) {
    refuse(std::string(error.description()), converter.place(error.source()));
  } catch (const AssertionFailed&) {
    refuse("a table's name must begin with a letter, a digit or a quote",
           fmt::format("{}:{}:1", name, line_of_failure(text)));
  }
}

Document read_toml(const std::filesystem::path& path) {
  std::string text;
  try {
    std::ifstream file(path, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios::failure&) {  // there is none, it is a folder, it is not ours to read
    refuse("cannot be read", path.string());
  }
  return parse_toml(text, path.string());
}

Document parse_toml_value(std::string_view text, std::string_view name) {
  Document value{std::string(text)};
  try {
    const Document document = parse_toml("value = " + std::string(text), name);
    if (std::get<Document::Table>(document.value).size() == 1) value = *document.member("value");
  } catch (const SpecError&) {
    // not a value of the format: the text itself is the value
  }
  value.where = name;
  return value;
}

std::string write_toml(const Document& document) {
  std::string text;
  write_table(text, std::get<Document::Table>(document.value), "", true);
  return text;
}

}  // namespace headway
