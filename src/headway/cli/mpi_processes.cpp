// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/mpi_processes.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace headway::cli {
namespace {

constexpr int kTag = 1;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // bytes; MPI counts in int

// A large message goes in pieces, because MPI counts bytes in int.
template <class Transfer>
void in_pieces(std::size_t bytes, Transfer&& transfer) {
  for (std::size_t from = 0; from < bytes; from += kMostAtOnce)
    transfer(from, static_cast<int>(std::min(kMostAtOnce, bytes - from)));
}

class MpiProcesses final : public Processes {
 public:
  MpiProcesses() {
    int size = 1, process = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    count_ = static_cast<std::uint32_t>(size);
    process_ = static_cast<std::uint32_t>(process);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  ~MpiProcesses() override { MPI_Finalize(); }

  std::uint32_t count() const override { return count_; }
  std::uint32_t number() const override { return process_; }

  Parcel broadcast(Parcel bytes) override {
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    in_pieces(size, [&](std::size_t from, int piece) {
      MPI_Bcast(bytes.data() + from, piece, MPI_BYTE, 0, MPI_COMM_WORLD);
    });
    return bytes;
  }

  std::vector<Parcel> gather(Parcel bytes) override {
    if (!leads()) {
      std::vector<MPI_Request> requests;
      const std::uint64_t size = bytes.size();
      send(size, bytes, 0, requests);
      wait(requests);
      return {};
    }
    std::vector<Parcel> from(count_);
    for (std::uint32_t process = 1; process < count_; ++process) from[process] = receive(process);
    return from;
  }

  std::vector<Parcel> exchange(std::vector<Parcel> to) override {
    std::vector<MPI_Request> requests;
    std::vector<std::uint64_t> sizes(count_);
    for (std::uint32_t process = 0; process < count_; ++process) {
      if (process == process_) continue;
      sizes[process] = to[process].size();
      send(sizes[process], to[process], process, requests);
    }
    std::vector<Parcel> from(count_);
    for (std::uint32_t process = 0; process < count_; ++process)
      if (process != process_) from[process] = receive(process);
    wait(requests);
    return from;
  }

  [[noreturn]] void abort(std::string_view why) override {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> machine{};
    int length = 0;
    MPI_Get_processor_name(machine.data(), &length);
    const std::string text(why);
    std::fprintf(stderr, "headway: process %u of %u on %s: %s\n", process_, count_, machine.data(),
                 text.c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    ::_exit(1);
  }

 private:
  // `size` and `bytes` must live until wait().
  static void send(const std::uint64_t& size, const Parcel& bytes, std::uint32_t to,
                   std::vector<MPI_Request>& requests) {
    const auto start = [&](const void* data, int count, MPI_Datatype type) {
      MPI_Isend(data, count, type, static_cast<int>(to), kTag, MPI_COMM_WORLD, &requests.emplace_back());
    };
    start(&size, 1, MPI_UINT64_T);
    in_pieces(bytes.size(),
              [&](std::size_t from, int piece) { start(bytes.data() + from, piece, MPI_BYTE); });
  }
  static void wait(std::vector<MPI_Request>& requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  static Parcel receive(std::uint32_t from) {
    const auto sender = static_cast<int>(from);
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, sender, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    Parcel bytes(size);
    in_pieces(size, [&](std::size_t first, int piece) {
      MPI_Recv(bytes.data() + first, piece, MPI_BYTE, sender, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    return bytes;
  }

  std::uint32_t count_ = 1;
  std::uint32_t process_ = 0;
};

}  // namespace

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data());
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

// mpirun passes signals on to all processes. The leading one ends the sweep and tells the others.
std::unique_ptr<Processes> start_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  auto processes = std::make_unique<MpiProcesses>();
  if (processes->count() == 1) return nullptr;
  if (provided < MPI_THREAD_SERIALIZED) processes->abort("this MPI does not allow threads");
  if (!processes->leads()) {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
  }
  return processes;
}

}  // namespace headway::cli
