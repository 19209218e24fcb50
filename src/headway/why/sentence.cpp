// SPDX-License-Identifier: Apache-2.0
#include "headway/why/sentence.h"

#include "headway/base/wrapped.h"

namespace headway {

std::string text_of(const Sentence& sentence) {
  return fmt::format("{} [{}]", sentence.text, name_of(sentence.support));
}

std::string text_of(const std::vector<Sentence>& sentences, std::size_t columns) {
  std::string text;
  for (const Sentence& sentence : sentences) text += wrapped(text_of(sentence), 0, columns);
  return text;
}

}  // namespace headway
