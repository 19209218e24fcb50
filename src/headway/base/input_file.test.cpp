// SPDX-License-Identifier: Apache-2.0
#include "headway/base/input_file.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace headway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class InputFileTest : public ::testing::Test {
 protected:
  InputFileTest() {
    std::string pattern = ::testing::TempDir() + "headway_input_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~InputFileTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  // Overwrites part of the file in place, as some editors do.
  static void overwrite(const std::string& path, std::size_t offset, const std::string& content) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file << content;
  }
  static std::string error_of(const auto& action) {
    try {
      action();
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  }
  static std::string all_of(InputFile::Stream& stream) {
    std::string all, part(kMiB / 3, '\0');
    while (const std::size_t count = stream.read(part)) all.append(part, 0, count);
    return all;
  }
  static std::string all_of(const InputFile& file) {
    InputFile::Stream stream(file);
    return all_of(stream);
  }
  static std::string text_of(const InputFile& file) {
    Mistakes mistakes;
    const std::string* text = file.text("network.file", mistakes);
    mistakes.throw_if_any();
    return *text;
  }

  fs::path folder_;
};

TEST_F(InputFileTest, ATextIsReadOnce) {
  const std::string path = write("a.txt", "before");
  const InputFile file(path), copy = file;
  EXPECT_EQ(text_of(file), "before");
  write("a.txt", "after!");
  EXPECT_EQ(text_of(copy), "before");
  EXPECT_EQ(text_of(InputFile(path)), "after!");
}

TEST_F(InputFileTest, TheFilesOfASpecAreReadOnceHoweverOftenTheyAreNamed) {
  const std::string path = write("a.txt", "before");
  InputFiles files;
  EXPECT_EQ(text_of(files.at(path)), "before");
  write("a.txt", "after!");
  EXPECT_EQ(text_of(files.at(path)), "before");
  EXPECT_FALSE(files.at("").named());
}

TEST_F(InputFileTest, AStreamGivesWhatWasReadFirstOrFails) {
  const std::string content(2 * kMiB + 5, 'x');
  const std::string path = write("trace", content);
  const InputFile file(path);
  EXPECT_EQ(all_of(file), content);
  EXPECT_EQ(all_of(file), content);
  for (const std::size_t place : {std::size_t{0}, kMiB - 1, kMiB, content.size() - 1}) {
    overwrite(path, place, "y");
    EXPECT_THAT(error_of([&] { all_of(file); }), HasSubstr("has changed since it was first read")) << place;
    overwrite(path, place, "x");
    EXPECT_EQ(all_of(file), content) << place;
  }
  overwrite(path, content.size(), "more");
  EXPECT_THAT(error_of([&] { all_of(file); }), HasSubstr("has changed"));
  for (const std::size_t shorter : {content.size() - 1, 2 * kMiB, kMiB, std::size_t{0}}) {
    fs::resize_file(path, shorter);
    EXPECT_THAT(error_of([&] { all_of(file); }), HasSubstr("has changed")) << shorter;
  }
}

TEST_F(InputFileTest, CanBeInMemory) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kMiB - 1, kMiB, kMiB + 1, 2 * kMiB + 5}) {
    const std::string content(size, 'x');
    const InputFile memory = InputFile::in_memory("array", "npy", content), file(write("a", content));
    EXPECT_EQ(text_of(memory), content);
    EXPECT_EQ(all_of(memory), content);
    EXPECT_EQ(all_of(memory), content);
    EXPECT_EQ(InputFile::Stream(memory).size(), size);
    EXPECT_EQ(memory.hash(), file.hash());
    EXPECT_EQ(*memory.content(), content);
    EXPECT_EQ(file.content(), nullptr);
    if (size > kMiB) {
      InputFile::Stream rest(memory, 1);
      EXPECT_EQ(all_of(rest).size(), size - kMiB);
    }
  }
  const InputFile a = InputFile::in_memory("array", "npy", "a"),
                  b = InputFile::in_memory("array", "npy", "b");
  EXPECT_EQ(a.path(), "array-af63dc4c8601ec8c.npy");  // FNV-1a of "a"
  EXPECT_NE(a.path(), b.path());
  const InputFiles files(MemoryFiles{{a.path(), a}});
  EXPECT_EQ(text_of(*files.in_memory(a.path())), "a");
  EXPECT_EQ(files.in_memory(b.path()), nullptr);
}

TEST_F(InputFileTest, WhatIsReadOfTheBeginningIsVerifiedToo) {
  const std::string path = write("trace", std::string(3 * kMiB, 'x'));
  const InputFile file(path);
  {
    InputFile::Stream stream(file);
    EXPECT_EQ(stream.block().size(), kMiB);
  }
  overwrite(path, 2 * kMiB, "y");  // this part has not been read yet
  const std::uint64_t hash = file.hash();
  EXPECT_EQ(hash, InputFile(path).hash());
  overwrite(path, 2 * kMiB, "z");
  EXPECT_EQ(file.hash(), hash);  // still the hash of what was read
  EXPECT_THAT(error_of([&] { all_of(file); }), HasSubstr("has changed"));
  EXPECT_NE(InputFile(path).hash(), hash);
}

