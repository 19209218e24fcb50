// SPDX-License-Identifier: Apache-2.0
// The networks and routes of checks and runs. Each is built once for all specs that share it, such as the
// points of a sweep. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "headway/analysis/bottleneck.h"
#include "headway/base/error.h"
#include "headway/base/kept.h"
#include "headway/config/document.h"
#include "headway/routing/routes.h"
#include "headway/selection/rule.h"
#include "headway/spec/spec.h"

namespace headway {

// The sources of each flow in a network: the chosen nodes that send (traffic/sources.h).
struct SeenSources {
  std::vector<Mistake> wrong;      // also of the patterns
  std::vector<std::size_t> count;  // [flow]
};

// The selection function of adaptive routing in a network.
struct SeenSelection {
  std::vector<Mistake> wrong;  // why the function cannot work; the rule is then the default one
  SelectionRule rule;
};

// What checks and runs share. It is made once, by the first one that needs it.
class Seen {
 public:
  std::uint64_t bytes() const { return bytes_; }

 protected:
  friend class SeenNetworks;
  std::mutex mutex_;  // held while it is made; guards the private members
  bool made_ = false;
  std::atomic<std::uint64_t> bytes_ = 0;
};

class SeenNetwork : public Seen {
 public:
  std::vector<Mistake> wrong;  // mistakes of the topology; if there are any, the other members are empty
  std::uint32_t nodes = 0;
  std::uint64_t memory = 0;            // network_memory
  std::shared_ptr<const Graph> graph;  // null: too large to build

  // `written` is the resolved spec.
  SeenSources sources(const EventSpec& spec, const Document& written);
  SeenSelection selection(const EventSpec& spec, const Document& written);

 private:
  std::map<std::string, SeenSources> sources_;       // by the seed and the flows without loads
  std::map<std::string, SeenSelection> selections_;  // by the text of [routing]
};

// The routes of a network.
class SeenRoutes : public Seen {
 public:
  std::vector<Mistake> wrong;  // why there are none; empty: there are routes
  std::optional<Routes> routes;
  std::shared_ptr<SeenBottlenecks> bottlenecks = std::make_shared<SeenBottlenecks>();

  // reachable_inputs of the network.
  const std::vector<std::uint32_t>& reachable(const Graph& graph);

 private:
  std::vector<std::uint32_t> reachable_;  // computed when first needed
};

// The number of ranks that the file of a program has.
struct SeenRanks : Seen {
  std::optional<std::uint32_t> ranks;
};

// A program with its messages matched.
struct SeenProgram : Seen {
  std::vector<Mistake> wrong;  // with keys of the job; empty: there is a program
  std::shared_ptr<const Program> program;
};

class SeenNetworks {
 public:
  // Builds graphs of at most `most` bytes in total, which limits the time that checks of large networks take.
  explicit SeenNetworks(std::uint64_t most = UINT64_MAX) : to_build_(most) {}

  // The network of the spec, and its routes if it has a graph. `written` is the resolved spec.
  std::shared_ptr<SeenNetwork> network(const EventSpec& spec, const Document& written);
  std::shared_ptr<SeenRoutes> routes(const SeenNetwork& network, const EventSpec& spec,
                                     const Document& written);
  // The number of ranks that the program of a job gives; the job has this number. Files are read once.
  std::optional<std::uint32_t> ranks(const JobSpec& job, std::size_t number, const Document& written);
  // The program of a job.
  std::shared_ptr<SeenProgram> program(const JobSpec& job, std::size_t number, std::uint32_t ranks,
                                       const Document& written);
  // Keeps unused graphs, routes and programs up to this many bytes, and always the last one.
  void keep_at_most(std::uint64_t bytes) {
    networks_.keep_at_most(bytes);
    routes_.keep_at_most(bytes);
    programs_.keep_at_most(bytes);
  }
  std::uint64_t held() const { return networks_.bytes() + routes_.bytes() + programs_.bytes(); }  // bytes
  bool left_out() const { return left_out_; }  // true if a graph was too large to build

 private:
  static constexpr std::size_t kMostKept = 16;
  static constexpr std::uint64_t kMostBytesKept = 256 << 20;

  // The value with this key. `make` fills it if it is new.
  template <class T, class Make>
  static std::shared_ptr<T> made(Kept<T>& all, const std::string& key, Make&& make);
  void build(const NetworkSpec& spec, SeenNetwork& network);
  bool may_build(std::uint64_t bytes);

  Kept<SeenNetwork> networks_{kMostKept, kMostBytesKept};  // by the text of the table and its files
  Kept<SeenRoutes> routes_{kMostKept, kMostBytesKept};     // by the texts and files of routing and network
  Kept<SeenRanks> ranks_{1000, kMostBytesKept};            // by the programs of the job and their files
  Kept<SeenProgram> programs_{kMostKept, kMostBytesKept};  // by the text of the job, its files and its ranks
  std::atomic<std::uint64_t> to_build_;                    // bytes of graphs that can still be built
  std::atomic<bool> left_out_ = false;
};

}  // namespace headway
