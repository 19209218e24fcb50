// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/byte_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "headway/base/deflate.h"
#include "headway/trace/record.h"

namespace headway {
namespace {

class FileBytes final : public ByteSource {
 public:
  FileBytes(const InputFile& file, InputFile::Progress progress)
      : stream_(file), progress_(std::move(progress)) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t count = stream_.read(into);
    read_ += count;
    if (progress_) progress_(read_, stream_.size());
    return count;
  }

 private:
  InputFile::Stream stream_;
  InputFile::Progress progress_;
  std::uint64_t read_ = 0;
};

// Bytes in memory, followed by those of `rest` if there is one.
class Memory final : public ByteSource {
 public:
  explicit Memory(std::string content, std::unique_ptr<ByteSource> rest = nullptr)
      : content_(std::move(content)), rest_(std::move(rest)) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t count = content_.copy(into.data(), into.size(), next_);
    next_ += count;
    return count == 0 && rest_ != nullptr ? rest_->read(into) : count;
  }

 private:
  std::string content_;
  std::size_t next_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

// Reads compressed bytes through a separate buffer. Derived decodes part of `in_` into `into`.
class Decoder : public ByteSource {
 public:
  Decoder(std::unique_ptr<ByteSource> source, std::string name)
      : name_(std::move(name)), source_(std::move(source)), input_(1 << 17) {}

  std::size_t read(std::span<char> into) final {
    for (;;) {
      if (in_.empty() && !ended_) {
        const std::size_t count = source_->read(input_);
        in_ = {input_.data(), count};
        ended_ = count == 0;
      }
      if (in_.empty() && ended_ && !within_) return 0;
      const std::size_t count = decode(into);  // there can be output left without any input
      if (count > 0) return count;
      if (in_.empty() && ended_ && within_) throw TraceError(name_, "the compressed file is truncated");
    }
  }

 protected:
  virtual std::size_t decode(std::span<char> into) = 0;
  [[noreturn]] void damaged(const std::string& what) const {
    throw TraceError(name_, "the compressed data are damaged: " + what);
  }

  std::string name_;
  std::span<char> in_;
  bool within_ = false;  // inside a member or frame

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> input_;
  bool ended_ = false;
};

class Gzip final : public Decoder {
 public:
  using Decoder::Decoder;

 private:
  std::size_t decode(std::span<char> into) override {
    std::span<const char> in = in_;
    const std::size_t count = stream_.read(in, into);
    in_ = in_.last(in.size());
    if (stream_.state() == Inflate::State::damaged) damaged(std::string(stream_.problem()));
    within_ = stream_.state() == Inflate::State::within;
    if (!within_) stream_.restart();  // another member can follow
    return count;
  }

  Inflate stream_{Wrapper::gzip};
};

class Zstd final : public Decoder {
 public:
  Zstd(std::unique_ptr<ByteSource> source, std::string name)
      : Decoder(std::move(source), std::move(name)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

 private:
  std::size_t decode(std::span<char> into) override {
    ZSTD_inBuffer in{in_.data(), in_.size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(left) != 0) damaged(ZSTD_getErrorName(left));
    in_ = in_.subspan(in.pos);
    within_ = left != 0;
    return out.pos;
  }

  ZSTD_DStream* stream_;
};

std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> source, const std::string& name) {
  std::string beginning(4, '\0');
  std::size_t have = 0;
  while (have < beginning.size()) {
    const std::size_t count = source->read({beginning.data() + have, beginning.size() - have});
    if (count == 0) break;
    have += count;
  }
  beginning.resize(have);
  auto all = std::make_unique<Memory>(beginning, std::move(source));
  if (beginning.starts_with("\x1f\x8b")) return std::make_unique<Gzip>(std::move(all), name);
  if (beginning == "\x28\xb5\x2f\xfd") return std::make_unique<Zstd>(std::move(all), name);
  return all;
}

// Writes a file as it is or compressed with gzip. A file that is not closed is not complete, and is removed.
class FileSink final : public ByteSink {
 public:
  explicit FileSink(const std::filesystem::path& path)
      : path_(path), file_(gzopen(path.c_str(), path.extension() == ".gz" ? "wb" : "wbT")) {
    if (file_ == nullptr) fail();
  }
  ~FileSink() override {
    if (file_ == nullptr) return;
    gzclose(file_);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view bytes) override {
    if (gzfwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
  }
  void close() override {
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw TraceError(path_.string(), std::string("cannot be written: ") + std::strerror(errno));
  }

  std::filesystem::path path_;
  gzFile file_;
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> sink)
      : sink_(std::move(sink)), output_(ZSTD_CStreamOutSize()), stream_(ZSTD_createCStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdSink() override { ZSTD_freeCStream(stream_); }
  ZstdSink(const ZstdSink&) = delete;
  ZstdSink& operator=(const ZstdSink&) = delete;
  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void close() override {
    run({}, ZSTD_e_end);
    sink_->close();
  }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer out{output_.data(), output_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_, &out, &in, directive);
      sink_->write({output_.data(), out.pos});
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  }

  std::unique_ptr<ByteSink> sink_;
  std::vector<char> output_;
  ZSTD_CStream* stream_;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const InputFile& file, InputFile::Progress progress) {
  return decoded(std::make_unique<FileBytes>(file, std::move(progress)), file.path());
}

std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, CancelFlag cancelled,
                                    std::uint64_t most) {
  class Watched final : public ByteSource {
   public:
    Watched(std::unique_ptr<ByteSource> bytes, CancelFlag flag, std::uint64_t limit)
        : source_(std::move(bytes)), cancelled_(flag), left_(limit) {}
    std::size_t read(std::span<char> into) override {
      throw_if_set(cancelled_);
      if (left_ == 0) throw EnoughRead{};
      const std::size_t count = source_->read(into);
      left_ -= std::min<std::uint64_t>(count, left_);
      return count;
    }

   private:
    std::unique_ptr<ByteSource> source_;
    CancelFlag cancelled_;
    std::uint64_t left_;
  };
  return std::make_unique<Watched>(std::move(source), cancelled, most);
}

std::unique_ptr<ByteSource> bytes_of(std::string content, const std::string& name) {
  return decoded(std::make_unique<Memory>(std::move(content)), name);
}

std::unique_ptr<ByteSink> create_bytes(const std::filesystem::path& path) {
  auto file = std::make_unique<FileSink>(path);
  if (path.extension() == ".zst") return std::make_unique<ZstdSink>(std::move(file));
  return file;
}

std::string_view ByteReader::ahead(std::size_t count) {
  while (end_ - begin_ < count) {
    if (begin_ > 0 && buffer_.size() - begin_ < count) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      end_ -= begin_;
      begin_ = 0;
    }
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(2 * end_);
    const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
    if (got == 0) break;
    end_ += got;
  }
  return buffered().substr(0, count);
}

}  // namespace headway
