// SPDX-License-Identifier: Apache-2.0
// Short or long (HEADWAY_FUZZ=long) deterministic fuzzing with random bytes and with mutations of a valid
// trace of every format, plain and compressed. trace_fuzzer.cpp fuzzes endlessly.
#include "tests/fuzz/trace_fuzz.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <functional>
#include <string>
#include <vector>

#include "headway/base/rng.h"
#include "headway/config/document.h"
#include "tests/fuzz/in_children.h"
#include "tests/fuzz/mutate.h"

namespace headway {
namespace {

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

// Reads the bytes of every case in a child process.
void expect_survived(std::uint64_t number, const std::function<std::string(std::uint64_t)>& bytes_of_case) {
  test::expect_none(test::run_in_children(number,
                                          [&](std::uint64_t i) {
                                            read_trace_bytes(bytes_of_case(i));
                                            return "";
                                          }),
                    [&](std::uint64_t i) { return to_text(Document(bytes_of_case(i))); });
}

TEST(TraceFuzz, SurvivesRandomBytes) {
  expect_survived(test::cases(1000, 50'000), [](std::uint64_t number) {
    Rng rng(1, number);
    std::string bytes(rng.below(200), ' ');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    return number % 3 == 0 ? std::string("\0\0\0\x34\0\1\0\1", 8) + bytes : bytes;  // with a header as of SRT
  });
}

TEST(TraceFuzz, SurvivesMutationsOfValidTraces) {
  std::vector<std::string> traces;
  for (const std::string_view format : file_formats()) {
    const std::string plain = test::sample_trace(format);
    for (const std::string& trace : {plain, gzipped(plain), zstandard(plain)}) traces.push_back(trace);
  }
  expect_survived(test::cases(1000, 50'000), [&](std::uint64_t number) {
    Rng rng(2, number);
    std::string bytes = traces[number % traces.size()];
    test::mutate_text(bytes, rng);
    return bytes;
  });
}

}  // namespace
}  // namespace headway
