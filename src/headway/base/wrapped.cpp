// SPDX-License-Identifier: Apache-2.0
#include "headway/base/wrapped.h"

#include <algorithm>

namespace headway {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line(indent, ' ');
    for (std::string_view rest = text.substr(at, end - at); !rest.empty();) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, space);
      if (line.size() > indent && line.size() + 1 + word.size() > width) {
        result += line + '\n';
        line.assign(indent, ' ');
      }
      if (line.size() > indent) line += ' ';
      line += word;
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    result += (line.size() > indent ? line : "") + '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace headway
