// SPDX-License-Identifier: Apache-2.0
#include "headway/program_files/chakra_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "headway/base/parse_number.h"

namespace headway {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> kTypeNames = {"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                                        "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                                        "COMM_RECV_NODE", "COMM_COLL_NODE"};

// The object that begins at the next byte that is not blank; empty at the end of the file, and if it does not
// end. Texts can contain braces.
std::string take_object(ProgramText& text, std::uint64_t& begin) {
  constexpr std::size_t kMostOfObject = 1 << 28;
  while (!text.ahead(1).empty() && std::isspace(static_cast<unsigned char>(text.ahead(1)[0])) != 0)
    text.take(1);
  begin = text.offset();
  std::string object;
  std::size_t depth = 0;
  bool in_text = false, escaped = false;
  for (;;) {
    const std::string_view next = text.take(1);
    if (next.empty() || object.size() > kMostOfObject) return "";
    const char c = next[0];
    object += c;
    if (object.size() == 1 && c != '{') return object;  // no object begins here
    if (escaped)
      escaped = false;
    else if (in_text)
      escaped = c == '\\', in_text = c != '"';
    else if (c == '"')
      in_text = true;
    else if (c == '{')
      ++depth;
    else if (c == '}' && --depth == 0)
      return object;
  }
}

class ChakraJsonReader {
 public:
  explicit ChakraJsonReader(ProgramText& text) : text_(text) {}

  std::vector<ChakraRank> read() {
    for (;;) {
      std::uint64_t at = 0;
      const std::string bytes = take_object(text_, at);
      if (bytes.empty()) {
        if (at < text_.offset()) throw wrong(at, "this object does not end");
        break;
      }
      const json object = json::parse(bytes, nullptr, /*allow_exceptions=*/false);
      if (!object.is_object())
        throw wrong(at, "this is no object of JSON",
                    "a trace is an object with its metadata, and an object for each node");
      if (object.contains("nodes") || object.contains("workload_graph"))
        throw wrong(at, "this is no trace of Chakra's nodes, one behind the other",
                    "chakra_converter and chakra_jsonizer make such a trace");
      if (!object.contains("type") && !object.contains("name") && !object.contains("id")) {
        begin_ = at;
        ranks_.emplace_back();
      } else if (ranks_.empty()) {
        throw wrong(at, "the trace does not begin with its metadata", "such as {\"version\": \"0.0.4\"}");
      } else {
        ranks_.back().push_back(node(object, at));
      }
    }
    if (ranks_.empty()) throw WrongByte{0, "the file has no trace"};
    return std::move(ranks_);
  }

 private:
  WrongByte wrong(std::uint64_t at, std::string message, std::string hint = "") const {
    return wrong_in_last(ranks_, at - begin_, std::move(message), std::move(hint));
  }

  // Protobuf writes camel case, some tools the names of the schema.
  static const json* field(const json& object, const char* camel, const char* snake) {
    for (const char* const name : {camel, snake})
      if (const auto found = object.find(name); found != object.end()) return &*found;
    return nullptr;
  }
  std::uint64_t number(const json& value, const char* what, std::uint64_t at) const {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_string())
      if (const auto parsed = parse_number<std::uint64_t>(value.get_ref<const std::string&>()))
        return *parsed;
    throw wrong(at, fmt::format("{} is not a whole number", what));
  }

  ChakraNode node(const json& object, std::uint64_t at) const {
    ChakraNode node{.at = at - begin_};
    if (const auto id = object.find("id"); id != object.end()) node.id = number(*id, "id", at);
    if (const auto type = object.find("type"); type != object.end()) node.type = type_of(*type, at);
    if (const json* const duration = field(object, "durationMicros", "duration_micros"))
      node.duration = number(*duration, "durationMicros", at);
    needs(field(object, "dataDeps", "data_deps"), node, at);
    needs(field(object, "ctrlDeps", "ctrl_deps"), node, at);
    std::ranges::sort(node.needed);
    node.needed.erase(std::unique(node.needed.begin(), node.needed.end()), node.needed.end());
    if (const auto attributes = object.find("attr"); attributes != object.end()) {
      if (!attributes->is_array()) throw wrong(at, "attr is no list");
      for (const json& one : *attributes) attribute(one, node, at);
    }
    return node;
  }

  ChakraType type_of(const json& type, std::uint64_t at) const {
    const auto found = type.is_string() ? std::ranges::find(kTypeNames, type.get_ref<const std::string&>())
                                        : kTypeNames.end();
    if (found != kTypeNames.end()) return static_cast<ChakraType>(found - kTypeNames.begin());
    if (type.is_number_unsigned() && type.get<std::uint64_t>() < kTypeNames.size())
      return static_cast<ChakraType>(type.get<std::uint64_t>());
    throw wrong(at, "the type of this node is unknown", "such as COMP_NODE or COMM_COLL_NODE");
  }

  void needs(const json* list, ChakraNode& node, std::uint64_t at) const {
    if (list == nullptr) return;
    if (!list->is_array()) throw wrong(at, "the nodes that this one needs are no list");
    for (const json& id : *list) node.needed.push_back(number(id, "the number of a node", at));
  }

  // {"name": "comm_size", "int64Val": "1048576"}: the value is the field that is neither the name nor the
  // text about it.
  void attribute(const json& one, ChakraNode& node, std::uint64_t at) const {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string())
      throw wrong(at, "an attribute has no name");
    const std::string& name = one["name"].get_ref<const std::string&>();
    const json* value = nullptr;
    for (const auto& [key, content] : one.items())
      if (key != "name" && key != "docString" && key != "doc_string") value = &content;
    const auto count = [&] {
      return value == nullptr ? 0 : number(*value, name.c_str(), at);
    };  // 0 is not written
    if (name == "is_cpu_op") node.on_cpu = count() != 0;
    if (name == "comm_type") node.collective = count();
    if (name == "comm_size") node.size = count();
    if (name == "comm_src") node.source = count();
    if (name == "comm_dst") node.destination = count();
    if (name == "comm_tag") node.tag = count();
    if (name == "pg_name" && value != nullptr && value->is_string()) node.group = value->get<std::string>();
    if (name == "involved_dim" && value != nullptr && value->is_object())
      if (const auto values = value->find("values"); values != value->end() && values->is_array())
        node.in_part =
            std::ranges::any_of(*values, [](const json& dimension) { return dimension == json(false); });
  }

  ProgramText& text_;
  std::vector<ChakraRank> ranks_;
  std::uint64_t begin_ = 0;  // byte of the file where the last rank begins
};

}  // namespace

bool is_chakra_json(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || beginning[first] != '{') return false;
  for (const std::string_view word : {"_NODE\"", "\"workload_graph\"", "-chakra."})
    if (beginning.find(word) != std::string_view::npos) return true;
  return false;
}

std::vector<ChakraRank> read_chakra_json(ProgramText& text) { return ChakraJsonReader(text).read(); }

}  // namespace headway
