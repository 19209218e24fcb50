// SPDX-License-Identifier: Apache-2.0
// Writes Chakra execution traces, for tests that damage and read them.
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headway::test {

struct ChakraAttribute {
  std::string_view name;
  std::uint64_t number;
};

class ChakraBytes {
 public:
  // The metadata, which begin the trace of a rank.
  ChakraBytes& rank() {
    std::string message;
    protozero::pbf_writer(message).add_string(1, "0.0.4");
    return add(message);
  }
  ChakraBytes& node(std::uint64_t id, int type, std::uint64_t duration, std::vector<std::uint64_t> needs = {},
                    const std::vector<ChakraAttribute>& attributes = {}, std::string_view group = "") {
    std::string message;
    protozero::pbf_writer writer(message);
    if (id != 0) writer.add_uint64(1, id);
    writer.add_string(2, "n");
    writer.add_enum(3, type);
    writer.add_packed_uint64(5, needs.begin(), needs.end());
    writer.add_uint64(7, duration);
    for (const ChakraAttribute& attribute : attributes) {
      protozero::pbf_writer inner(writer, 10);
      inner.add_string(1, std::string(attribute.name));
      inner.add_int64(9, static_cast<std::int64_t>(attribute.number));
    }
    if (!group.empty()) {
      protozero::pbf_writer inner(writer, 10);
      inner.add_string(1, "pg_name");
      inner.add_string(29, std::string(group));
    }
    return add(message);
  }
  ChakraBytes& add(std::string_view message) {
    protozero::write_varint(std::back_inserter(bytes_), message.size());
    bytes_ += message;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Two ranks: each computes, then they reduce; rank 0 sends to rank 1, which waits for it.
inline std::string small_chakra() {
  return ChakraBytes()
      .rank()
      .node(0, 4, 5)
      .node(1, 7, 0, {0}, {{"comm_type", 0}, {"comm_size", 8}})
      .node(2, 5, 0, {1}, {{"comm_dst", 1}, {"comm_size", 16}, {"comm_tag", 3}})
      .rank()
      .node(7, 4, 6, {}, {{"is_cpu_op", 1}})
      .node(8, 7, 0, {7}, {{"comm_type", 0}, {"comm_size", 8}})
      .node(9, 6, 0, {8}, {{"comm_src", 0}, {"comm_size", 16}, {"comm_tag", 3}})
      .bytes();
}

// What chakra_jsonizer prints of the trace of small_chakra: numbers of 64 bits are texts, zeros are
// missing.
inline constexpr std::string_view kSmallChakraJson = R"({"version": "0.0.4"}
{"name": "n {", "type": "COMP_NODE", "durationMicros": "5"}{
  "id": "1", "name": "n", "type": "COMM_COLL_NODE", "dataDeps": ["0"],
  "attr": [{"name": "comm_type"}, {"name": "comm_size", "int64Val": "8"}]
}
{"id": "2", "name": "n", "type": "COMM_SEND_NODE", "dataDeps": ["1"], "attr": [
  {"name": "comm_dst", "int32Val": 1}, {"name": "comm_size", "docString": "d", "uint64Val": "16"}, {"name": "comm_tag", "int32Val": 3}]}
{"version": "0.0.4"}
{"id": 7, "name": "n", "type": 4, "duration_micros": 6, "attr": [{"name": "is_cpu_op", "boolVal": true}]}
{"id": "8", "name": "n", "type": "COMM_COLL_NODE", "ctrl_deps": [7], "attr": [{"name": "comm_type"}, {"name": "comm_size", "int64Val": "8"}]}
{"id": "9", "name": "n", "type": "COMM_RECV_NODE", "dataDeps": ["8"], "attr": [
  {"name": "comm_src"}, {"name": "comm_size", "int64Val": "16"}, {"name": "comm_tag", "int64Val": "3"}]}
)";

}  // namespace headway::test
