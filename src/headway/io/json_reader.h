// SPDX-License-Identifier: Apache-2.0
// Reads the values of a JSON text in their order, without a tree of them: the caller says which kind of value
// it expects, and takes it. The text must be strict JSON in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headway {

// The text is not JSON, or a value has another kind than expected. what() is a clause: "a value is not a
// text".
class BadJson : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class JsonKind : std::uint8_t { null, boolean, number, text, array, object };

class JsonReader {
 public:
  static constexpr std::size_t kMostDepth = 64;  // of arrays and objects in each other

  explicit JsonReader(std::string_view text) : rest_(text) {}  // the text must outlive this

  JsonKind kind();  // of the next value

  // Each takes the next value. All throw BadJson.
  void null();
  bool boolean();
  double number();
  std::uint64_t whole();
  std::string text();
  std::string_view scalar();  // a number, a boolean or null as it is written
  void skip();                // any value
  // `each` takes the value of a member or an element.
  template <class Each>
  void object(Each each) {
    expect('{', JsonKind::object, "a value is not an object");
    std::string name;
    for (bool more = begin('}'); more; more = another('}')) {
      name = text();
      colon();
      each(name);
    }
  }
  template <class Each>
  void array(Each each) {
    expect('[', JsonKind::array, "a value is not a list");
    for (bool more = begin(']'); more; more = another(']')) each();
  }

  void end();  // throws BadJson if another value follows

 private:
  bool take(char c);  // after white space
  void expect(char c, JsonKind kind, const char* otherwise);
  bool begin(char close);    // false if the array or object is empty
  bool another(char close);  // false after the last element
  void colon();
  void word(std::string_view expected);
  std::string_view number_text();
  void escape(std::string& text);
  std::uint32_t code_unit();

  std::string_view rest_;
  std::size_t depth_ = 0;
};

}  // namespace headway
