// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_files.h"

#include <gtest/gtest.h>

#include "headway/catalogue/names.h"

namespace headway {
namespace {

TEST(SpecFiles, AreNamedByKeysThatAreCalledSo) {
  int files = 0;
  for (const catalogue::Key& key : catalogue::keys()) {
    EXPECT_EQ(is_key_of_file(key.path), key.row.type == "a file") << key.path;
    files += key.row.type == "a file" ? 1 : 0;
  }
  EXPECT_GT(files, 5);
}

}  // namespace
}  // namespace headway
