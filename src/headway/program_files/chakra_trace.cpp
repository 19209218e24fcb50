// SPDX-License-Identifier: Apache-2.0
// The traces of the ranks follow one another in the file. A message that has no other fields than metadata,
// whose two fields are texts or messages, begins the next rank; nodes have a type, which is a number.
#include "headway/program_files/chakra_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace headway {
namespace {

constexpr std::uint64_t kLongestMessage = 1 << 28;
constexpr std::size_t kShortest = 1 << 12;  // beginning of a file with a longer first message
constexpr std::uint64_t kMostType = static_cast<std::uint64_t>(ChakraType::collective);

using Type = protozero::pbf_wire_type;

struct WrongType : protozero::exception {
  const char* what() const noexcept override { return "a field has another type"; }
};

// protozero checks types in debug builds only.
protozero::pbf_reader& expect(Type type, protozero::pbf_reader& field) {
  if (field.wire_type() != type) throw WrongType();
  return field;
}
std::uint64_t number_in(protozero::pbf_reader& field) { return expect(Type::varint, field).get_uint64(); }
protozero::pbf_reader message_in(protozero::pbf_reader& field) {
  return expect(Type::length_delimited, field).get_message();
}
std::string_view text_in(protozero::pbf_reader& field) {
  const protozero::data_view text = expect(Type::length_delimited, field).get_view();
  return {text.data(), text.size()};
}

// A value of an attribute.
struct ChakraValue {
  std::optional<std::uint64_t> number;  // of any type of whole number
  std::string_view text;
  bool any_false = false;  // in a list of truth values
};

bool has_false(protozero::pbf_reader list) {
  bool any = false;
  while (list.next(1))
    if (list.wire_type() == Type::length_delimited)
      for (const bool value : list.get_packed_bool()) any |= !value;
    else
      any |= number_in(list) == 0;
  return any;
}

bool is_metadata(std::string_view bytes) {
  protozero::pbf_reader message(bytes.data(), bytes.size());
  bool only = true;
  while (message.next()) {
    only &= message.tag() <= 2 && message.wire_type() == Type::length_delimited;
    message.skip();
  }
  return only;
}

class ChakraReader {
 public:
  explicit ChakraReader(ProgramText& text) : text_(text) {}

  std::vector<ChakraRank> read() {
    while (!text_.ahead(1).empty()) {
      const std::uint64_t at = text_.offset();
      try {
        read_message(at);
      } catch (const protozero::exception& error) {
        throw wrong(at, fmt::format("this message is damaged: {}", error.what()));
      }
    }
    if (ranks_.empty()) throw WrongByte{0, "the file has no trace"};
    return std::move(ranks_);
  }

 private:
  WrongByte wrong(std::uint64_t at, std::string message, std::string hint = "") const {
    return wrong_in_last(ranks_, at - begin_, std::move(message), std::move(hint));
  }

  std::uint64_t read_length(std::uint64_t at) {
    std::uint64_t length = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = text_.take(1);
      if (byte.empty()) break;
      length |= std::uint64_t{static_cast<unsigned char>(byte[0]) & 0x7fU} << shift;
      if (static_cast<unsigned char>(byte[0]) < 0x80) return length;
    }
    throw wrong(at, "the length of a message is missing");
  }

  void read_message(std::uint64_t at) {
    const std::uint64_t length = read_length(at);
    if (length > kLongestMessage)
      throw wrong(at, fmt::format("a message has {} B", length), fmt::format("at most {}", kLongestMessage));
    const std::string_view bytes = text_.take(static_cast<std::size_t>(length));
    if (bytes.size() < length)
      throw wrong(at, fmt::format("a message has {} B, but the file ends after {}", length, bytes.size()));
    if (is_metadata(bytes)) {
      begin_ = at;
      ranks_.emplace_back();
    } else if (ranks_.empty()) {
      throw wrong(at, "the trace does not begin with its metadata");
    } else {
      ranks_.back().push_back(read_node(bytes, at));
    }
  }

