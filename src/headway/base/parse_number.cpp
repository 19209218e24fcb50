// SPDX-License-Identifier: Apache-2.0
#include "headway/base/parse_number.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>

#if __has_include(<xlocale.h>)
#include <xlocale.h>  // has strtod_l where <cstdlib> has it not
#endif

namespace headway {

// strtod takes more than from_chars does: space, a plus, digits to the base of 16.
std::from_chars_result fraction_from_chars(const char* begin, const char* end, double& value) {
  constexpr std::string_view kParts = "+-.0123456789aefinptyAEFINPTY";  // of numbers, infinity and nan
  std::string text(begin, std::min(static_cast<std::size_t>(end - begin),
                                   std::string_view(begin, end).find_first_not_of(kParts)));
  if (text.starts_with('+')) text.clear();
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t{});
  char* rest = nullptr;
  errno = 0;
  const double number = strtod_l(text.c_str(), &rest, plain);
  if (rest == text.c_str()) return {begin, std::errc::invalid_argument};
  const char* const taken = begin + (rest - text.c_str());
  const bool is_infinity = text.find_first_of("nN") < static_cast<std::size_t>(rest - text.c_str());
  if (errno == ERANGE && (number == 0 || (std::isinf(number) && !is_infinity)))
    return {taken, std::errc::result_out_of_range};
  value = number;
  return {taken, {}};
}

}  // namespace headway
