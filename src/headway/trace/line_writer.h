// SPDX-License-Identifier: Apache-2.0
// The base class of trace writers that write one line per record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "headway/base/error.h"
#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway {

class LineWriter : public TraceWriter {
 public:
  LineWriter(std::unique_ptr<ByteSink> sink, std::string name)
      : sink_(std::move(sink)), name_(std::move(name)) {}
  void write(const TraceRecord& record) final {
    ++records_;
    put(line(record) + '\n');
  }
  void close() final {
    sink_->write(text_);
    sink_->close();
  }

 protected:
  virtual std::string line(const TraceRecord& record) = 0;
  void put(std::string_view text) {
    constexpr std::size_t kEnough = 1 << 16;
    text_ += text;
    if (text_.size() < kEnough) return;
    sink_->write(text_);
    text_.clear();
  }
  [[noreturn]] void cannot(const std::string& why) const {
    throw TraceError(name_ + ": record " + std::to_string(records_), why);
  }

 private:
  std::unique_ptr<ByteSink> sink_;
  std::string name_;
  std::string text_;
  std::uint64_t records_ = 0;
};

}  // namespace headway
