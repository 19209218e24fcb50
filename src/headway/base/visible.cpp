// SPDX-License-Identifier: Apache-2.0
// UTF-8 is decoded strictly as in RFC 3629: no overlong forms, no surrogates. An invalid byte is shown by
// itself, and decoding continues after it.
#include "headway/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headway {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not a valid character
};

// The character at the beginning of text, which is not empty.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

// How many bytes of a text that begins with no valid character are the beginning of one; at least one.
std::size_t beginning(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0xc2 || first > 0xf4) return 1;
  const std::size_t all = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  // the second bytes without overlong forms, surrogates, and codes above U+10FFFF
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  std::size_t bytes = 1;
  while (bytes < std::min(all, text.size()) && byte(bytes) >= (bytes == 1 ? least : 0x80) &&
         byte(bytes) <= (bytes == 1 ? most : 0xbf))
    ++bytes;
  return bytes;
}

// Control characters (C0, DEL, C1), the line and paragraph separators, characters that change the direction
// of text (Unicode TR 36, section 2.7), and characters that XML 1.0 cannot contain.
bool printable(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  if (code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e)) return false;
  return !(code >= 0x2066 && code <= 0x2069) && code != 0xfeff && code != 0xfffe && code != 0xffff;
}

bool stays(std::uint32_t code, std::string_view also) {
  return printable(code) || (code < 0x20 && also.find(static_cast<char>(code)) != std::string_view::npos);
}

std::string byte_shown(char byte) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte)); }

std::string shown_in_text(std::uint32_t code) {
  return code < 0x80 ? byte_shown(static_cast<char>(code)) : fmt::format("\\u{:04x}", code);
}

std::string shown_in_string(std::uint32_t code) { return fmt::format("\\u{:04x}", code); }

std::string show(std::string_view text, std::string_view also, std::string (*shown_code)(std::uint32_t)) {
  std::string shown;
  while (!text.empty()) {
    const auto special =
        std::ranges::find_if(text, [](char c) { return c < ' ' || c > '~'; });  // beyond ASCII
    const auto plain = static_cast<std::size_t>(special - text.begin());
    shown += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Character character = decode(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes > 0 && stays(character.code, also))
      shown += text.substr(0, bytes);
    else
      shown += character.bytes == 0 ? byte_shown(text[0]) : shown_code(character.code);
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace

std::string visible(std::string_view text) { return show(text, "", shown_in_text); }

std::string visible_lines(std::string_view text) { return show(text, "\n\t", shown_in_text); }

std::string escaped(std::string_view document) { return show(document, "\n\t", shown_in_string); }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character character = decode(text);
    if (character.bytes == 0) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

std::string with_valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const Character character = decode(text);
    if (character.bytes > 0)
      valid += text.substr(0, character.bytes);
    else
      valid += "\xef\xbf\xbd";
    text.remove_prefix(character.bytes > 0 ? character.bytes : beginning(text));
  }
  return valid;
}

bool is_visible(std::string_view text) {
  while (!text.empty()) {
    const Character character = decode(text);
    if (character.bytes == 0 || !printable(character.code)) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace headway
