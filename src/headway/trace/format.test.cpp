// SPDX-License-Identifier: Apache-2.0
// Every format reads the sample of its documentation and reports damage; csv reads back what is written.
#include "headway/trace/format.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <functional>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/trace/byte_stream.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/trace_bytes.h"

namespace headway {
namespace {

using test::all_of;
using test::as_csv;
using test::reader_of;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "";
}

std::string error_of(std::string_view format, const std::string& content) {
  return error_of([&] { all_of(*reader_of(format, content)); });
}

std::vector<TraceRecord> requests(std::uint64_t count) {
  std::vector<TraceRecord> records;
  for (std::uint64_t i = 0; i < count; ++i)
    records.push_back({static_cast<TraceTime>(i * i) * kMicrosecond,
                       i % 2 == 0 ? Operation::read : Operation::write,
                       {},
                       i % 20,
                       512 * (1 + i % 200),
                       static_cast<TraceTime>(i % 1000) * kMicrosecond,
                       i + 1});
  return records;
}

TEST(TraceFormats, CsvKeepsEverything) {
  std::vector<TraceRecord> messages, io;
  for (std::uint64_t i = 0; i < 50; ++i) {
    messages.push_back(
        {static_cast<TraceTime>(i * 12'345'678'901), Operation::message, i % 7, i % 5, i + 1, {}, i + 1});
    io.push_back({static_cast<TraceTime>(i * 7),
                  i % 2 == 0 ? Operation::read : Operation::write,
                  {},
                  i << 40,
                  1,
                  {},
                  i + 1});
    if (i % 3 == 0) io.back().from = i << 33;
    if (i % 4 == 0) io.back().response = static_cast<TraceTime>(i);
  }
  EXPECT_EQ(all_of(*reader_of("csv", as_csv(messages))), messages);
  EXPECT_EQ(all_of(*reader_of("csv", as_csv(io))), io);
}

TEST(TraceFormats, RecogniseThemselves) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "headway-recognise";
  std::filesystem::create_directories(folder);
  for (const std::string_view format : file_formats())
    for (const std::string_view suffix : {"", ".gz", ".zst"}) {
      const auto path = folder / (std::string(format) + std::string(suffix));
      const auto sink = create_bytes(path);
      sink->write(test::sample_trace(format));
      sink->close();
      EXPECT_EQ(recognised_format(InputFile(path)), format) << path;
    }
  std::filesystem::remove_all(folder);
}

TEST(TraceFormats, CountsWhatItWrites) {
  std::string content;
  test::StringSink sink(content);
  const WrittenTrace written = write_csv(*test::ListedRecords(requests(4)).open({}), sink);
  EXPECT_EQ(written.records, 4U);
  EXPECT_EQ(written.bytes, 512U * (1 + 2 + 3 + 4));
  EXPECT_EQ(written.length, 9 * kMicrosecond);
}

TEST(NpyTrace, ReadsItsRecords) {
  const auto records = all_of(*reader_of("npy", test::sample_trace("npy")));
  ASSERT_EQ(records.size(), 12U);
  EXPECT_EQ(records[11], (TraceRecord{11 * kMicrosecond, Operation::message, 1, 3, 1024, {}, 12}));
}

// Thousandths of a microsecond are no doubles, but the numbers of nanoseconds that they are meant to be.
TEST(NpyTrace, ReadsTimesAsTheirTextIsRead) {
  std::string elements, text = "time_us,source,destination,bytes\n";
  constexpr int kRecords = 4000;
  for (int ns = 0; ns < kRecords; ++ns) {
    elements += test::little_endian(std::bit_cast<std::uint64_t>(ns / 1000.0), 8);
    for (const int value : {0, 1, 64}) elements += test::little_endian(static_cast<std::uint64_t>(value), 8);
    text += fmt::format("{},0,1,64\n", ns / 1000.0);
  }
  const std::string type = "[('time', '<f8'), ('source', '<i8'), ('destination', '<i8'), ('bytes', '<i8')]";
  const Choice<TraceFormat> format = choose(trace_formats(), "npy", {{"unit", std::string("us")}});
  const std::string file = test::npy(type, fmt::format("({},)", kRecords), elements);
  const auto records =
      all_of(*dynamic_cast<const FileFormat&>(*format).read(bytes_of(file, "test"), "test", false));
  EXPECT_EQ(records, all_of(*reader_of("csv", text)));
  ASSERT_EQ(records.size(), static_cast<std::size_t>(kRecords));
  EXPECT_EQ(records[785].time, 785 * kNanosecond);
}

TEST(NpyTrace, ReadsFieldsOfAnyTypeAndOrder) {
  const std::string type =
      "[('bytes', '>u2'), ('', '|V2'), ('time', '<f8'), ('destination', '|i1'), ('source', '<u4')]";
  std::string elements;
  for (const double time : {1.5, 2.25})
    elements += std::string("\x01\x02--", 4) + test::little_endian(std::bit_cast<std::uint64_t>(time), 8) +
                '\x05' + test::little_endian(7, 4);
  const std::string file = test::npy(type, "(2,)", elements);
  const Choice<TraceFormat> format = choose(trace_formats(), "npy", {{"unit", std::string("us")}});
  const auto& npy = dynamic_cast<const FileFormat&>(*format);
  const auto records = all_of(*npy.read(bytes_of(file, "test"), "test", false));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].time, 750 * kNanosecond);  // since the first record
  EXPECT_EQ(records[0].bytes, 0x102U);
  EXPECT_EQ(records[0].from, 7U);
  EXPECT_EQ(records[0].to, 5U);
}

TEST(NpyTrace, NamesWhatIsWrong) {
  const auto why = [](const std::string& file) -> std::string {
    try {
      all_of(*reader_of("npy", file));
    } catch (const TraceError& error) {
      return error.mistakes().front().message;
    }
    return "";
  };
  const std::string cannot = "cannot be read as a NumPy array of messages: ";
  const std::string fields = "('time', '<i8'), ('source', '<i8'), ('destination', '<i8'), ('bytes', '<i8')";
  EXPECT_EQ(why("time"), cannot + "it does not begin with the signature of a .npy file");
  EXPECT_EQ(why(test::npy("'<i8'", "(0,)", "")), cannot + "it is not a list of records with named fields");
  EXPECT_EQ(why(test::npy("[('time', '<i8')]", "(0,)", "")), cannot + "it has no field \"source\"");
  EXPECT_EQ(why(test::npy("[" + fields + ", ('x', '<i8')]", "(0,)", "")),
            cannot + "it has an unknown field \"x\"");
  EXPECT_EQ(why(test::npy("[('time', '<i8'), ('source', '<f8')]", "(0,)", "")),
            cannot + "the field \"source\" is not an integer");
  EXPECT_EQ(why(test::npy("[" + fields + "]", "(0,)", "")), "");
  EXPECT_THAT(why(test::npy("[" + fields + "]", "(1,)", "x")),
              testing::HasSubstr("the file ends within this record"));
  EXPECT_THAT(why(test::npy("[" + fields + "]", "(0,)", "x")), testing::HasSubstr("the file continues"));
  EXPECT_THAT(why(test::npy("[" + fields + "]", "(1,)", std::string(8, '\xff') + std::string(24, '\1'))),
              testing::HasSubstr("its time is not a whole number from 0"));
}

TEST(Csv, ReadsUnitsAndColumnsInAnyOrder) {
  const auto records = all_of(*reader_of("csv",
                                         "# made by hand\n"
                                         "bytes, destination ,source,time_ms\n"
                                         "64,1,0,1.5\r\n"
                                         "\n"
                                         "1,3,2,1.5000010000009\n"
                                         "7,0,0,2e1\n"));
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0], (TraceRecord{0, Operation::message, 0, 1, 64, {}, 1}));
  EXPECT_EQ(records[1].time, 1'000 * kPicosecond);
  EXPECT_EQ(records[2].time, 18'500 * kMicrosecond);
}

TEST(Csv, NamesWhatIsWrong) {
  const std::string header = "time_us,source,destination,bytes\n";
  EXPECT_THAT(error_of("csv", ""), HasSubstr("empty"));
  EXPECT_THAT(error_of("csv", "time,source,destination,bytes\n"), HasSubstr("needs a unit"));
  EXPECT_THAT(error_of("csv", "time_us,source,bytes\n"), HasSubstr("neither"));
  EXPECT_THAT(error_of("csv", "time_us,colour,destination,bytes\n"), HasSubstr("'colour', is unknown"));
  EXPECT_THAT(error_of("csv", header + "1,2,3,4\n5,6\n"),
              HasSubstr("test: record 2 (line 3): it has 2 fields"));
  EXPECT_THAT(error_of("csv", header + "1,2,3,-4\n"),
              HasSubstr("the number of bytes, '-4', is not a whole number"));
  EXPECT_THAT(error_of("csv", header + "1,2,3,0\n"), HasSubstr("transfers no bytes"));
  EXPECT_THAT(error_of("csv", header + "1,2,3,9999999999\n"), HasSubstr("the maximum is 1073741824"));
  EXPECT_THAT(error_of("csv", header + "x,2,3,4\n"), HasSubstr("the time, 'x'"));
  EXPECT_THAT(error_of("csv", header + "0,2,3,4\n1e13,2,3,4\n"), HasSubstr("46 days"));
  EXPECT_THAT(error_of("csv", header + std::string(5000, '1') + "\n"),
              HasSubstr("more than 4096 characters"));
  EXPECT_THAT(error_of("csv", "time_us,device,operation,bytes\n1,2,erase,4\n"),
              HasSubstr("neither read nor write"));
}

TEST(TraceReader, SkipsAndCountsWhatIsBad) {
  const auto reader = reader_of(
      "csv",
      "time_us,source,destination,bytes\n1,2,3,4\nnonsense\n2,2,3\n" + std::string(5000, ',') + "\n3,4,5,6\n",
      true);
  const auto records = all_of(*reader);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].number, 5U);
  EXPECT_EQ(reader->skipped(), 3U);
  EXPECT_EQ(reader->records(), 5U);
}

