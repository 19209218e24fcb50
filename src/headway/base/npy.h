// SPDX-License-Identifier: Apache-2.0
// Arrays in NumPy's .npy format: numbers, or records with named fields of numbers (structured arrays). The
// format: NumPy Enhancement Proposal 1, versions 1.0 to 3.0 of the header. A header with any unknown detail
// is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace headway {

struct NpyType {
  enum class Kind : std::uint8_t { whole, natural, real };  // signed and unsigned integers, floating point
  Kind kind = Kind::whole;
  std::uint8_t bytes = 8;
  bool big_endian = false;

  bool is_integer() const { return kind != Kind::real; }
  // For integer types; nullopt if the value is above the largest std::int64_t.
  std::optional<std::int64_t> integer(const char* at) const;
  double real(const char* at) const;  // for any type

 private:
  std::uint64_t raw(const char* at) const;
};

struct NpyField {
  std::string name;  // empty if the elements are numbers
  NpyType type;
  std::size_t offset = 0;  // in its element
};

struct NpyHeader {
  std::vector<std::uint64_t> shape;
  bool is_structured = false;
  std::vector<NpyField> fields;  // one, unless elements are records
  std::size_t element_bytes = 0;
  std::size_t data = 0;  // offset of the first element in the file

  std::uint64_t elements() const;
  std::string shape_text() const;                      // "4 x 16"
  const NpyField* field(std::string_view name) const;  // null if there is none
};

// Says why a file cannot be read as a .npy file.
class NpyError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool is_npy(std::string_view beginning);
// Reads the header from the first kNpyBeginning bytes of a file, or from the whole file if it is shorter.
// Throws NpyError.
inline constexpr std::size_t kNpyBeginning = 1 << 16;
NpyHeader read_npy_header(std::string_view beginning);
// Reads the header of a whole file, whose size must match the number of elements. Throws NpyError.
NpyHeader read_npy(std::string_view file);

}  // namespace headway
