// SPDX-License-Identifier: Apache-2.0
// Compression by deflate (RFC 1951), as a stream in each direction: the only interface to zlib's streams.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct z_stream_s;

namespace headway {

enum class Wrapper { zlib, gzip };  // around the compressed data

class Deflate {
 public:
  Deflate();  // Wrapper::zlib
  ~Deflate();
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  // Compresses bytes and appends what is ready to `out`.
  void add(std::string_view bytes, std::string& out);
  void finish(std::string& out);  // appends the rest

 private:
  void run(std::string_view bytes, int flush, std::string& out);

  std::unique_ptr<z_stream_s> stream_;
};

class Inflate {
 public:
  enum class State { within, ended, damaged };

  explicit Inflate(Wrapper wrapper);
  ~Inflate();
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  // Decompresses bytes from the front of `in`, and removes them there. Returns the number of bytes written to
  // `out`.
  std::size_t read(std::span<const char>& in, std::span<char> out);
  State state() const { return state_; }
  std::string_view problem() const;  // what is damaged
  void restart();                    // after the end: another stream follows

 private:
  std::unique_ptr<z_stream_s> stream_;
  State state_ = State::within;
};

}  // namespace headway
