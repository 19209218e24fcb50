// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "headway/catalogue/names.h"
#include "headway/config/toml.h"

namespace headway::test {
namespace {

constexpr std::string_view kUnits[] = {"B",  "KiB",    "MiB",   "GiB",    "kB",    "MB",      "GB",   "ps",
                                       "ns", "us",     "ms",    "s",      "B/s",   "GB/s",    "TB/s", "bit/s",
                                       "",   "cycles", "flits", "Gbit/s", "KiB/s", "packets", "Gb/s"};
constexpr std::string_view kTexts[] = {"",
                                       " ",
                                       "all",
                                       "none",
                                       "file",
                                       ".",
                                       "..",
                                       "/",
                                       "/dev/null",
                                       "no such file",
                                       "a\nb",
                                       "a\r\tb",
                                       "\x1b[31mred\x1b[0m",
                                       "\x07\x7f",
                                       "\xc2\x9b"
                                       "31m",
                                       "\xe2\x80\xae"
                                       "desrever",
                                       "gr\xc3\xb6\xc3\x9f"
                                       "er",
                                       "\xf0\x9f\x9a\x80",
                                       "`touch x`",
                                       "$(x) \"y\" 'z'",
                                       "%s%n{}{0}",
                                       "1/0 ns",
                                       "1/3 ns",
                                       "nan",
                                       "-0",
                                       "1e999 ns",
                                       "0x10 B",
                                       "9223372036854775807 ns",
                                       "9223372036854775807 GiB",
                                       "0.000000000000000001 ps",
                                       "1e-9 B/s",
                                       "-1 B"};
constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "7",
                                         "16",
                                         "63",
                                         "64",
                                         "65",
                                         "255",
                                         "256",
                                         "1000",
                                         "4096",
                                         "65535",
                                         "65536",
                                         "1000000",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "1000000000000",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616"};
constexpr double kReals[] = {0,
                             -0.0,
                             1,
                             -1,
                             0.5,
                             0.0001,
                             0.33333,
                             1.5,
                             2,
                             10,
                             1e-9,
                             1e-300,
                             1e9,
                             1e18,
                             1e300,
                             5e-324,
                             0.99999999999999989};

std::int64_t scaled(std::int64_t value, Rng& rng) {
  std::int64_t result = value;
  for (std::uint32_t i = 1 + rng.below(9); i > 0; --i)
    if (__builtin_mul_overflow(result, 10, &result)) return std::numeric_limits<std::int64_t>::max();
  return result;
}

std::int64_t another_number(std::int64_t value, Rng& rng) {
  switch (rng.below(6)) {
    case 0:
      return scaled(value, rng);
    case 1:
      return value / 2;
    case 2:
      return value == std::numeric_limits<std::int64_t>::max() ? value : value + 1;
    case 3:
      return value == std::numeric_limits<std::int64_t>::min() ? value : value - 1;
    case 4:
      return static_cast<std::int64_t>(rng.below(100));
    default: {
      const long double strange = std::stold(strange_number(rng));
      const bool fits = strange >= -0x1p63L && strange < 0x1p63L;
      return fits ? static_cast<std::int64_t>(strange) : std::numeric_limits<std::int64_t>::min();
    }
  }
}

double another_real(double value, Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return value * std::pow(10.0, static_cast<double>(rng.below(30)) - 15);
    case 1:
      return rng.below(3) == 0 ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
    case 2:
      return static_cast<double>(rng.below(2000)) / 1000;
    default:
      return any_of(kReals, rng);
  }
}

// Another number before the unit, another unit after the number, or an unrelated text.
std::string another_text(const std::string& text, Rng& rng) {
  const std::size_t space = text.find(' ');
  const bool is_quantity = !text.empty() && text[0] >= '0' && text[0] <= '9' && space != std::string::npos;
  if (!is_quantity || rng.below(8) == 0) {
    std::string changed = text;
    if (text.empty() || rng.below(2) == 0) return strange_text(rng);
    changed[rng.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>('a' + rng.below(26));
    return changed;
  }
  const std::string number = text.substr(0, space), unit = text.substr(space + 1);
  switch (rng.below(5)) {
    case 0:
      return number + ' ' + std::string(any_of(kUnits, rng));
    case 1:
      return number + std::string(1 + rng.below(12), '0') + ' ' + unit;
    case 2:
      return "0." + std::string(rng.below(20), '0') + number + ' ' + unit;
    case 3:
      return std::to_string(rng.below(5000)) + ' ' + unit;
    default:
      return strange_number(rng) + ' ' + unit;
  }
}

Document of_another_type(Rng& rng) {
  switch (rng.below(8)) {
    case 0:
      return Document(rng.below(2) == 0);
    case 1:
      return Document(std::int64_t{rng.below(10)});
    case 2:
      return Document(another_real(1, rng));
    case 3:
      return Document(strange_text(rng));
    case 4:
      return Document(Document::Array{});
    case 5:
      return Document(Document::Table{});
    case 6:
      return Document(Document::Array{Document(std::int64_t{1}), Document(std::string("1 us"))});
    default: {
      Document deep(std::int64_t{1});
      for (std::uint32_t i = rng.below(40); i > 0; --i) deep = Document(Document::Array{std::move(deep)});
      return deep;
    }
  }
}

// Everything in a document that can be changed.
struct Places {
  struct Value {
    std::string key;
    Document* value;
  };
  std::vector<Value> values;
  std::vector<Document::Table*> tables;
  std::vector<Document::Array*> arrays;

  void look(const std::string& key, Document& document) {
    if (auto* table = std::get_if<Document::Table>(&document.value)) {
      tables.push_back(table);
      for (Document::Member& member : *table) {
        values.push_back({member.name, &member.value});
        look(member.name, member.value);
      }
    } else if (auto* array = std::get_if<Document::Array>(&document.value)) {
      arrays.push_back(array);
      for (Document& element : *array) {
        values.push_back({key, &element});
        look(key, element);
      }
    }
  }
};

std::uint32_t count(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::string strange_text(Rng& rng) {
  if (rng.below(20) == 0) return std::string(1 + rng.below(100'000), 'x');
  return std::string(any_of(kTexts, rng));
}

std::string strange_number(Rng& rng) { return std::string(any_of(kNumbers, rng)); }

DocumentMutator::DocumentMutator(const std::vector<Document>& documents) {
  for (const Document& document : documents) collect(document);
  for (const catalogue::Key& key : catalogue::keys()) {
    paths_.push_back(key.path);
    keys_.push_back(last_part(key.path));
    if (!key.row.standard.empty())
      values_of_[keys_.back()].push_back(parse_toml_value(key.row.standard, "default"));
  }
  for (const catalogue::Family& family : catalogue::families())
    for (const catalogue::Member& member : family.members)
      values_of_[last_part(std::string(family.key))].emplace_back(std::string(member.name));
}

void DocumentMutator::collect(const Document& value) {
  if (const auto* table = value.get<Document::Table>())
    for (const Document::Member& member : *table) {
      keys_.push_back(member.name);
      values_of_[member.name].push_back(member.value);
      if (member.value.get<Document::Table>() != nullptr || member.value.get<Document::Array>() != nullptr)
        tables_.push_back(member);
      collect(member.value);
    }
  else if (const auto* array = value.get<Document::Array>())
    for (const Document& element : *array) collect(element);
}

void DocumentMutator::mutate(Document& document, Rng& rng) const {
  for (std::uint32_t i = 1 + rng.below(4); i > 0; --i) change(document, rng);
}

std::string DocumentMutator::setting(Rng& rng) const {
  constexpr std::string_view kSuffixes[] = {"[0]", "[1]", "[99999999999]", "[-1]", ".", "..", "[",
                                            "[]",  "\n",  "[0].x"};
  std::string path = rng.below(4) == 0 ? any_of(keys_, rng) : any_of(paths_, rng);
  if (rng.below(4) == 0)
    path.insert(rng.below(2) == 0 ? path.size() : std::min(path.find('.'), path.size()),
                any_of(kSuffixes, rng));
  return path + '=' + to_text(another(path, Document(std::int64_t{1}), rng));
}

// Another value for the key: one that the key has elsewhere, or one of the same type.
Document DocumentMutator::another(const std::string& key, const Document& value, Rng& rng) const {
  const auto known = values_of_.find(last_part(key));
  if (known != values_of_.end() && rng.below(2) == 0) return any_of(known->second, rng);
  if (const auto* flag = value.get<bool>()) return Document(!*flag);
  if (const auto* whole = value.get<std::int64_t>()) return Document(another_number(*whole, rng));
  if (const auto* real = value.get<double>()) return Document(another_real(*real, rng));
  if (const auto* text = value.get<std::string>()) return Document(another_text(*text, rng));
  return of_another_type(rng);
}

void DocumentMutator::change_value(const std::string& key, Document& value, Rng& rng) const {
  if (auto* array = std::get_if<Document::Array>(&value.value); array != nullptr && rng.below(4) != 0) {
    if (array->empty() || rng.below(3) == 0)
      array->push_back(another(key, array->empty() ? Document(std::int64_t{1}) : array->back(), rng));
    else if (rng.below(2) == 0)
      array->erase(array->begin() + rng.below(count(*array)));
    else
      array->push_back(Document((*array)[rng.below(count(*array))]));
    return;
  }
  value = rng.below(8) == 0 ? of_another_type(rng) : another(key, value, rng);
}

void DocumentMutator::change_members(Document::Table& from, Document::Table& to, Rng& rng) const {
  const std::uint32_t kind = rng.below(6);
  if (kind == 0 || from.empty()) {  // adds a key that a spec can have, or a whole table of another document
    if (rng.below(4) == 0) {
      to.push_back(any_of(tables_, rng));
    } else {
      const std::string& key = any_of(keys_, rng);
      to.push_back({key, "", another(key, Document(std::int64_t{1}), rng)});
    }
    return;
  }
  const std::uint32_t at = rng.below(count(from));
  if (kind == 1) {  // doubled
    from.push_back(Document::Member(from[at]));
  } else if (kind == 2) {  // renamed
    from[at].name = rng.below(4) == 0 ? strange_text(rng) : any_of(keys_, rng);
  } else if (kind == 3) {  // copied elsewhere: moving it could put a table into itself
    Document::Member member = from[at];
    to.push_back(std::move(member));
  } else {  // removed
    from.erase(from.begin() + at);
  }
}

void DocumentMutator::add_sweep(Document& document, Rng& rng) const {
  const std::string path = rng.below(4) == 0 ? any_of(keys_, rng) : any_of(paths_, rng);
  Document::Array values;
  const std::uint32_t length = rng.below(20) == 0 ? rng.below(3000) : rng.below(6);
  const Document first = another(path, Document(std::int64_t{1}), rng);
  for (std::uint32_t i = 0; i < length; ++i) values.push_back(another(path, first, rng));
  if (auto* table = std::get_if<Document::Table>(&document.value)) {
    const auto sweep = std::ranges::find(*table, "sweep", &Document::Member::name);
    Document::Member axis{path, "", Document(std::move(values))};
    if (sweep == table->end())
      table->push_back({"sweep", "", Document(Document::Table{std::move(axis)})});
    else if (auto* axes = std::get_if<Document::Table>(&sweep->value.value))
      axes->push_back(std::move(axis));
  }
}

void DocumentMutator::change(Document& document, Rng& rng) const {
  Places places;
  places.look("", document);
  const std::uint32_t kind = rng.below(16);
  if (kind == 0) {
    add_sweep(document, rng);
  } else if (kind == 1 && places.values.size() > 1) {
    const Document one = *any_of(places.values, rng).value;
    *any_of(places.values, rng).value = one;
  } else if (kind < 6 && !places.tables.empty()) {
    change_members(*any_of(places.tables, rng), *any_of(places.tables, rng), rng);
  } else if (!places.values.empty()) {
    const Places::Value& place = any_of(places.values, rng);
    change_value(place.key, *place.value, rng);
  }
}

void mutate_text(std::string& text, Rng& rng) {
  constexpr std::string_view kTokens[] = {",",  "\n", "-",    "e99",      "1e-99", ".",    "\xff", "\"",
                                          " ",  "#",  "[[",   "]",        "=",     "{",    "*",    "\t",
                                          "\r", "0-", "\x1b", "\xc2\x9b", "\\",    "null", "nan",  "1e400"};
  for (std::uint32_t i = 1 + rng.below(4); i > 0 && !text.empty(); --i) {
    const std::size_t at = rng.below(count(text));
    const std::size_t line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (rng.below(11)) {
      case 0:
        text[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.erase(at, 1 + rng.below(8));
        break;
      case 2:
        text.insert(at, any_of(kTokens, rng));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:  // deletes a line
        text.erase(line, end - std::min(line, end));
        break;
      case 5:  // repeats a line once or many times
        if (line < end) {
          const std::string whole = text.substr(line, end - line);
          for (std::uint32_t times = rng.below(50) == 0 ? 2000 : 1; times > 0; --times)
            text.insert(line, whole);
        }
        break;
      case 6:  // copies a line elsewhere
        if (line < end) {
          const std::string whole = text.substr(line, end - line);
          text.insert(rng.below(count(text)), whole);
        }
        break;
      case 7:
      case 8: {  // changes a number
        const std::size_t first = text.find_first_of("0123456789", at);
        if (first == std::string::npos) break;
        const std::size_t last = std::min(text.find_first_not_of("0123456789", first), text.size());
        text.replace(first, last - first, strange_number(rng));
        break;
      }
      case 9: {  // adds or removes a column
        const std::size_t separator = text.find_first_of(", \t", at);
        if (separator == std::string::npos) break;
        if (rng.below(2) == 0)
          text.insert(separator, 1, text[separator]);
        else
          text.erase(separator, 1);
        break;
      }
      default:
        text.insert(at, strange_text(rng));
        break;
    }
  }
}

}  // namespace headway::test
