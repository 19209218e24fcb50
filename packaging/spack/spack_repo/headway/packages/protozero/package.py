# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe for protozero, a header-only library that Headway needs and Spack's own repository lacks."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Protozero(CMakePackage):
    """Minimalistic protocol buffer decoder and encoder in C++."""

    homepage = "https://github.com/mapbox/protozero"
    git = "https://github.com/mapbox/protozero.git"

    license("BSD-2-Clause AND Apache-2.0")

    version("1.7.1", tag="v1.7.1", commit="f379578a3f7c8162aac0ac31c2696de09a5b5f93")

    depends_on("cxx", type="build")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
