// SPDX-License-Identifier: Apache-2.0
// Requests and replies: each client has a number of requests on the way, to the servers in turn. A server
// computes and replies. Servers can be slower than the others. Source: Dean, Barroso, "The tail at scale",
// Communications of the ACM 56(2), 2013; batches of requests as in BookSim 2. A span is a request, from the
// start of its send to the completion of the receive of its reply.
#include <algorithm>
#include <cmath>

#include "headway/config/limits.h"
#include "headway/programs/parts.h"

namespace headway {
namespace {

class RequestReply final : public ProgramKind {
 public:
  void describe(Parameters& parameters) override {
    roles_.describe(parameters,
                    "number of clients, which are the first ranks; default: all that are no servers",
                    "number of servers; default: 1, or all that are no clients");
    parameters.field(count_parameter("requests", "number of requests of each client"), requests_);
    parameters.field(
        count_parameter("window", "most requests of a client that wait for their reply at the same time"),
        window_);
    parameters.field(bytes_parameter("request", "bytes of a request"), request_);
    parameters.field(bytes_parameter("reply", "bytes of a reply"), reply_);
    parameters.field(
        time_parameter("think", "time that a client computes after a reply, before its next request"),
        think_);
    parameters.field(time_parameter("service", "time that a server computes before it replies"), service_);
    parameters.field({.name = "slow_servers",
                      .help = "servers with a longer time of service, by their numbers from 0",
                      .bounds = Bounds::from(0, limits::kNumber)},
                     slow_servers_);
    parameters.field({.name = "slow_factor",
                      .help = "time of service of a slow server over that of the others",
                      .bounds = Bounds::from(0, 1e6)},
                     slow_factor_);
  }
  std::optional<std::uint32_t> ranks() const override { return roles_.ranks(); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const override {
    if (!roles_.check(ranks, mistakes)) return;
    const std::uint32_t servers = roles_.counts(ranks).second;
    for (const std::int64_t server : slow_servers_)
      if (server >= servers)
        mistakes.add("slow_servers", "there is no server " + std::to_string(server),
                     "servers are 0 to " + std::to_string(servers - 1));
    if (!slow_servers_.empty() && service_.ns == 0)
      mistakes.add("slow_servers", "have no effect, because servers need no time", "give service");
    if (static_cast<double>(picoseconds(service_)) * slow_factor_ > limits::kTime * 1000)
      mistakes.add("slow_factor", "makes the service longer than any run");
  }

  void build(ProgramBuilder& builder) const override {
    const auto [clients, servers] = roles_.counts(builder.ranks());
    const auto requests = static_cast<std::uint32_t>(requests_);
    for (std::uint32_t client = 0; client < clients; ++client) add_client(builder, client, clients, servers);
    for (std::uint32_t server = 0; server < servers; ++server)
      for (std::uint32_t j = 0; j < requests; ++j)
        // Clients whose request j comes here.
        for (std::uint32_t client = (server + servers - j % servers) % servers; client < clients;
             client += servers)
          add_service(builder, clients + server, client, service_of(server));
  }

 private:
  void add_client(ProgramBuilder& builder, std::uint32_t client, std::uint32_t clients,
                  std::uint32_t servers) const {
    const auto requests = static_cast<std::uint32_t>(requests_), window = static_cast<std::uint32_t>(window_);
    const std::uint64_t think = picoseconds(think_);
    std::vector<std::uint32_t> done;  // [request] what a later request waits for
    for (std::uint32_t j = 0; j < requests; ++j) {
      const std::uint32_t server =
          clients + static_cast<std::uint32_t>((std::uint64_t{client} + j) % servers);
      const std::uint32_t send = builder.send(client, server, bytes_of(request_));
      if (j >= window) builder.require(client, send, done[j - window]);
      const std::uint32_t receive = builder.receive(client, server, bytes_of(reply_), kReply);
      builder.span(client, send, receive);
      done.push_back(builder.compute_after(client, receive, think));
    }
  }

  void add_service(ProgramBuilder& builder, std::uint32_t server, std::uint32_t client,
                   std::uint64_t service) const {
    const std::uint32_t receive = builder.receive(server, client, bytes_of(request_));
    const std::uint32_t done = builder.compute_after(server, receive, service);
    builder.require(server, builder.send(server, client, bytes_of(reply_), kReply), done);
  }

  std::uint64_t service_of(std::uint32_t server) const {
    const std::uint64_t service = picoseconds(service_);
    if (std::ranges::find(slow_servers_, server) == slow_servers_.end()) return service;
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(service) * slow_factor_));
  }

  static constexpr std::uint32_t kReply = 1;  // tag

  TwoRoles roles_{"clients", "servers", 1};
  std::int64_t requests_ = 16;
  std::int64_t window_ = 1;
  Bytes request_{64};
  Bytes reply_{4 << 10};
  Duration think_;
  Duration service_;
  std::vector<std::int64_t> slow_servers_;
  double slow_factor_ = 10;
};

}  // namespace

Entry<ProgramKind> request_reply() {
  return {"request-reply", "clients send requests to servers in turn, which compute and reply",
          "Dean and Barroso 2013; BookSim 2", make_entry<ProgramKind, RequestReply>};
}

}  // namespace headway
