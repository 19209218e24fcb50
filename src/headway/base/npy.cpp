// SPDX-License-Identifier: Apache-2.0
#include "headway/base/npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "headway/base/parse_number.h"

namespace headway {
namespace {

constexpr std::string_view kBeginningOfNpy = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 8, kMostFields = 64, kMostElementBytes = 1 << 16;
constexpr std::uint64_t kMostElements = 1ULL << 40;

// Parses the header: a Python dictionary with the keys descr, fortran_order and shape.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_type = false, has_order = false, has_shape = false, fortran = false;
    expect('{');
    while (!take('}')) {
      const std::string key = text();
      expect(':');
      if (key == "descr" && !std::exchange(has_type, true))
        read_type(header);
      else if (key == "fortran_order" && !std::exchange(has_order, true))
        fortran = truth();
      else if (key == "shape" && !std::exchange(has_shape, true))
        read_shape(header);
      else
        refuse("its header has the key \"" + key.substr(0, 40) + "\" twice or does not know it");
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (!rest_.empty()) refuse("there is text after the dictionary of its header");
    if (!has_type || !has_order || !has_shape) refuse("its header needs descr, fortran_order and shape");
    if (fortran && header.shape.size() > 1)
      throw NpyError("its elements are in Fortran order; numpy.ascontiguousarray gives C order");
    return header;
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) { throw NpyError(why); }

  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool take(char c) {
    blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(std::string("its header lacks a '") + c + "'");
  }
  std::string text() {
    blanks();
    const char quote = rest_.empty() ? ' ' : rest_.front();
    if (quote != '\'' && quote != '"') refuse("its header lacks a text");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) refuse("a string in its header is not terminated");
    std::string result(rest_.substr(1, end - 1));
    if (result.find('\\') != std::string::npos) refuse("a string in its header contains a backslash");
    rest_.remove_prefix(end + 1);
    return result;
  }
  bool truth() {
    blanks();
    for (const auto& [word, value] : {std::pair{std::string_view("False"), false}, {"True", true}})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    refuse("fortran_order is neither True nor False");
  }
  std::uint64_t number() {
    blanks();
    const auto value = take_number<std::uint64_t>(rest_);
    if (!value) refuse("its shape is not a list of whole numbers");
    return *value;
  }

  void read_shape(NpyHeader& header) {
    expect('(');
    while (!take(')')) {
      header.shape.push_back(number());
      if (header.shape.size() > kMostDimensions) refuse("it has too many dimensions");
      if (!take(',')) {
        if (header.shape.size() == 1) refuse("its shape of one dimension lacks a comma");
        expect(')');
        break;
      }
    }
    std::uint64_t elements = 1;
    for (const std::uint64_t size : header.shape) {
      if (size > kMostElements || (size > 0 && elements > kMostElements / size)) refuse("it is too large");
      elements *= size;
    }
  }

  void read_type(NpyHeader& header) {
    if (!take('[')) {
      header.fields = {{"", type_of(text()), 0}};
      header.element_bytes = header.fields[0].type.bytes;
      return;
    }
    header.is_structured = true;
    while (!take(']')) {
      expect('(');
      const std::string name = text();
      expect(',');
      add_field(header, name, text());
      if (!take(')')) refuse("field \"" + name.substr(0, 40) + "\" is an array; fields must be numbers");
      if (!take(',')) {
        expect(']');
        break;
      }
    }
    if (header.fields.empty()) refuse("its records have no fields");
    if (header.element_bytes > kMostElementBytes) refuse("its records are too large");
  }

  // A field without a name is padding: "|V4".
  static void add_field(NpyHeader& header, const std::string& name, const std::string& type) {
    if (name.empty()) {
      const auto room = type.starts_with("|V") ? parse_number<std::uint32_t>(type.substr(2)) : std::nullopt;
      if (!room || *room == 0 || *room > 4096) refuse("a field has no name");
      header.element_bytes += *room;
      return;
    }
    if (header.field(name) != nullptr) refuse("it has two fields \"" + name.substr(0, 40) + "\"");
    if (header.fields.size() >= kMostFields) refuse("it has too many fields");
    header.fields.push_back({name, type_of(type), header.element_bytes});
    header.element_bytes += header.fields.back().type.bytes;
  }

