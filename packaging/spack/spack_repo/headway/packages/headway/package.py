# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe for Headway: the program, the library and the man page. packaging/README.md says what was tried."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Headway(CMakePackage):
    """Simulator of lossless interconnection networks."""

    # A release writes the checksum; ADDRESS is where a person uploads the source archive.
    url = "ADDRESS/headway-1.0.0-source.tar.gz"

    license("Apache-2.0")

    variant("mpi", default=False, description="build headway-mpi, whose runs several processes simulate together")

    version("1.0.0", sha256="SHA256")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("protozero", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("fmt@9:")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("HEADWAY_TESTS", False),
            self.define("HEADWAY_UNITY", True),
            self.define_from_variant("HEADWAY_MPI", "mpi"),
        ]
