// SPDX-License-Identifier: Apache-2.0
// Programs from files: the base class of those members of the family. The mistakes of a file are found when
// it is read, which happens once, in `build`; `ranks` and `check` read its beginning only, unless only the
// whole file tells the number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/programs/kind.h"
#include "headway/programs/program_text.h"

namespace headway {

class FileProgram : public ProgramKind {
 public:
  void describe(Parameters& parameters) override;
  std::optional<std::uint32_t> ranks() const final;
  void check(std::uint32_t ranks, Mistakes& mistakes) const final;
  // Throw SpecError with the mistakes of the file. A builder without ranks gets as many as the file has.
  void build(ProgramBuilder& builder) const final { build(builder, {}); }
  bool can_stand_still() const override { return true; }
  void build(ProgramBuilder& builder, InputFile::Progress progress) const;

  // True if a file that begins so can be of this format.
  virtual bool recognises(std::string_view beginning) const = 0;
  // Adds the operations of the file, and ranks as it has them. With `only_ranks`, reads as much as is needed
  // for the number of ranks, and adds these; none if the format does not tell it. Throws SpecError if the
  // file cannot be read.
  virtual void read(ProgramText& text, ProgramBuilder& builder, bool only_ranks) const = 0;

 protected:
  std::uint32_t count_ranks(
      ProgramText& text) const;  // 0: the format does not tell it, or there is a mistake

 private:
  ProgramText open(InputFile::Progress progress = {}) const;

  InputFile file_;
};

// A time of a file, in picoseconds like its unit, rounded down; none if it is longer than 46 days.
std::optional<std::uint64_t> picoseconds_of(std::uint64_t units, const Rational& unit);

// The members that are files, with their names.
std::vector<Choice<ProgramKind>> file_programs();
// The name of the first format that recognises the beginning of the file; none. Throws SpecError if the file
// cannot be read.
std::optional<std::string_view> recognised_program(const InputFile& file);

}  // namespace headway
