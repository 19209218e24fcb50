// SPDX-License-Identifier: Apache-2.0
// Runs, sweeps and searches. The interpreter is free while they run (apart.h): worker threads do not touch
// Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apart.h"
#include "bound_results.h"
#include "headway/compile/draft.h"
#include "headway/compile/load.h"
#include "headway/compile/run_cost.h"
#include "headway/exports/export.h"
#include "headway/run/collection.h"
#include "headway/run/results.h"
#include "headway/run/results_dir.h"
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

Collection::Place place_of(const std::filesystem::path& directory, const std::vector<std::string>& command,
                           const Work& work) {
  return {directory, command, [&](std::uint64_t, std::uint64_t) { work.look(); }};
}

// An experiment and what is collected of it. Its parts refer to each other, so it stays in its place.
class Collecting {
 public:
  Collecting(const SpecDraft& draft, const Request& request, const Work& work)
      : experiment_(load(draft, request.search, work)) {
    if (request.single) expect_single(experiment_);
    if (request.out)
      collection_ = std::make_unique<Collection>(experiment_, place_of(*request.out, request.command, work));
    else
      collection_ = std::make_unique<Collection>(experiment_);
    if (collection_->directory() != nullptr && collection_->directory()->damaged() > 0)
      collected_.warnings.push_back(std::to_string(collection_->directory()->damaged()) +
                                    " damaged lines of the journal are not used; their runs are repeated");
    collected_.reused = collection_->resume();
  }
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;

  const Experiment& experiment() const { return experiment_; }
  Collection& collection() const {
    if (!collection_) throw std::runtime_error("the collection is closed");
    return *collection_;
  }
  void close() { collection_.reset(); }  // another one can then use its directory
  Collected& collected() { return collected_; }
  Collected take() {
    collected_.points = shared(collection().take_points());
    return std::move(collected_);
  }

 private:
  Experiment experiment_;
  std::unique_ptr<Collection> collection_;
  Collected collected_;
};

Collected collect(const SpecDraft& of_caller, const Request& asked, const py::object& on_progress) {
  return run_apart(on_progress, [draft = of_caller, request = asked](Work& work) {
    Collecting collecting(draft, request, work);
    Collected& collected = collecting.collected();
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
    collected.complete = collecting.collection().run(options);
    return collecting.take();
  });
}

// A task as Python has it: (point, repetition).
using Numbers = std::pair<std::size_t, int>;

std::vector<Numbers> numbers_of(const std::vector<Task>& tasks) {
  std::vector<Numbers> numbers;
  for (const Task& task : tasks) numbers.emplace_back(task.point, task.repetition);
  return numbers;
}

// The result of a task that was run elsewhere: as a line of the journal has it, and its snapshots.
using Parcel = std::pair<py::bytes, py::bytes>;

// Runs a task of an experiment by itself.
Parcel run_task(const std::shared_ptr<const Experiment>& experiment, const Numbers& numbers, bool check,
                bool keep) {
  const Result result = run_apart(py::none(), [experiment, numbers, check, keep](Work& work) {
    SweepOptions options;
    options.jobs = 1;
    options.check = check;
    options.keep = keep;
    options.cancelled = work.stopped();
    Result one;
    const auto take = [&](const Task&, Result result) {
      one = std::move(result);
      return std::vector<Task>();
    };
    run_sweep(*experiment, {Task{numbers.first, numbers.second}}, take, options);
    work.look();
    return one;
  });
  return {py::bytes(write_result(result)), py::bytes(result.snapshots)};
}

std::vector<Numbers> add(Collecting& collecting, const Numbers& numbers,
                         const std::pair<std::string, std::string>& parcel) {
  const Released released;
  Result result = read_result(parcel.first);
  result.snapshots = parcel.second;
  return numbers_of(collecting.collection().add({numbers.first, numbers.second}, std::move(result)));
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
    Collection collection(experiment, place_of(directory, command, work));
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

void expect_single(const Experiment& experiment) {
  if (experiment.points.size() != 1)
    throw SpecError({{.key = "sweep",
                      .message = "has " + std::to_string(experiment.points.size()) +
                                 " points, but this function runs one",
                      .hint = "headway.sweep runs all of them",
                      .where = ""}});
}

void bind_run(py::module_& module) {
  module.attr("most_jobs") = kMaxJobs;
  module.attr("most_threads") = kMaxThreads;
  const SaturationSearch standard;
  py::class_<SaturationSearch>(module, "Search")
      .def(py::init(&search_of), py::kw_only(), py::arg("precision") = standard.precision,
           py::arg("share") = standard.share, py::arg("times") = standard.times,
           py::arg("latency") = std::optional<std::string>(), py::arg("lowest") = standard.lowest);
  py::class_<Request>(module, "Request")
      .def(py::init([](bool single, unsigned jobs, unsigned threads, bool check,
                       const std::optional<SaturationSearch>& search,
                       const std::optional<std::filesystem::path>& out, std::vector<std::string> command) {
             return Request{single, jobs, threads, check, search, out, std::move(command)};
           }),
           py::kw_only(), py::arg("single") = false, py::arg("jobs") = 0U, py::arg("threads") = 0U,
           py::arg("check") = false, py::arg("search") = std::optional<SaturationSearch>(),
           py::arg("out") = std::optional<std::filesystem::path>(),
           py::arg("command") = std::vector<std::string>());
  py::class_<Collected>(module, "Collected")
      .def_readonly("points", &Collected::points)
      .def_readonly("complete", &Collected::complete)
      .def_readonly("reused", &Collected::reused)
      .def_readonly("warnings", &Collected::warnings);
  py::class_<Experiment, std::shared_ptr<Experiment>>(module, "Experiment")
      .def(py::init([](const SpecDraft& of_caller, const std::optional<SaturationSearch>& search) {
             return run_apart(py::none(), [draft = of_caller, search](Work& work) {
               return std::make_shared<Experiment>(load(draft, search, work));
             });
           }),
           py::arg("draft"), py::arg("search"))
      .def("run", &run_task, py::arg("task"), py::kw_only(), py::arg("check"), py::arg("keep"));
  py::class_<Collecting, std::shared_ptr<Collecting>>(module, "Collecting")
      .def(py::init([](const SpecDraft& of_caller, const Request& asked) {
             return run_apart(py::none(), [draft = of_caller, request = asked](Work& work) {
               return std::make_shared<Collecting>(draft, request, work);
             });
           }),
           py::arg("draft"), py::arg("request"))
      .def("missing", [](const Collecting& it) { return numbers_of(it.collection().missing()); })
      .def(
          "work",
          [](const Collecting& it, std::size_t point) { return expected_work(it.experiment(), point); },
          py::arg("point"))
      .def(
          "describe",
          [](const Collecting& it, const Numbers& numbers) {
            return describe(it.experiment(), {numbers.first, numbers.second});
          },
          py::arg("task"))
      .def("add", &add, py::arg("task"), py::arg("parcel"))
      .def("write",
           [](const Collecting& it) {
             const Released released;
             it.collection().write();
           })
      .def("take", &Collecting::take)
      .def("close", &Collecting::close);
  module.def("collect", &collect, py::arg("draft"), py::arg("request"), py::arg("on_progress"));
  module.def("exported", &exported, py::arg("draft"));
  module.def("save", &save, py::arg("draft"), py::arg("points"), py::arg("directory"), py::arg("command"));
}

}  // namespace headway::python
