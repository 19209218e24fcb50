# SPDX-License-Identifier: Apache-2.0
# The version, from its one place, for the scripts beside this file; run in the root of the sources.
version=$(sed -n 's/^project(headway VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