  static NpyType type_of(const std::string& text) {
    const auto wrong = [&] {
      refuse("its type \"" + text.substr(0, 40) +
             "\" is neither an integer of 8 to 64 bits nor a floating-point number of 32 or 64 bits");
    };
    if (text.size() != 3) wrong();
    const char order = text[0];
    NpyType type;
    type.bytes = static_cast<std::uint8_t>(text[2] - '0');
    type.big_endian = order == '>';
    type.kind = text[1] == 'i'   ? NpyType::Kind::whole
                : text[1] == 'u' ? NpyType::Kind::natural
                                 : NpyType::Kind::real;
    const bool is_known = text[1] == 'i' || text[1] == 'u' || text[1] == 'f';
    const bool has_size =
        type.bytes == 8 || type.bytes == 4 || (type.is_integer() && (type.bytes == 2 || type.bytes == 1));
    const bool has_order =
        type.bytes == 1 ? order == '|' || order == '<' || order == '>' : order == '<' || order == '>';
    if (!is_known || !has_size || !has_order) wrong();
    return type;
  }

  std::string_view rest_;
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::uint64_t NpyType::raw(const char* at) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value = value << 8 | static_cast<unsigned char>(at[big_endian ? i : bytes - 1 - i]);
  return value;
}

std::optional<std::int64_t> NpyType::integer(const char* at) const {
  const std::uint64_t value = raw(at);
  if (kind == Kind::natural) {
    if (value > INT64_MAX) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  const int unused = 64 - 8 * bytes;  // the sign is the highest bit
  return static_cast<std::int64_t>(value << unused) >> unused;
}

double NpyType::real(const char* at) const {
  if (kind == Kind::natural) return static_cast<double>(raw(at));
  if (kind == Kind::whole) return static_cast<double>(*integer(at));
  if (bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(raw(at)));
  return std::bit_cast<double>(raw(at));
}

std::uint64_t NpyHeader::elements() const {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return count;
}

std::string NpyHeader::shape_text() const {
  std::string text;
  for (const std::uint64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "a single value" : text;
}

const NpyField* NpyHeader::field(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &NpyField::name);
  return found == fields.end() ? nullptr : &*found;
}

bool is_npy(std::string_view beginning) { return beginning.starts_with(kBeginningOfNpy); }

NpyHeader read_npy_header(std::string_view beginning) {
  if (!is_npy(beginning)) throw NpyError("it does not begin with the signature of a .npy file");
  std::string_view rest = beginning.substr(kBeginningOfNpy.size());
  if (rest.size() < 2) throw NpyError("it ends in its header");
  const int version = static_cast<unsigned char>(rest[0]);
  if (version < 1 || version > 3 || rest[1] != 0) throw NpyError("its version is not 1.0, 2.0 or 3.0");
  rest.remove_prefix(2);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (rest.size() < length_bytes) throw NpyError("it ends in its header");
  const std::size_t length = little_endian(rest.substr(0, length_bytes));
  rest.remove_prefix(length_bytes);
  const std::size_t data = kBeginningOfNpy.size() + 2 + length_bytes + length;
  if (data > kNpyBeginning) throw NpyError("its header is longer than 64 KiB");
  if (rest.size() < length) throw NpyError("it ends in its header");
  if (length == 0 || rest[length - 1] != '\n') throw NpyError("its header does not end with a line end");
  NpyHeader header = HeaderParser(rest.substr(0, length)).parse();
  header.data = data;
  return header;
}

NpyHeader read_npy(std::string_view file) {
  NpyHeader header = read_npy_header(file.substr(0, kNpyBeginning));
  const std::uint64_t bytes = file.size() - header.data;
  if (header.elements() * header.element_bytes != bytes)
    throw NpyError("its shape, " + header.shape_text() + ", needs " +
                   std::to_string(header.elements() * header.element_bytes) +
                   " bytes behind the header, but it has " + std::to_string(bytes));
  return header;
}

}  // namespace headway
