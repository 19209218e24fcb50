// SPDX-License-Identifier: Apache-2.0
// The bytes of files in NumPy's format.
#pragma once

#include <cstdint>
#include <string>

namespace headway::test {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

inline std::string npy_with_header(const std::string& header, const std::string& elements, char version = 1) {
  return std::string("\x93NUMPY") + version + '\0' + little_endian(header.size(), version == 1 ? 2 : 4) +
         header + elements;
}

// `type` and `shape` as Python writes them: "'<i8'", "(3,)".
inline std::string npy(const std::string& type, const std::string& shape, const std::string& elements,
                       char version = 1) {
  std::string header = "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
  const std::size_t before = version == 1 ? 10 : 12;
  header.append(64 - (before + header.size() + 1) % 64, ' ');
  return npy_with_header(header + '\n', elements, version);
}

}  // namespace headway::test
