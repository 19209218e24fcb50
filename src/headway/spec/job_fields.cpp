// SPDX-License-Identifier: Apache-2.0
// The keys of jobs.
#include "headway/config/limits.h"
#include "headway/spec/spec_parts.h"

namespace headway {
namespace {

void describe_ranks(JobSpec& job, SpecFields& fields) {
  fields.field({.name = "nodes",
                .help = "nodes that the job may use, given as a flow's sources; jobs can share nodes"},
               job.nodes);
  fields.field(
      {.name = "exclusive",
       .help = "true: the job waits until as many of these nodes as it needs are free, takes them in "
               "the order of the placement, and has them for itself until it is done"},
      job.exclusive);
  fields.field(
      {.name = "placement",
       .help = "order in which ranks take these nodes: as listed or ascending (linear), in a random "
               "order (random), one on each leaf switch in turn (round-robin), leaf switch by "
               "leaf switch (blocked), or, where nodes have several links, server by server (in the order "
               "of nodes, or in a random one: random-server), rack by rack or rail by rail"},
      job.placement);
  fields.field({.name = "placement_file",
                .help = "text file with a node in each line, by number or name: those of ranks 0, 1, ...; "
                        "replaces nodes and placement"},
               job.placement_file);
  fields.field({.name = "ranks",
                .help = "number of ranks; default: as many as the program or its file says, otherwise "
                        "ranks_per_node on every node",
                .bounds = Bounds::from(1, limits::kNumber)},
               job.ranks);
  fields.field({.name = "ranks_per_node",
                .help = "ranks on a node: ranks 0, 1, ... are on the first node",
                .bounds = Bounds::from(1, limits::kNumber)},
               job.ranks_per_node);
}

void describe_job_times(JobSpec& job, SpecFields& fields) {
  fields.field(
      {.name = "start",
       .help = "time at which the first iteration begins; of an exclusive job: at which it begins to "
               "wait for nodes",
       .bounds = Bounds::from(0, limits::kTime)},
      job.start);
  fields.field({.name = "copies",
                .help = "number of jobs like this one, which are called NAME 0, NAME 1, ... and start one "
                        "after the other",
                .bounds = Bounds::from(1, limits::kCopiesOfJob)},
               job.copies);
  fields.field({.name = "interarrival",
                .help = "mean time between the starts of two copies",
                .bounds = Bounds::from(0, limits::kTime)},
               job.interarrival);
  fields.field({.name = "arrivals",
                .help = "poisson: this time, and that from `start` to the first copy, are exponentially "
                        "distributed; periodic: they are the same, and the first copy starts at `start`"},
               job.arrivals);
  fields.field({.name = "iterations",
                .help = "times that every rank runs its operations; a rank begins the next iteration when it "
                        "has completed its own operations",
                .bounds = Bounds::from(1, limits::kNumber)},
               job.iterations);
  fields.field(
      {.name = "background", .help = "true: repeats for ever, and the run does not wait for this job"},
      job.background);
  fields.field(
      {.name = "sends",
       .help = "a send is complete when its last byte has left the node (sent), or at the end of its "
               "turn (buffered)"},
      job.sends);
  fields.field({.name = "rendezvous",
                .help = "messages of more bytes are announced: they are sent when the receiver has answered; "
                        "default: no message is announced",
                .bounds = Bounds::from(0, limits::kBytes)},
               job.rendezvous);
  fields.field({.name = "control",
                .help = "length of an announcement and of the answer to it",
                .bounds = Bounds::from(1, limits::kBytes)},
               job.control);
  fields.field({.name = "overhead",
                .help = "time that a send or receive occupies its CPU",
                .bounds = Bounds::from(0, limits::kTime)},
               job.overhead);
  fields.field({.name = "overhead_per_byte",
                .help = "the same for each byte, in addition",
                .bounds = Bounds::from(0, limits::kTime)},
               job.overhead_per_byte);
  fields.field(
      {.name = "local_delay",
       .help = "time that a message between two ranks of one node takes; it does not enter the network",
       .bounds = Bounds::from(0, limits::kTime)},
      job.local_delay);
}

}  // namespace

void describe(JobSpec& job, SpecFields& fields) {
  describe_name(job.name, fields);
  choice(fields, {.name = "program", .help = "what the ranks send, receive and compute"}, programs(),
         job.program);
  fields.list(
      {.name = "programs",
       .help = "with program = \"sequence\": the programs, as tables with a program and its parameters"},
      {[&] { return job.parts.size(); },
       [&](std::size_t size) { job.parts.assign(size, choose(programs(), "all-reduce")); },
       [&](std::size_t index, SpecFields& part) {
         choice(part, {.name = "program", .help = "what the ranks send, receive and compute"}, programs(),
                job.parts[index]);
       }});
  describe_ranks(job, fields);
  describe_job_times(job, fields);
  describe_service_level(job.service_level, fields);
}

}  // namespace headway
