// Loaded into a relay (LD_PRELOAD) by test/faults/power-cut.ts: notes every write, truncation and sync of relay.db and its log, in their order,
// so that the disk of any moment can be made as a file system leaves it that lost what was not synced.
// A record: time (ns, realtime), number, offset, length: 8 bytes each; then operation and file: 1 byte each; then `length` bytes for a write.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC_BEGINS = 3, SYNC_ENDS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -2;
static uint64_t next = 0;

static int file_of(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  const char *name = strrchr(path, '/');
  if (!name) return 0;
  if (!strcmp(name, "/relay.db")) return 1;
  return strcmp(name, "/relay.db-wal") ? 0 : 2;
}

static uint64_t note(int operation, int file, uint64_t number, uint64_t offset, uint64_t length, const void *bytes) {
  if (journal == -2) {
    const char *path = getenv("POWER_CUT_JOURNAL");
    journal = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  if (journal < 0) return 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t mine = number ? number : ++next;
  char head[34];
  uint64_t numbers[4] = {now.tv_sec * 1000000000ull + now.tv_nsec, mine, offset, length};
  memcpy(head, numbers, 32);
  head[32] = operation;
  head[33] = file;
  struct iovec parts[2] = {{head, 34}, {(void *)bytes, bytes ? length : 0}};
  if (writev(journal, parts, 2) < 0) abort();
  return mine;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  int file = file_of(fd);
  if (!file) return real(fd, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t done = real(fd, bytes, length, offset);
  if (done > 0) note(WRITE, file, 0, offset, done, bytes);
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate64(int fd, off64_t length) {
  static int (*real)(int, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "ftruncate64");
  int file = file_of(fd);
  if (!file) return real(fd, length);
  pthread_mutex_lock(&lock);
  int done = real(fd, length);
  if (done == 0) note(TRUNCATE, file, 0, length, 0, NULL);
  pthread_mutex_unlock(&lock);
  return done;
}

static int synced(int fd, int (*real)(int)) {
  int file = file_of(fd);
  if (!file) return real(fd);
  pthread_mutex_lock(&lock);
  uint64_t number = note(SYNC_BEGINS, file, 0, 0, 0, NULL);
  pthread_mutex_unlock(&lock);
  int done = real(fd);
  pthread_mutex_lock(&lock);
  if (done == 0) note(SYNC_ENDS, file, number, 0, 0, NULL);
  pthread_mutex_unlock(&lock);
  return done;
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  return synced(fd, real);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  return synced(fd, real);
}
