// SPDX-License-Identifier: Apache-2.0
// Networks in which nothing is wrong: `headway why` names no cause, although something stands beside the job.
#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "headway/config/toml.h"
#include "headway/remedies/session.h"
#include "headway/why/why.h"

namespace headway::test {
namespace {

struct Healthy {
  std::string name, spec;

  friend void PrintTo(const Healthy& one, std::ostream* out) { *out << one.name; }
};

std::string tree(const std::string& network = "", const std::string& switches = "",
                 const std::string& node = "") {
  return "[network]\ntopology = \"pgft\"\nchildren = [8, 4]\nparents = [1, 8]\nlinks = [1, 1]\n"
         "link = { rate = \"50 GB/s\", delay = \"200 ns\" }\n" +
         network + "[switch]\nscheme = \"voqsw\"\ninput_memory = \"1 MiB\"\n" + switches +
         "[traffic]\npacket = \"4 KiB\"\n[node]\n" + node;
}
const std::string kRing =
    "[[traffic.job]]\nname = \"ar\"\nprogram = \"all-reduce\"\nalgorithm = \"ring\"\nsize = \"1 MiB\"\n";

class HealthyNetworks : public ::testing::TestWithParam<Healthy> {};

TEST_P(HealthyNetworks, HaveNoCause) {
  Question question{.document = parse_toml(GetParam().spec, GetParam().name), .overrides = {}};
  question.options.sweep.jobs = 1;
  const Experiment experiment = load_for_why(question.document);
  Session session(std::move(question), experiment, nullptr);
  EXPECT_THAT(why(session.base()), ::testing::Not(::testing::HasSubstr("The cause is")));
  const Followed followed = session.follow();
  for (const FollowedStep& step : followed.steps)
    EXPECT_FALSE(step.needed && step.change.kind == ChangeKind::cause)
        << step.change.what << ' ' << step.gain;
}

INSTANTIATE_TEST_SUITE_P(
    Remedies, HealthyNetworks,
    ::testing::Values(
        Healthy{"ring", tree() + kRing},
        Healthy{"rabenseifner", tree() +
                                    "[[traffic.job]]\nname = \"ar\"\nprogram = \"all-reduce\"\nalgorithm "
                                    "= \"rabenseifner\"\nsize = \"1 MiB\"\n"},
        Healthy{"all_to_all",
                tree() + "[[traffic.job]]\nname = \"a2a\"\nprogram = \"all-to-all\"\nsize = \"64 KiB\"\n"},
        Healthy{"storage_elsewhere",
                tree() + kRing +
                    "nodes = { first = 16 }\n[[traffic.job]]\nname = \"storage\"\nprogram = \"incast\"\n"
                    "size = \"64 KiB\"\nnodes = { rest = true }\nbackground = true\n"},
        Healthy{"slow_link_elsewhere",
                tree("degraded = { at = [\"3:15\"], rate = 0.25 }\n") + kRing + "nodes = { first = 8 }\n"},
        Healthy{"slow_receiver_elsewhere",
                tree("", "", "receiver = [{ nodes = { nodes = [31] }, rate = 0.1 }]\n") + kRing +
                    "nodes = { first = 16 }\n"},
        Healthy{"control_that_has_nothing_to_do",
                tree("", "marking = \"red\"\n", "reaction = \"dcqcn-nic\"\n") + kRing},
        Healthy{"computing", tree() + "[[traffic.job]]\nname = \"step\"\nprogram = \"training-step\"\nlayers "
                                      "= 2\nforward_ns = [200000]\n"
                                      "backward_ns = [400000]\ngradient_bytes = [65536]\n"},
        Healthy{"torus",
                "network = { topology = \"torus\", sides = [4, 4], link = { rate = \"50 GB/s\", delay = "
                "\"100 ns\" } }\n"
                "switch.input_memory = \"1 MiB\"\ntraffic.packet = \"4 KiB\"\n" +
                    kRing},
        Healthy{"open_loop",
                "network = { topology = \"k-ary-n-tree\", k = 4, n = 2 }\nswitch.scheme = \"voqnet\"\n"
                "[[traffic.flow]]\nname = \"some\"\nsources = { first = 8 }\nload = 0.2\n"
                "[[traffic.flow]]\nname = \"others\"\nsources = { rest = true }\nload = 0.2\n"
                "[measure]\nwarmup = \"20 us\"\nduration = \"100 us\"\n[observe]\ninterval = \"1 us\"\n"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace headway::test