TEST(DiskSim, ReadsItsFields) {
  const auto records = all_of(*reader_of("disksim", "0.500000 3 1234 16 1\n  0.501\t2\t5 1 0x0\n"));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0], (TraceRecord{0, Operation::read, {}, 3, 8192, {}, 1}));
  EXPECT_EQ(records[1], (TraceRecord{kMicrosecond, Operation::write, {}, 2, 512, {}, 2}));
  EXPECT_THAT(error_of("disksim", "0 1 2 3\n"),
              HasSubstr("record 1 (line 1): it has 4 of at least 5 fields"));
  EXPECT_THAT(error_of("disksim", "0 1 2 8 0\n1 1 2 8 z\n"), HasSubstr("record 2 (line 2): the flags"));
}

TEST(Spc, ReadsItsFields) {
  const auto records = all_of(*reader_of("spc", "0,20941264,8192,W,0.551706\n1,5,512,r,0.554041,extra\n"));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0], (TraceRecord{0, Operation::write, {}, 0, 8192, {}, 1}));
  EXPECT_EQ(records[1], (TraceRecord{2335 * kMicrosecond, Operation::read, {}, 1, 512, {}, 2}));
  EXPECT_THAT(error_of("spc", "0,1,512,X,0\n"), HasSubstr("neither R nor W"));
}

