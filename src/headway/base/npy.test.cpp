// SPDX-License-Identifier: Apache-2.0
#include "headway/base/npy.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "headway/base/rng.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

using test::little_endian;
using test::npy;
using test::npy_with_header;

std::string why_not(const std::string& file) {
  try {
    read_npy(file);
    return "";
  } catch (const NpyError& error) {
    return error.what();
  }
}

TEST(Npy, ReadsNumbersOfEveryType) {
  const std::string minus_two = little_endian(static_cast<std::uint64_t>(-2), 8);
  for (const int bytes : {1, 2, 4, 8}) {
    const std::string type = "'" + std::string(bytes == 1 ? "|" : "<") + "i" + std::to_string(bytes) + "'";
    const std::string file = npy(type, "(1,)", minus_two.substr(0, static_cast<std::size_t>(bytes)));
    const NpyHeader header = read_npy(file);
    EXPECT_EQ(header.fields[0].type.integer(file.data() + header.data), -2);
    EXPECT_EQ(header.fields[0].type.real(file.data() + header.data), -2.0);
  }
  const std::string natural = npy("'<u8'", "(1,)", minus_two);
  EXPECT_EQ(read_npy(natural).fields[0].type.integer(natural.data() + read_npy(natural).data), std::nullopt);
  const std::string big = npy("'>u2'", "(1,)", std::string("\x01\x02"));
  EXPECT_EQ(read_npy(big).fields[0].type.integer(big.data() + read_npy(big).data), 0x102);
  const std::string real = npy("'<f4'", "(1,)", little_endian(std::bit_cast<std::uint32_t>(0.5F), 4));
  EXPECT_EQ(read_npy(real).fields[0].type.real(real.data() + read_npy(real).data), 0.5);
  const std::string wide = npy("'<f8'", "()", little_endian(std::bit_cast<std::uint64_t>(-0.1), 8), 2);
  EXPECT_EQ(read_npy(wide).fields[0].type.real(wide.data() + read_npy(wide).data), -0.1);
  EXPECT_TRUE(read_npy(wide).shape.empty());
}

TEST(Npy, ReadsShapesAndRecords) {
  const NpyHeader matrix = read_npy(npy("'<i4'", "(2, 3)", std::string(24, '\0')));
  EXPECT_EQ(matrix.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(matrix.shape_text(), "2 x 3");
  EXPECT_FALSE(matrix.is_structured);
  const NpyHeader list =
      read_npy(npy("[('time', '<f8'), ('', '|V4'), ('source', '<u4')]", "(2,)", std::string(32, '\0')));
  EXPECT_TRUE(list.is_structured);
  EXPECT_EQ(list.element_bytes, 16U);
  EXPECT_EQ(list.field("source")->offset, 12U);
  EXPECT_EQ(list.field("bytes"), nullptr);
}

TEST(Npy, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(why_not("PK"), "it does not begin with the signature of a .npy file");
  EXPECT_EQ(why_not("\x93NUMPY"), "it ends in its header");
  EXPECT_EQ(why_not(npy_with_header("{}\n", "", 4)), "its version is not 1.0, 2.0 or 3.0");
  EXPECT_EQ(why_not(npy_with_header("{}\n", "")), "its header needs descr, fortran_order and shape");
  EXPECT_EQ(why_not(npy_with_header("{}", "")), "its header does not end with a line end");
  EXPECT_EQ(why_not(npy("'<i8'", "(2,)", std::string(15, 'x'))),
            "its shape, 2, needs 16 bytes behind the header, but it has 15");
  EXPECT_EQ(why_not(npy("'<i8'", "(1099511627776, 1099511627776)", "")), "it is too large");
  EXPECT_EQ(why_not(npy("'<i8'", "(2)", "")), "its shape of one dimension lacks a comma");
  EXPECT_EQ(why_not(npy("'<i8'", "(-2,)", "")), "its shape is not a list of whole numbers");
  for (const char* type : {"'|O'", "'<c16'", "'<f2'", "'|b1'", "'<U5'", "'=i8'", "'<i3'", "'i8'"})
    EXPECT_NE(why_not(npy(type, "(0,)", "")).find("is neither an integer"), std::string::npos) << type;
  EXPECT_EQ(why_not(npy("[('a', '<i8', (2,))]", "(0,)", "")),
            "field \"a\" is an array; fields must be numbers");
  EXPECT_EQ(why_not(npy("[('a', '<i8'), ('a', '<i8')]", "(0,)", "")), "it has two fields \"a\"");
  EXPECT_EQ(why_not(npy_with_header("{'descr': '<i8', 'fortran_order': True, 'shape': (2, 1)}\n",
                                    std::string(16, 'x'))),
            "its elements are in Fortran order; numpy.ascontiguousarray gives C order");
  EXPECT_EQ(why_not(npy_with_header("{'descr': '<i8', 'fortran_order': True, 'shape': (2,)}\n",
                                    std::string(16, 'x'))),
            "");
}

// Every file is read or refused with a reason, whatever its bytes.
TEST(Npy, SurvivesAnyBytes) {
  const std::string seeds[] = {
      npy("'<i4'", "(2, 3)", std::string(24, '\1')),
      npy("[('time', '<f8'), ('', '|V4'), ('source', '<u4')]", "(2,)", std::string(32, '\2'), 2)};
  std::size_t read = 0, refused = 0;
  for (std::uint64_t number = 0; number < 20'000; ++number) {
    Rng rng(number, 0);
    std::string file = seeds[number % 2];
    for (std::uint32_t changes = rng.below(4); changes-- > 0;) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(file.size()));
      switch (rng.below(4)) {
        case 0:
          file[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          file.erase(at, 1 + rng.below(5));
          break;
        case 2:
          file.insert(at, std::string(1 + rng.below(3), "0123456789(),[]{}'<>|:"[rng.below(22)]));
          break;
        default:
          file.resize(at + 1);
      }
    }
    try {
      const NpyHeader header = read_npy(file);
      const std::uint64_t elements = header.elements();
      double sum = 0;
      for (std::uint64_t i = 0; i < elements; ++i)
        for (const NpyField& field : header.fields)
          sum += field.type.real(file.data() + header.data + i * header.element_bytes + field.offset);
      EXPECT_TRUE(sum == sum || sum != sum);
      ++read;
    } catch (const NpyError&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 1000U);
  EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace headway
