// SPDX-License-Identifier: Apache-2.0
// A small strict reader of XML: elements, attributes, text, the five entities and numbers of characters,
// comments, CDATA. Document types are refused, and with them entities of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"

namespace headway::imports {

struct XmlElement {
  std::string name;  // without its namespace
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;  // all of its own
  std::uint32_t line = 0;

  const std::string* attribute(std::string_view of) const;  // null if there is none
};

// Elements may be nested this deep.
inline constexpr std::size_t kDeepestXml = 64;

// The root element. Throws SpecError with the first mistake, because what follows it cannot be told.
XmlElement read_xml(std::string_view text, const std::string& path);

}  // namespace headway::imports