TEST(Msr, ReadsItsFields) {
  const auto records = all_of(*reader_of("msr",
                                         "128166372003061629,hm,0,Read,9056014336,24576,11286\n"
                                         "128166372003061639,hm,1,Write,9056014336,4096,0\n"
                                         "128166372003061640,hm,0,Write,9056014336,4096,0\n"
                                         "128166372003061640,usr,0,Write,9056014336,4096,0\n"));
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].bytes, 24576U);
  EXPECT_EQ(records[0].response, 1'128'600 * kNanosecond);
  EXPECT_EQ(records[1].time, kMicrosecond);
  EXPECT_NE(records[0].to, records[1].to);
  EXPECT_EQ(records[0].to, records[2].to);
  EXPECT_NE(records[0].to, records[3].to);
  EXPECT_THAT(error_of("msr", "1,hm,0,Trim,0,1,1\n"), HasSubstr("neither Read nor Write"));
}

std::string srt_bytes(bool big_endian, std::uint32_t version) {
  std::string content;
  for (const TraceRecord& record : requests(3))
    content +=
        test::srt_record(static_cast<std::uint32_t>(record.time / kMicrosecond),
                         static_cast<std::uint32_t>(*record.response / kMicrosecond),
                         static_cast<std::uint32_t>(record.bytes), static_cast<std::uint32_t>(record.to),
                         record.operation == Operation::read ? 1 : 0, big_endian, version);
  return content;
}

