// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "headway/base/parse_number.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

bool is_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '-' || c == '.' || c == ':' || byte >= 0x80;
}

std::string utf8(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
  if (code < 0x10000)
    return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
  return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)),
          byte(0x80 | (code & 0x3f))};
}

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  XmlElement read() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    skip_between();
    XmlElement root;
    if (!take("<")) wrong("an element is missing");
    open_element(root, 1);
    skip_between();
    if (at_ < text_.size()) wrong("nothing may follow the root element");
    return root;
  }

 private:
  [[noreturn]] void wrong(std::string message, std::string hint = "") const {
    throw SpecError("FILE", std::move(message), std::move(hint), place_in(path_, line()));
  }
  std::uint32_t line() const {
    counted_lines_ +=
        static_cast<std::uint32_t>(std::ranges::count(text_.substr(counted_, at_ - counted_), '\n'));
    counted_ = at_;
    return 1 + counted_lines_;
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void skip_to(std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) wrong(fmt::format("the {} does not end", what));
    at_ = found + end.size();
  }
  // Comments and instructions.
  bool skip_aside() {
    if (take("<!--")) return skip_to("-->", "comment"), true;
    if (take("<?")) return skip_to("?>", "instruction"), true;
    if (text_.substr(at_).starts_with("<!DOCTYPE")) wrong("a document type is not read", "remove it");
    return false;
  }
  void skip_between() {
    do skip_blanks();
    while (skip_aside());
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (begin == at_) wrong("a name is missing");
    std::string_view all = text_.substr(begin, at_ - begin);
    const std::size_t colon = all.rfind(':');
    return std::string(colon == std::string_view::npos ? all : all.substr(colon + 1));
  }

  // Behind its "<".
  void open_element(XmlElement& element, std::size_t depth) {
    if (depth > kDeepestXml) wrong("elements are nested too deep", fmt::format("at most {}", kDeepestXml));
    element.line = line();
    element.name = name();
    for (;;) {
      skip_blanks();
      if (take("/>")) return;
      if (take(">")) return read_content(element, depth);
      std::string key = name();
      skip_blanks();
      if (!take("=")) wrong(fmt::format("attribute {} has no value", key), "write name=\"value\"");
      skip_blanks();
      const char quote = at_ < text_.size() ? text_[at_] : '\0';
      if (quote != '"' && quote != '\'') wrong(fmt::format("the value of {} is not in quotes", key));
      const std::size_t end = text_.find(quote, ++at_);
      if (end == std::string_view::npos) wrong(fmt::format("the value of {} does not end", key));
      element.attributes.emplace_back(std::move(key), characters(text_.substr(at_, end - at_)));
      at_ = end + 1;
    }
  }

  void read_content(XmlElement& element, std::size_t depth) {
    for (;;) {
      const std::size_t next = text_.find('<', at_);
      if (next == std::string_view::npos) {
        at_ = text_.size();
        wrong(fmt::format("the element {} of line {} does not end", element.name, element.line));
      }
      element.text += characters(text_.substr(at_, next - at_));
      at_ = next;
      if (take("<![CDATA[")) {
        const std::size_t begin = at_;
        skip_to("]]>", "CDATA");
        element.text += text_.substr(begin, at_ - 3 - begin);
      } else if (take("</")) {
        if (const std::string end = name(); end != element.name)
          wrong(fmt::format("{} ends, but {} of line {} is open", end, element.name, element.line));
        skip_blanks();
        if (!take(">")) wrong("> is missing");
        return;
      } else if (!skip_aside()) {
        take("<");
        element.children.emplace_back();
        open_element(element.children.back(), depth + 1);
      }
    }
  }

  std::string characters(std::string_view raw) const {
    std::string result;
    for (std::size_t at = raw.find('&'); at != std::string_view::npos; at = raw.find('&')) {
      result += raw.substr(0, at);
      const std::size_t end = raw.find(';', at);
      if (end == std::string_view::npos) wrong("an entity does not end", "write &amp; for &");
      result += entity(raw.substr(at + 1, end - at - 1));
      raw.remove_prefix(end + 1);
    }
    return result += raw;
  }
  std::string entity(std::string_view of) const {
    static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
    for (const auto& [entity, character] : kEntities)
      if (of == entity) return std::string(character);
    if (of.starts_with('#')) {
      const bool hex = of.starts_with("#x");
      const auto code = parse_number<std::uint32_t>(of.substr(hex ? 2 : 1), hex ? 16 : 10);
      if (code && *code > 0 && *code < 0x110000 && (*code < 0xd800 || *code > 0xdfff)) return utf8(*code);
    }
    wrong(fmt::format("&{}; is not known", of), "amp, lt, gt, quot, apos, and numbers");
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  mutable std::size_t counted_ = 0;  // up to here, lines are counted
  mutable std::uint32_t counted_lines_ = 0;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view of) const {
  const auto found = std::ranges::find(attributes, of, &std::pair<std::string, std::string>::first);
  return found == attributes.end() ? nullptr : &found->second;
}

XmlElement read_xml(std::string_view text, const std::string& path) { return XmlReader(text, path).read(); }

}  // namespace headway::imports
