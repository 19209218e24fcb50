// SPDX-License-Identifier: Apache-2.0
// Messages in a structured NumPy array: a list of records with the fields time, source, destination and
// bytes, in any order. The unit of the times is a parameter, because the array does not name it.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "headway/base/npy.h"
#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway {
namespace {

class NpyReader final : public TraceReader {
 public:
  NpyReader(std::unique_ptr<ByteSource> source, std::string name, bool skip_bad, TraceTime unit)
      : TraceReader(std::move(name), skip_bad), bytes_(std::move(source)), unit_(unit) {
    try {
      header_ = read_npy_header(bytes_.ahead(kNpyBeginning));
      if (header_.shape.size() != 1 || !header_.is_structured)
        throw NpyError("it is not a list of records with named fields");
      for (const NpyField& field : header_.fields)
        if (std::ranges::find(kFields, field.name) == kFields.end())
          throw NpyError(fmt::format("it has an unknown field \"{}\"", field.name.substr(0, 40)));
      for (std::size_t i = 0; i < kFields.size(); ++i) {
        field_[i] = header_.field(kFields[i]);
        if (field_[i] == nullptr) throw NpyError(fmt::format("it has no field \"{}\"", kFields[i]));
        if (i > 0 && !field_[i]->type.is_integer())
          throw NpyError(fmt::format("the field \"{}\" is not an integer", kFields[i]));
      }
    } catch (const NpyError& error) {
      throw TraceError(this->name(),
                       fmt::format("cannot be read as a NumPy array of messages: {}", error.what()),
                       "a structured array with the fields time, source, destination and bytes");
    }
    bytes_.take(header_.data);
    left_ = header_.elements();
  }

 private:
  static constexpr std::array<std::string_view, 4> kFields = {"time", "source", "destination", "bytes"};

  bool read(TraceRecord& record, Instant& at) override {
    if (left_ == 0) {
      if (bytes_.ahead(1).empty()) return false;
      throw BadRecord{"the file continues after the last record that its header announces",
                      BadRecord::Then::nothing};
    }
    const std::string_view element = bytes_.ahead(header_.element_bytes);
    if (element.size() < header_.element_bytes) {
      left_ = 0;
      throw BadRecord{"the file ends within this record", BadRecord::Then::nothing};
    }
    --left_;
    bytes_.take(header_.element_bytes);  // `element` stays valid until the next call of ahead
    record.operation = Operation::message;
    record.from = whole(element, 1);
    record.to = whole(element, 2);
    record.bytes = whole(element, 3);
    at = time(element);
    return true;
  }

  const char* place_of(std::string_view element, std::size_t field) const {
    return element.data() + field_[field]->offset;
  }
  std::uint64_t whole(std::string_view element, std::size_t field) const {
    const auto value = field_[field]->type.integer(place_of(element, field));
    if (!value || *value < 0)
      throw BadRecord{fmt::format("its {} is not a whole number from 0 to 2^63 - 1", kFields[field])};
    return static_cast<std::uint64_t>(*value);
  }
  // Choice: fractions of a picosecond are cut off, as in times written as text. A floating-point number that
  // differs from a whole number of picoseconds by no more than its own rounding and that of the product
  // stands for this number: 0.785 us is 785000 ps, and not the 784999.99... of its double.
  Instant time(std::string_view element) const {
    const NpyType& type = field_[0]->type;
    if (!type.is_integer()) {
      const double picoseconds = type.real(place_of(element, 0)) * static_cast<double>(unit_);
      if (!(picoseconds >= 0) || picoseconds > 9e18) throw BadRecord{"its time is negative or not a time"};
      const double nearest = std::round(picoseconds),
                   precision = std::ldexp(1.0, type.bytes == 4 ? -23 : -52);
      return static_cast<std::int64_t>(std::abs(picoseconds - nearest) <= precision * nearest ? nearest
                                                                                              : picoseconds);
    }
    return static_cast<std::int64_t>(whole(element, 0)) * Instant{unit_};
  }

  ByteReader bytes_;
  TraceTime unit_;
  NpyHeader header_;
  std::array<const NpyField*, kFields.size()> field_{};
  std::uint64_t left_ = 0;  // records
};

class Npy final : public FileFormat {
 public:
  void describe(Parameters& parameters) override {
    FileFormat::describe(parameters);
    parameters.field({.name = "unit", .help = "unit of the field `time`"}, unit_);
  }
  bool recognises(std::string_view beginning) const override { return is_npy(beginning); }
  std::unique_ptr<TraceReader> read(std::unique_ptr<ByteSource> source, std::string name,
                                    bool skip_bad) const override {
    return std::make_unique<NpyReader>(std::move(source), std::move(name), skip_bad, picoseconds_in(unit_));
  }

 private:
  TimeUnit unit_ = TimeUnit::ns;
};

}  // namespace

Entry<TraceFormat> npy() {
  return {"npy", "messages in a structured NumPy array with the fields time, source, destination and bytes",
          "NumPy Enhancement Proposal 1", make_entry<TraceFormat, Npy>};
}

}  // namespace headway
