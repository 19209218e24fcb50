// SPDX-License-Identifier: Apache-2.0
// A moment of fuzzing that is the same every time: random bytes, and mutations of a valid trace of every
// format, plain and compressed. trace_fuzzer.cpp goes on from there.
#include "tests/fuzz/trace_fuzz.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "headway/base/rng.h"

namespace headway {
namespace {

std::string valid(std::string_view format) {
  std::vector<TraceRecord> records;
  for (int i = 0; i < 12; ++i)
    records.push_back(
        {i * kMillisecond, i % 2 == 0 ? Operation::read : Operation::write, {}, 3, 1024, kMillisecond, 0});
  return test::written(format, records);
}

std::string gzipped(const std::string& text) {
  std::string result(compressBound(text.size()) + 32, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string zstandard(const std::string& text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  result.resize(ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 1));
  return result;
}

TEST(TraceFuzz, SurvivesRandomBytes) {
  Rng rng(1, 0);
  for (int round = 0; round < 1000; ++round) {
    std::string bytes(rng.below(200), ' ');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    if (round % 3 == 0) bytes = std::string("\0\0\0\x34\0\1\0\1", 8) + bytes;  // as if it were SRT
    read_trace_bytes(bytes);
  }
}

TEST(TraceFuzz, SurvivesMutationsOfValidTraces) {
  Rng rng(2, 0);
  constexpr std::string_view kTokens[] = {
      ",", "\n", "-", "e99", "1e-99", ".", "\xff", "99999999999999999999999", " "};
  for (const std::string_view format : test::file_formats())
    for (const std::string& trace : {valid(format), gzipped(valid(format)), zstandard(valid(format))})
      for (int round = 0; round < 60; ++round) {
        std::string bytes = trace;
        for (std::uint32_t i = 1 + rng.below(4); i > 0; --i) {
          const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
          const std::uint32_t kind = rng.below(4);
          if (kind == 0) bytes[at] = static_cast<char>(rng.below(256));
          if (kind == 1) bytes.erase(at, rng.below(8));
          if (kind == 2) bytes.insert(at, kTokens[rng.below(std::size(kTokens))]);
          if (kind == 3) bytes.resize(at + 1);
        }
        read_trace_bytes(bytes);
      }
}

}  // namespace
}  // namespace headway
