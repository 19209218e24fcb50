// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/caminos_text.h"

#include <fmt/format.h>

#include <cctype>

namespace headway::imports {
namespace {

using Kind = CaminosValue::Kind;

class CaminosParser {
 public:
  CaminosParser(const std::string& path, std::string_view text, Mistakes& mistakes)
      : path_(path), rest_(text), mistakes_(mistakes) {}

  CaminosValue whole() {
    CaminosValue value = read(0);
    skip();
    if (!failed_ && !rest_.empty()) fail("nothing can follow the configuration");
    return failed_ ? CaminosValue{} : value;
  }

 private:
  static constexpr int kMostDepth = 64;

  CaminosValue read(int depth) {
    skip();
    CaminosValue value;
    value.where = fmt::format("{}:{}", path_, line_);
    if (rest_.empty() || depth > kMostDepth) {
      fail(rest_.empty() ? "a value is missing" : "is nested too deeply");
    } else if (take('!')) {
      read_list(value, Kind::experiments, depth);
    } else if (rest_.front() == '[') {
      read_list(value, Kind::list, depth);
    } else if (rest_.front() == '"') {
      const std::size_t end = rest_.find('"', 1);
      if (end == std::string_view::npos) return fail("a text has no end"), value;
      value.kind = Kind::text;
      value.name = rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
    } else {
      value.name = word();
      if (value.name.empty()) return fail(fmt::format("'{}' is not expected here", rest_.front())), value;
      const bool number =
          std::isdigit(static_cast<unsigned char>(value.name.front())) != 0 || value.name.front() == '-';
      value.kind = number                                          ? Kind::number
                   : value.name == "true" || value.name == "false" ? Kind::truth
                                                                   : Kind::object;
      skip();
      if (value.kind == Kind::object && take('!'))
        fail("named experiments have no counterpart; lists of [[sweep.zip]] advance together");
      else if (value.kind == Kind::object && take('{'))
        read_fields(value, depth);
    }
    return value;
  }

  void read_list(CaminosValue& value, Kind kind, int depth) {
    value.kind = kind;
    if (!take('[')) return fail("a list begins with [");
    while (!failed_ && !take(']')) {
      value.elements.push_back(read(depth + 1));
      if (!take(',') && !failed_ && !peek(']')) fail("a comma or ] is missing");
    }
  }

  void read_fields(CaminosValue& value, int depth) {
    while (!failed_ && !take('}')) {
      skip();
      std::string key(word());
      if (key.empty() || !take(':')) return fail("a field is: key: value");
      value.fields.push_back({std::move(key), read(depth + 1)});
      if (!take(',') && !failed_ && !peek('}')) fail("a comma or } is missing");
    }
  }

  std::string_view word() {
    std::size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 ||
                                  rest_[end] == '_' || rest_[end] == '.' || rest_[end] == '-'))
      ++end;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }
  bool peek(char c) {
    skip();
    return !rest_.empty() && rest_.front() == c;
  }
  bool take(char c) {
    if (!peek(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Blanks and comments.
  void skip() {
    while (!rest_.empty()) {
      std::size_t length = 0;
      if (rest_.starts_with("//"))
        length = std::min(rest_.find('\n'), rest_.size());
      else if (rest_.starts_with("/*"))
        length = rest_.find("*/") == std::string_view::npos ? rest_.size() : rest_.find("*/") + 2;
      else if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
        length = 1;
      else
        return;
      for (const char c : rest_.substr(0, length)) line_ += c == '\n';
      rest_.remove_prefix(length);
    }
  }
  void fail(std::string message) {
    if (!failed_) mistakes_.add({"FILE", std::move(message), "", fmt::format("{}:{}", path_, line_)});
    failed_ = true;
  }

  std::string path_;
  std::string_view rest_;
  Mistakes& mistakes_;
  int line_ = 1;
  bool failed_ = false;
};

}  // namespace

const CaminosValue* CaminosValue::field(std::string_view key) const {
  for (const auto& [name, value] : fields)
    if (name == key) return &value;
  return nullptr;
}

std::string CaminosValue::shown() const {
  switch (kind) {
    case Kind::list:
    case Kind::experiments:
      return kind == Kind::list ? "[...]" : "![...]";
    case Kind::object:
      return fields.empty() ? name : name + " {...}";
    default:
      return name;
  }
}

CaminosValue parse_caminos(const std::string& path, const std::string& text, Mistakes& mistakes) {
  return CaminosParser(path, text, mistakes).whole();
}

}  // namespace headway::imports
