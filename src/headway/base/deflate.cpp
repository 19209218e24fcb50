// SPDX-License-Identifier: Apache-2.0
#include "headway/base/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace headway {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits

void expect_memory(int result) {
  if (result != Z_OK) throw std::bad_alloc();
}

// Gives zlib the front of `bytes`; returns how much. zlib does not write to its input.
std::size_t give(z_stream& stream, std::span<const char> bytes) {
  const std::size_t some = std::min(bytes.size(), kMostAtOnce);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(some);
  return some;
}

void give_room(z_stream& stream, std::span<char> room) {
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(std::min(room.size(), kMostAtOnce));
}

}  // namespace

Deflate::Deflate() : stream_(std::make_unique<z_stream>()) {
  expect_memory(deflateInit(stream_.get(), Z_DEFAULT_COMPRESSION));
}

Deflate::~Deflate() { deflateEnd(stream_.get()); }

void Deflate::add(std::string_view bytes, std::string& out) {
  do {
    const std::string_view some = bytes.substr(0, kMostAtOnce);
    run(some, Z_NO_FLUSH, out);
    bytes.remove_prefix(some.size());
  } while (!bytes.empty());
}

void Deflate::finish(std::string& out) { run({}, Z_FINISH, out); }

void Deflate::run(std::string_view bytes, int flush, std::string& out) {
  std::array<char, 1 << 14> room;
  give(*stream_, bytes);
  do {
    give_room(*stream_, room);
    deflate(stream_.get(), flush);
    out.append(room.data(), room.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
}

Inflate::Inflate(Wrapper wrapper) : stream_(std::make_unique<z_stream>()) {
  constexpr int kWindow = 15, kGzip = 16;
  expect_memory(inflateInit2(stream_.get(), wrapper == Wrapper::gzip ? kWindow + kGzip : kWindow));
}

Inflate::~Inflate() { inflateEnd(stream_.get()); }

std::size_t Inflate::read(std::span<const char>& in, std::span<char> out) {
  const std::size_t given = give(*stream_, in);
  give_room(*stream_, out);
  const std::size_t room = stream_->avail_out;
  const int result = inflate(stream_.get(), Z_NO_FLUSH);
  in = in.subspan(given - stream_->avail_in);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result == Z_STREAM_END)
    state_ = State::ended;
  else if (result != Z_OK && result != Z_BUF_ERROR)
    state_ = State::damaged;
  return room - stream_->avail_out;
}

std::string_view Inflate::problem() const {
  return stream_->msg != nullptr ? stream_->msg : "not compressed by deflate";
}

void Inflate::restart() {
  inflateReset(stream_.get());
  state_ = State::within;
}

}  // namespace headway
