// SPDX-License-Identifier: Apache-2.0
// Runs, sweeps and searches. The interpreter is free while they run (apart.h): worker threads do not touch
// Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apart.h"
#include "bound_results.h"
#include "headway/compile/draft.h"
#include "headway/compile/export.h"
#include "headway/compile/load.h"
#include "headway/run/collection.h"
#include "headway/run/saturation.h"
#include "module.h"

namespace headway::python {
namespace {

// The arguments of a call besides the spec.
struct Request {
  bool single = false;  // the spec must have one point
  unsigned jobs = 0;
  unsigned threads = 0;
  bool check = false;
  std::optional<SaturationSearch> search = {};  // instead of a run of every point
  std::optional<std::filesystem::path> out = {};
  std::vector<std::string> command = {};  // for the manifest
};

struct Collected {
  std::vector<SharedPoint> points;
  bool complete = false;
  std::size_t reused = 0;  // runs taken from the directory
  std::vector<std::string> warnings;
};

Experiment load(const SpecDraft& draft, const std::optional<SaturationSearch>& search, const Work& work) {
  const LoadOptions options{.files = draft.files(), .cancelled = work.stopped()};
  Experiment experiment = search ? load_for_search(draft.document(), *search, {}, options)
                                 : load_experiment(draft.document(), {}, options);
  work.look();
  return experiment;
}

void expect_single(const Experiment& experiment) {
  if (experiment.points.size() != 1)
    throw SpecError({{.key = "sweep",
                      .message = "has " + std::to_string(experiment.points.size()) +
                                 " points, but this function runs one",
                      .hint = "headway.sweep runs all of them",
                      .where = ""}});
}

Collection stored_collection(const Experiment& experiment, const std::filesystem::path& directory,
                             const std::vector<std::string>& command, const Work& work) {
  const auto on_read = [&](std::uint64_t, std::uint64_t) { work.look(); };
  return {experiment, {directory, command, on_read}};
}

Collected collect(const SpecDraft& of_caller, const Request& asked, const py::object& on_progress) {
  return run_apart(on_progress, [draft = of_caller, request = asked](Work& work) {
    Collected collected;
    const Experiment experiment = load(draft, request.search, work);
    if (request.single) expect_single(experiment);
    Collection collection = request.out ? stored_collection(experiment, *request.out, request.command, work)
                                        : Collection(experiment);
    if (collection.directory() != nullptr && collection.directory()->damaged() > 0)
      collected.warnings.push_back(std::to_string(collection.directory()->damaged()) +
                                   " damaged lines of the journal are not used; their runs are repeated");
    collected.reused = collection.resume();
    SweepOptions options;
    options.jobs = request.jobs;
    options.threads = request.threads;
    options.check = request.check;
    options.on_plan = [&](const SweepPlan& plan) {
      if (!plan.warning.empty()) collected.warnings.push_back(plan.warning);
    };
    options.on_progress = [&](const SweepProgress& now) {
      work.report(now.fraction, now.tasks_done, now.tasks);
    };
    collected.complete = collection.run(options);
    collected.points = shared(collection.take_points());
    return collected;
  });
}

// (name, content) of the files that `headway export` writes
std::vector<std::pair<std::string, py::bytes>> exported(const SpecDraft& of_caller) {
  const std::vector<ExportedFile> files = run_apart(py::none(), [draft = of_caller](Work& work) {
    const Experiment experiment = load(draft, {}, work);
    expect_single(experiment);
    return export_files(experiment.points.front().spec());
  });
  std::vector<std::pair<std::string, py::bytes>> contents;
  for (const ExportedFile& file : files) contents.emplace_back(file.name, file.content);
  return contents;
}

// Writes the points like a command with --out. They must be points of the spec, in its order; how they were
// computed is stored in them.
void save(const SpecDraft& of_caller, const std::vector<SharedPoint>& results,
          const std::filesystem::path& directory, const std::vector<std::string>& command) {
  run_apart(py::none(), [draft = of_caller, points = results, directory, command](Work& work) {
    const NoResult not_of_the_spec("the results are not those of the spec");
    const auto search = points.empty() ? std::nullopt : points.front()->search;
    const Experiment experiment = load(draft, search, work);
    Collection collection = stored_collection(experiment, directory, command, work);
    collection.resume();
    std::size_t number = 0;
    for (const SharedPoint& point : points) {
      while (number < experiment.points.size() && experiment.points[number].params != point->params) ++number;
      const std::vector<Result>& runs = point->runs;
      if (number == experiment.points.size() || point->search != search || runs.empty() ||
          runs.size() > static_cast<std::size_t>(experiment.seeds) ||
          (!experiment.until && runs.size() < static_cast<std::size_t>(experiment.seeds)))
        throw not_of_the_spec;
      for (std::size_t seed = 0; seed < runs.size(); ++seed) {
        const Task task{number, static_cast<int>(seed)};
        if (collection.find(task) == nullptr) collection.add(task, runs[seed]);
      }
      ++number;
    }
    collection.write();
    return true;
  });
}

SaturationSearch search_of(double precision, double share, double times,
                           const std::optional<std::string>& latency, double lowest) {
  SaturationSearch search{.precision = precision, .share = share, .times = times, .lowest = lowest};
  if (latency) search.latency = parse_duration(*latency);
  Mistakes mistakes;
  if (latency && !search.latency)
    mistakes.add("latency", "\"" + *latency + "\" is not a time", "for example \"50 us\"");
  check(search, mistakes);
  mistakes.throw_if_any();
  return search;
}

}  // namespace

void bind_run(py::module_& module) {
  module.attr("most_jobs") = kMaxJobs;
  module.attr("most_threads") = kMaxThreads;
  const SaturationSearch standard;
  py::class_<SaturationSearch>(module, "Search")
      .def(py::init(&search_of), py::kw_only(), py::arg("precision") = standard.precision,
           py::arg("share") = standard.share, py::arg("times") = standard.times,
           py::arg("latency") = std::optional<std::string>(), py::arg("lowest") = standard.lowest);
  py::class_<Request>(module, "Request")
      .def(py::init([](bool single, unsigned jobs, unsigned threads, bool check, const std::optional<SaturationSearch>& search,
                       const std::optional<std::filesystem::path>& out, std::vector<std::string> command) {
             return Request{single, jobs, threads, check, search, out, std::move(command)};
           }),
           py::kw_only(), py::arg("single") = false, py::arg("jobs") = 0U, py::arg("threads") = 0U, py::arg("check") = false,
           py::arg("search") = std::optional<SaturationSearch>(),
           py::arg("out") = std::optional<std::filesystem::path>(),
           py::arg("command") = std::vector<std::string>());
  py::class_<Collected>(module, "Collected")
      .def_readonly("points", &Collected::points)
      .def_readonly("complete", &Collected::complete)
      .def_readonly("reused", &Collected::reused)
      .def_readonly("warnings", &Collected::warnings);
  module.def("collect", &collect, py::arg("draft"), py::arg("request"), py::arg("on_progress"));
  module.def("exported", &exported, py::arg("draft"));
  module.def("save", &save, py::arg("draft"), py::arg("points"), py::arg("directory"), py::arg("command"));
}

}  // namespace headway::python