TEST_F(InputFileTest, TheHashIsThatOfTheContent) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kMiB - 1, kMiB, kMiB + 1, 2 * kMiB}) {
    const std::string content(size, 'x');
    const InputFile a(write("a", content)), b(write("b", content)), longer(write("c", content + 'x'));
    EXPECT_EQ(a.hash(), b.hash()) << size;
    EXPECT_NE(a.hash(), longer.hash()) << size;
    EXPECT_EQ(all_of(a), content) << size;
    if (size == 0) continue;
    overwrite(b.path(), size / 2, "y");
    EXPECT_NE(InputFile(b.path()).hash(), a.hash()) << size;
  }
}

TEST_F(InputFileTest, ProgressIsTold) {
  const InputFile file(write("a", std::string(3 * kMiB, 'x')));
  std::vector<std::uint64_t> told;
  file.hash([&](std::uint64_t bytes, std::uint64_t size) {
    EXPECT_EQ(size, 3 * kMiB);
    told.push_back(bytes);
  });
  EXPECT_THAT(told, ::testing::ElementsAre(kMiB, 2 * kMiB, 3 * kMiB));
}

TEST_F(InputFileTest, WhatIsNoPlainFileIsRefusedAtOnce) {
  const std::string pipe = folder_ / "pipe", socket = folder_ / "socket";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { OpenFile file(pipe); }),
              HasSubstr("pipe: is a pipe; it must be a regular file"));
  EXPECT_THAT(error_of([&] { OpenFile file(folder_); }), HasSubstr("is a directory"));
  EXPECT_THAT(error_of([] { OpenFile file("/dev/zero"); }), HasSubstr("/dev/zero: is a device"));
  EXPECT_THAT(error_of([&] { OpenFile file(folder_ / "none"); }),
              HasSubstr("none: cannot be read: No such file or directory"));
  EXPECT_THAT(error_of([&] { text_of(InputFile(pipe)); }), HasSubstr("network.file: "));
  EXPECT_THAT(error_of([&] { InputFile(pipe).hash(); }), HasSubstr("is a pipe"));

  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_NE(error_of([&] { OpenFile file(socket); }), "");
  ::close(descriptor);
}

TEST_F(InputFileTest, AnErrorWhileReadingIsNoEndOfTheFile) {
  constexpr const char* kUnreadable = "/proc/self/mem";  // a plain file whose first byte cannot be read
  EXPECT_THAT(error_of([&] { read_text(kUnreadable); }), HasSubstr("cannot be read: Input/output error"));
  EXPECT_THAT(error_of([&] { text_of(InputFile(kUnreadable)); }), HasSubstr("Input/output error"));
  EXPECT_THAT(error_of([&] { all_of(InputFile(kUnreadable)); }), HasSubstr("Input/output error"));
}

TEST_F(InputFileTest, ATextHasALargestSize) {
  const std::string path = write("a", std::string(3 * kMiB, 'x'));
  EXPECT_EQ(read_text(path, 3 * kMiB).size(), 3 * kMiB);
  EXPECT_THAT(error_of([&] { read_text(path, 2 * kMiB); }), HasSubstr("is larger than 2 MiB"));
  fs::resize_file(path, std::uintmax_t{1} << 40);  // takes no space on the disk
  EXPECT_THAT(error_of([&] { text_of(InputFile(path)); }), HasSubstr("is larger than 256 MiB"));
}

TEST_F(InputFileTest, SeriesAreReadOneBehindTheOther) {
  for (const int number : {2, 0, 10, 1, 3, 4, 5, 6, 7, 8, 9})
    write("part." + std::to_string(number) + ".et", std::to_string(number) + ";");
  write("part.x.et", "another");
  const InputFile series((folder_ / "part.*.et").string());
  EXPECT_EQ(all_of(series), "0;1;2;3;4;5;6;7;8;9;10;");
  EXPECT_EQ(InputFile::Stream(series).size(), 23U);
  const std::uint64_t hash = InputFile((folder_ / "part.*.et").string()).hash();
  write("part.7.et", "6;");
  EXPECT_NE(InputFile((folder_ / "part.*.et").string()).hash(), hash);
  EXPECT_THAT(error_of([&] { all_of(series); }), HasSubstr("has changed since it was first read"));
  fs::remove(folder_ / "part.4.et");
  EXPECT_THAT(error_of([&] { all_of(InputFile((folder_ / "part.*.et").string())); }),
              HasSubstr("the file with number 4 is missing"));
  write("part.04.et", "");
  write("part.4.et", "");
  EXPECT_THAT(error_of([&] { all_of(InputFile((folder_ / "part.*.et").string())); }),
              HasSubstr("there are two files with number 4"));
  EXPECT_THAT(error_of([&] { all_of(InputFile((folder_ / "none.*").string())); }),
              HasSubstr("no such files"));
  EXPECT_EQ(all_of(InputFile(write("a*b", "itself"))), "itself");
}

// Blocks are read again from the middle of a series.
TEST_F(InputFileTest, SeriesAreHashedFromWhereTheyWereRead) {
  write("part.0", std::string(kMiB + kMiB / 2, 'a'));
  write("part.1", std::string(2 * kMiB, 'b'));
  const std::string name = (folder_ / "part.*").string();
  const InputFile begun(name), whole(name);
  InputFile::Stream(begun).block();
  std::string all = all_of(whole);
  EXPECT_EQ(all.size(), 3 * kMiB + kMiB / 2);
  EXPECT_EQ(begun.hash(), whole.hash());
}

}  // namespace
}  // namespace headway
