// SPDX-License-Identifier: Apache-2.0
// Appends values of JSON to a text, without a tree of them. File names can contain any bytes: invalid UTF-8
// becomes U+FFFD, so that no result is lost because of the name of its directory. Terminal control characters
// are escaped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headway {

void append_json(std::string& text, std::uint64_t number);
void append_json(std::string& text, std::string_view string);
inline void append_json(std::string& text, const std::string& string) {
  append_json(text, std::string_view(string));
}

// A whole number gets a decimal, so that readers that tell integers from doubles take it for a double. A
// number that is not finite is null.
void append_json(std::string& text, double number);
void append_list(std::string& text, const std::vector<double>& numbers);

// Ends the element or member before the next one, if there is one. No value ends with an opening bracket, as
// strings end with a quote.
inline void next_in_json(std::string& text) {
  if (text.back() != '{' && text.back() != '[') text += ',';
}

// Begins a member of the object at the end of the text; its value follows.
inline void begin_member(std::string& text, std::string_view name) {
  next_in_json(text);
  append_json(text, name);
  text += ':';
}

// A member with its value.
template <class Value>
void append_member(std::string& text, std::string_view name, const Value& value) {
  begin_member(text, name);
  append_json(text, value);
}

void append_list(std::string& text, const std::vector<std::string>& strings);

}  // namespace headway
