// SPDX-License-Identifier: Apache-2.0
#include "headway/base/deflate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/base/rng.h"

namespace headway {
namespace {

// Text that compresses, of several chunks.
std::string sample() {
  Rng rng(1, 1);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>('a' + rng.below(8));
  return text;
}

std::string deflated(std::string_view text, std::size_t part) {
  Deflate stream;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += part) stream.add(text.substr(at, part), bytes);
  stream.finish(bytes);
  return bytes;
}

// Reads with `in` bytes of input and `out` of output at a time, until the end of the text or of the input.
std::string inflated(Inflate& stream, std::string_view bytes, std::size_t in, std::size_t out) {
  std::string text, room(out, '\0');
  while (stream.state() == Inflate::State::within) {
    std::span<const char> part(bytes.substr(0, in));
    const std::size_t given = part.size(), count = stream.read(part, room);
    bytes.remove_prefix(given - part.size());
    text.append(room, 0, count);
    if (count == 0 && bytes.empty()) break;
  }
  return text;
}

TEST(Deflate, ComesBackWhateverThePartsOfTheStreams) {
  const std::string text = sample();
  for (const std::size_t part : {std::size_t{1}, std::size_t{1000}, text.size()}) {
    const std::string bytes = deflated(text, part);
    EXPECT_LT(bytes.size(), text.size() / 2);
    for (const std::size_t size : {std::size_t{1}, std::size_t{77}, bytes.size()}) {
      Inflate stream(Wrapper::zlib);
      EXPECT_EQ(inflated(stream, bytes, size, size), text);
      EXPECT_EQ(stream.state(), Inflate::State::ended);
    }
  }
}

TEST(Deflate, KnowsWhatIsCutOffOrDamaged) {
  std::string bytes = deflated(sample(), 1000);
  Inflate cut_off(Wrapper::zlib);
  inflated(cut_off, std::string_view(bytes).substr(0, bytes.size() - 1), 100, 100);
  EXPECT_EQ(cut_off.state(), Inflate::State::within);
  bytes[bytes.size() - 1] ^= 1;  // of the checksum
  Inflate damaged(Wrapper::zlib);
  inflated(damaged, bytes, 100, 100);
  EXPECT_EQ(damaged.state(), Inflate::State::damaged);
  EXPECT_FALSE(damaged.problem().empty());
  Inflate other(Wrapper::gzip);
  inflated(other, bytes, 100, 100);
  EXPECT_EQ(other.state(), Inflate::State::damaged);
}

}  // namespace
}  // namespace headway
