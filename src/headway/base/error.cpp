// SPDX-License-Identifier: Apache-2.0
#include "headway/base/error.h"

#include "headway/base/visible.h"

namespace headway {
namespace {

std::string text_of(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) {
    if (!text.empty()) text += '\n';
    if (!mistake.where.empty()) text += visible(mistake.where) + ": ";
    if (!mistake.key.empty()) text += visible(mistake.key) + ": ";
    text += visible(mistake.message);
    if (!mistake.hint.empty()) text += "; " + visible(mistake.hint);
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