TEST(Srt, ReadsBothByteOrdersAndDocumentedVersions) {
  for (const bool big_endian : {true, false})
    for (std::uint32_t version = 1; version <= 4; ++version)
      for (const std::string header : {"", "tracedate\t= \"Thu Jan 14 00:00:00 1999\";\n\f"}) {
        const auto records = all_of(*reader_of("srt", header + srt_bytes(big_endian, version)));
        EXPECT_EQ(records, requests(3)) << big_endian << ' ' << version;
      }
}

TEST(Srt, RefusesOtherVersionsByName) {
  EXPECT_THAT(error_of("srt", srt_bytes(true, 5)), HasSubstr("record 1: SRT version 5 is not supported"));
  EXPECT_THAT(error_of("srt", srt_bytes(true, 7)), HasSubstr("srt2ds"));
}

TEST(Srt, NamesDamagedAndTruncatedRecords) {
  const std::string good = srt_bytes(true, 4);
  EXPECT_THAT(error_of("srt", good.substr(0, good.size() - 5)),
              HasSubstr("record 3: the file ends within this record"));
  std::string odd_size = good;
  odd_size[56 + 3] = 57;
  EXPECT_THAT(error_of("srt", odd_size), HasSubstr("record 2: its size of 57 bytes is not possible"));
  std::string type = good;
  type[56 + 7] = 9;
  EXPECT_THAT(error_of("srt", type), HasSubstr("record 2: SRT record type 9 is not an I/O"));
  const auto reader = reader_of("srt", type, true);
  EXPECT_EQ(all_of(*reader).size(), 2U);
  EXPECT_EQ(reader->skipped(), 1U);
  EXPECT_THAT(error_of("srt", "tracedate = never"), HasSubstr("header does not end"));
}

TEST(Srt, PassesOverSuspectRecords) {
  std::string content = srt_bytes(true, 1);
  content.insert(52, std::string("\0\0\0\x38\0\1\0\4", 8) + std::string(48, 'x'));  // type 4, version 1
  const auto reader = reader_of("srt", content);
  EXPECT_EQ(all_of(*reader).size(), 3U);
  EXPECT_EQ(reader->passed_over(), 1U);
}

TEST(Bytes, CompressedFilesAreReadAndTheirDamageIsNamed) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "headway-bytes";
  std::filesystem::create_directories(folder);
  const std::string content = as_csv(requests(20'000));
  for (const std::string_view suffix : {".csv", ".gz", ".zst"}) {
    const auto path = folder / ("trace" + std::string(suffix));
    const auto sink = create_bytes(path);
    sink->write(content.substr(0, 1000));
    sink->write(content.substr(1000));
    sink->close();
    const auto read = [&] {
      return all_of(*test::file_format("csv")->read(open_bytes(InputFile(path)), path.string(), false))
          .size();
    };
    EXPECT_EQ(read(), 20'000U) << suffix;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) * 2 / 3);
    if (suffix == ".csv") continue;
    EXPECT_THAT(error_of([&] { read(); }), testing::AllOf(HasSubstr("record "), HasSubstr("is truncated")))
        << suffix;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace headway
