// SPDX-License-Identifier: Apache-2.0
// The C library with which a portable module is built has newer versions of some functions than the systems
// on which the module must run (portable.cmake). This file is a part of the module. It has these functions,
// and takes them from versions that glibc has had since before 2.28. A release fails if the module needs a
// newer version (tools/release/build.sh); the function then belongs into this file.
#include <pthread.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

// A function that has an old version, too: it jumps there.
#define HEADWAY_OLD(name)                                                        \
  asm(".pushsection .text\n"                                                     \
      ".hidden " #name "\n.globl " #name "\n.type " #name                        \
      ", @function\n"                                                            \
      ".symver old_" #name ", " #name "@GLIBC_2.2.5\n" #name ": jmp *old_" #name \
      "@GOTPCREL(%rip)\n"                                                        \
      ".popsection")

// glibc 2.29 and 2.35: without wrappers for the errors of System V
HEADWAY_OLD(hypot);
HEADWAY_OLD(log);
HEADWAY_OLD(log2);
HEADWAY_OLD(pow);
// glibc 2.34: in libc instead of in libpthread, which every interpreter has loaded
HEADWAY_OLD(__pthread_key_create);
HEADWAY_OLD(pthread_create);
HEADWAY_OLD(pthread_detach);
HEADWAY_OLD(pthread_getspecific);
HEADWAY_OLD(pthread_join);
HEADWAY_OLD(pthread_key_create);
HEADWAY_OLD(pthread_key_delete);
HEADWAY_OLD(pthread_once);
HEADWAY_OLD(pthread_rwlock_rdlock);
HEADWAY_OLD(pthread_rwlock_unlock);
HEADWAY_OLD(pthread_rwlock_wrlock);
HEADWAY_OLD(pthread_setspecific);

// A definition of a function of the C library; it has another name in this file, because the headers declare
// it.
#define HEADWAY_NAMED(name) __asm__(#name) __attribute__((visibility("hidden")))

extern "C" {

// glibc 2.33: instead of functions with the version of the structure
asm(".symver __xstat, __xstat@GLIBC_2.2.5");
asm(".symver __lxstat, __lxstat@GLIBC_2.2.5");
asm(".symver __fxstat, __fxstat@GLIBC_2.2.5");
int __xstat(int version, const char* path, struct stat* result);
int __lxstat(int version, const char* path, struct stat* result);
int __fxstat(int version, int file, struct stat* result);
constexpr int kStatVersion = 1;

int old_stat(const char* path, struct stat* result) HEADWAY_NAMED(stat);
int old_stat(const char* path, struct stat* result) { return __xstat(kStatVersion, path, result); }
int old_lstat(const char* path, struct stat* result) HEADWAY_NAMED(lstat);
int old_lstat(const char* path, struct stat* result) { return __lxstat(kStatVersion, path, result); }
int old_fstat(int file, struct stat* result) HEADWAY_NAMED(fstat);
int old_fstat(int file, struct stat* result) { return __fxstat(kStatVersion, file, result); }
int old_fstat64(int file, struct stat* result) HEADWAY_NAMED(fstat64);  // the structures are the same
int old_fstat64(int file, struct stat* result) { return __fxstat(kStatVersion, file, result); }

// glibc 2.32: says that no other thread exists, which saves atomic operations. "No" is always right.
extern char old_single_threaded HEADWAY_NAMED(__libc_single_threaded);
char old_single_threaded = 0;

// glibc 2.30: a wait until a time of another clock. If the time of day changes, the wait ends early or late;
// whoever waits for a time asks the clock then.
int old_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until)
    HEADWAY_NAMED(pthread_cond_clockwait);
int old_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec now{}, of_day{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &of_day);
  const std::int64_t nanoseconds = until->tv_nsec - now.tv_nsec + of_day.tv_nsec + kSecond;
  timespec then{};
  then.tv_sec = until->tv_sec - now.tv_sec + of_day.tv_sec - 1 + nanoseconds / kSecond;
  then.tv_nsec = nanoseconds % kSecond;
  return pthread_cond_timedwait(condition, mutex, &then);
}

// glibc 2.36
std::uint32_t old_random() HEADWAY_NAMED(arc4random);
std::uint32_t old_random() {
  std::uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
}
