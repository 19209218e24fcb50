// SPDX-License-Identifier: Apache-2.0
// "Did you mean": finds the valid name that other tools call by this word (other_names.h), or else the one
// that is closest to a mistyped word, by the number of edits between them (insert, delete or replace a
// letter, swap two neighbours: optimal string alignment, Damerau 1964).
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headway {

// Returns the candidate that the word is called here; a candidate can be the last part of the path of a key.
// Otherwise the one with the fewest edits (the first of several), if their number is small for the length of
// the word. Ignores case. A word that is a prefix of exactly one candidate returns this candidate.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

// Thrown if the user gives a name that does not exist. what() is the text of `unknown`.
class UnknownName : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// "unknown command 'rum'; did you mean 'run'?"
std::string unknown(std::string_view what, std::string_view word, std::span<const std::string_view> valid);

}  // namespace headway
