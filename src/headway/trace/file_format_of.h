// SPDX-License-Identifier: Apache-2.0
// A trace format with a class that reads its files.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway {

template <class Reader>
class FileFormatOf : public FileFormat {
 public:
  std::unique_ptr<TraceReader> read(std::unique_ptr<ByteSource> source, std::string name,
                                    bool skip_bad) const final {
    return std::make_unique<Reader>(std::move(source), std::move(name), skip_bad);
  }
};

}  // namespace headway