  ChakraNode read_node(std::string_view bytes, std::uint64_t at) const {
    protozero::pbf_reader message(bytes.data(), bytes.size());
    ChakraNode node{.at = at - begin_};
    while (message.next()) switch (message.tag()) {
        case 1:
          node.id = number_in(message);
          break;
        case 3: {
          const std::uint64_t type = number_in(message);
          if (type > kMostType)
            throw wrong(at, fmt::format("the type {} of a node is unknown", type),
                        fmt::format("0 to {}", kMostType));
          node.type = static_cast<ChakraType>(type);
          break;
        }
        case 4:
        case 5:
          read_needed(message, node);
          break;
        case 7:
          node.duration = number_in(message);
          break;
        case 10:
          read_attribute(message_in(message), node);
          break;
        default:
          message.skip();
      }
    std::ranges::sort(node.needed);
    node.needed.erase(std::unique(node.needed.begin(), node.needed.end()), node.needed.end());
    return node;
  }

  static void read_needed(protozero::pbf_reader& message, ChakraNode& node) {
    if (message.wire_type() == Type::length_delimited)
      for (const std::uint64_t id : message.get_packed_uint64()) node.needed.push_back(id);
    else
      node.needed.push_back(number_in(message));
  }

  // Writers do not agree on the types of numbers, so any type is fine.
  static ChakraValue read_value(protozero::pbf_reader& attribute) {
    ChakraValue value;
    switch (attribute.tag()) {
      case 7:
      case 9:
      case 11:
      case 13:
      case 27:
        value.number = number_in(attribute);
        break;
      case 15:
      case 17:
        value.number = static_cast<std::uint64_t>(expect(Type::varint, attribute).get_sint64());
        break;
      case 19:
        value.number = expect(Type::fixed32, attribute).get_fixed32();
        break;
      case 21:
        value.number = expect(Type::fixed64, attribute).get_fixed64();
        break;
      case 23:
        value.number = static_cast<std::uint64_t>(expect(Type::fixed32, attribute).get_sfixed32());
        break;
      case 25:
        value.number = static_cast<std::uint64_t>(expect(Type::fixed64, attribute).get_sfixed64());
        break;
      case 28:
        value.any_false = has_false(message_in(attribute));
        break;
      case 29:
        value.text = text_in(attribute);
        break;
      default:
        attribute.skip();
    }
    return value;
  }

  static void read_attribute(protozero::pbf_reader attribute, ChakraNode& node) {
    std::string_view name;
    ChakraValue value;
    while (attribute.next())
      if (attribute.tag() == 1)
        name = text_in(attribute);
      else if (attribute.tag() == 2)
        attribute.skip();
      else
        value = read_value(attribute);
    if (name == "is_cpu_op") node.on_cpu = value.number.value_or(0) != 0;
    if (name == "comm_type") node.collective = value.number;
    if (name == "comm_size") node.size = value.number;
    if (name == "comm_src") node.source = value.number;
    if (name == "comm_dst") node.destination = value.number;
    if (name == "comm_tag") node.tag = value.number.value_or(0);
    if (name == "pg_name") node.group = value.text;
    if (name == "involved_dim") node.in_part = value.any_false;
  }

  ProgramText& text_;
  std::vector<ChakraRank> ranks_;
  std::uint64_t begin_ = 0;  // byte of the file where the last rank begins
};

}  // namespace

WrongByte wrong_in_last(const std::vector<ChakraRank>& ranks, std::uint64_t byte, std::string message,
                        std::string hint) {
  return {byte, std::move(message), std::move(hint),
          ranks.empty() ? "" : fmt::format("rank {}", ranks.size() - 1)};
}

std::vector<ChakraRank> read_chakra(ProgramText& text) { return ChakraReader(text).read(); }

// The first message is metadata that are not empty.
bool is_chakra(std::string_view beginning) {
  try {
    const char* first = beginning.data();
    const std::uint64_t length = protozero::decode_varint(&first, first + beginning.size());
    const std::string_view message(
        first, std::min<std::uint64_t>(length, beginning.data() + beginning.size() - first));
    if (message.size() == length) return length > 0 && is_metadata(message);
    return length <= kLongestMessage && beginning.size() > kShortest &&
           (message[0] == '\x0a' || message[0] == '\x12');
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace headway
