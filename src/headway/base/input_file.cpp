// SPDX-License-Identifier: Apache-2.0
#include "headway/base/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "headway/base/hash.h"

namespace headway {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

// The known properties of a file, shared by all its readers.
class InputFileState {
 public:
  explicit InputFileState(std::string file, std::optional<std::string> in_memory = {})
      : path(std::move(file)), content(std::move(in_memory)) {}

  void confirm(std::size_t block, std::string_view content) {
    const std::uint64_t hash = hash_of(content);
    const bool last = content.size() < kBlock;
    const std::scoped_lock lock(mutex_);
    if (block == blocks_.size() && !whole_) {
      blocks_.push_back(hash);
      whole_ = last;
    } else if (block >= blocks_.size() || blocks_[block] != hash ||
               last != (whole_ && block + 1 == blocks_.size())) {
      refuse_file(path, "has changed since it was first read",
                  "start the run again, and do not change the file while the run reads it");
    }
  }

  // The number of known blocks, and whether these are all blocks of the file.
  std::pair<std::size_t, bool> known() const {
    const std::scoped_lock lock(mutex_);
    return {blocks_.size(), whole_};
  }

  // The hash of all known blocks.
  std::uint64_t hash() const {
    const std::scoped_lock lock(mutex_);
    std::uint64_t all = kHashOfNothing;
    for (const std::uint64_t block : blocks_) all = hash_of(std::to_string(block) + ' ', all);
    return all;
  }

  const std::string path;
  const std::optional<std::string> content;  // of a file in memory
  std::mutex reading_text;                   // guards the members below
  std::optional<std::string> text;

 private:
  mutable std::mutex mutex_;           // guards the members below
  std::vector<std::uint64_t> blocks_;  // hashes of the blocks read so far
  bool whole_ = false;                 // the last known block is the last block of the file
};

InputFile::InputFile(const std::string& path)
    : state_(path.empty() ? nullptr : std::make_shared<InputFileState>(path)) {}

InputFile InputFile::in_memory(std::string_view stem, std::string_view suffix, std::string content) {
  InputFile file;
  file.state_ = std::make_shared<InputFileState>(fmt::format("{}-{:016x}.{}", stem, hash_of(content), suffix),
                                                 std::move(content));
  return file;
}

const std::string* InputFile::content() const {
  return state_ != nullptr && state_->content ? &*state_->content : nullptr;
}

const std::string& InputFile::path() const {
  static const std::string kNone;
  return state_ == nullptr ? kNone : state_->path;
}

void add_of_file(const std::vector<Mistake>& of_file, const std::string& key, Mistakes& mistakes) {
  for (const Mistake& mistake : of_file)
    if (mistake.key.empty())
      mistakes.add(key, (mistake.where.empty() ? "" : mistake.where + ": ") + mistake.message, mistake.hint);
    else
      mistakes.add(mistake);
}

const std::string* InputFile::text(const std::string& key, Mistakes& mistakes) const {
  const std::scoped_lock lock(state_->reading_text);
  try {
    if (state_->content) {
      if (state_->content->size() > kMostText) refuse_size(state_->path, kMostText);
      return &*state_->content;
    }
    if (!state_->text) {
      std::string text;
      Stream stream(*this);
      for (std::span<const char> block = stream.block(); !block.empty(); block = stream.block()) {
        text.append(block.begin(), block.end());
        if (text.size() > kMostText) refuse_size(state_->path, kMostText);
      }
      state_->text = std::move(text);
    }
    return &*state_->text;
  } catch (const SpecError& error) {
    add_of_file(error.mistakes(), key, mistakes);
    return nullptr;
  }
}

InputFile::Stream::Stream(const InputFile& file, std::size_t first_block)
    : state_(file.state_), next_block_(first_block) {
  if (state_->content) return;
  file_.emplace(state_->path);
  if (first_block > 0) file_->go_to(std::uint64_t{first_block} * kBlock);
}

std::uint64_t InputFile::Stream::size() const {
  return state_->content ? state_->content->size() : file_->size();
}

std::size_t InputFile::Stream::read_block() {
  if (file_) return file_->read(buffer_);
  const std::string& content = *state_->content;
  return content.copy(buffer_.data(), buffer_.size(), std::min(next_block_ * kBlock, content.size()));
}

std::span<const char> InputFile::Stream::block() {
  if (taken_ == buffer_.size() && !ended_) {
    buffer_.resize(kBlock);
    buffer_.resize(read_block());
    taken_ = 0;
    ended_ = buffer_.size() < kBlock;
    state_->confirm(next_block_++, buffer_);
  }
  return std::span(buffer_).subspan(std::exchange(taken_, buffer_.size()));
}

std::size_t InputFile::Stream::read(std::span<char> into) {
  const std::span<const char> all = block();
  const std::size_t count = std::min(into.size(), all.size());
  std::copy_n(all.begin(), count, into.begin());
  taken_ -= all.size() - count;
  return count;
}

std::uint64_t InputFile::hash(const Progress& progress) const {
  const auto [known, whole] = state_->known();
  if (!whole) {
    Stream rest(*this, known);
    for (std::uint64_t bytes = std::uint64_t{known} * kBlock;;) {
      const std::size_t more = rest.block().size();
      if (more == 0) break;
      bytes += more;
      if (progress) progress(bytes, rest.size());
    }
  }
  return state_->hash();
}

InputFile InputFiles::at(const std::string& path) const {
  const std::scoped_lock lock(mutex_);
  return files_.try_emplace(path, InputFile(path)).first->second;
}

bool InputFiles::any() const {
  const std::scoped_lock lock(mutex_);
  return !in_memory_.empty() || !files_.empty();
}

const InputFile* InputFiles::in_memory(const std::string& name) const {
  const auto found = in_memory_.find(name);
  return found == in_memory_.end() ? nullptr : &found->second;
}

}  // namespace headway
