// SPDX-License-Identifier: Apache-2.0
#include "headway/base/error.h"

namespace headway {
namespace {

std::string text_of(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) {
    if (!text.empty()) text += '\n';
    if (!mistake.where.empty()) text += mistake.where + ": ";
    if (!mistake.key.empty()) text += mistake.key + ": ";
    text += mistake.message;
    if (!mistake.hint.empty()) text += "; " + mistake.hint;
  }
  return text;
}

}  // namespace

void Mistakes::throw_if_any() const {
  if (!empty()) throw SpecError(list_);
}

SpecError::SpecError(std::vector<Mistake> mistakes)
    : std::runtime_error(text_of(mistakes)), mistakes_(std::move(mistakes)) {}

}  // namespace headway
