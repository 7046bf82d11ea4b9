import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Limits the total size of files below SMALL_DISK to SMALL_DISK_BYTES: writes beyond it fail with ENOSPC, and statfs
 * reports the remaining space. Unlike a mounted file system it needs no privileges.
 */
const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long sum;
static int add(const char *path, const struct stat *s, int flag, struct FTW *at) {
  if (flag == FTW_F) sum += s->st_size;
  return 0;
}
static long long left(void) {
  sum = 0;
  nftw(getenv("SMALL_DISK"), add, 16, FTW_PHYS);
  return atoll(getenv("SMALL_DISK_BYTES")) - sum;
}
static int refuses(int fd, long long end) {
  char link[64], path[PATH_MAX] = {0};
  struct stat s;
  const char *root = getenv("SMALL_DISK");
  if (!root || fstat(fd, &s) || !S_ISREG(s.st_mode) || end <= s.st_size) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (readlink(link, path, sizeof path - 1) <= 0 || strncmp(path, root, strlen(root))) return 0;
  pthread_mutex_lock(&lock);
  int full = end - s.st_size > left();
  pthread_mutex_unlock(&lock);
  if (full) errno = ENOSPC;
  return full;
}
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))
static ssize_t at(const char *name, int fd, const void *b, size_t n, off_t o) {
  return refuses(fd, o + n) ? -1 : NEXT(ssize_t (*)(int, const void *, size_t, off_t), name)(fd, b, n, o);
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return at("pwrite", fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off_t o) { return at("pwrite64", fd, b, n, o); }
ssize_t write(int fd, const void *b, size_t n) {
  struct stat s;
  if (!fstat(fd, &s) && S_ISREG(s.st_mode) && refuses(fd, lseek(fd, 0, SEEK_CUR) + n)) return -1;
  return NEXT(ssize_t (*)(int, const void *, size_t), "write")(fd, b, n);
}
static void measure(const char *path, unsigned long *blocks, unsigned long *free, unsigned long *avail, long size) {
  const char *root = getenv("SMALL_DISK");
  if (!root || strncmp(path, root, strlen(root))) return;
  pthread_mutex_lock(&lock);
  long long rest = left();
  pthread_mutex_unlock(&lock);
  *blocks = atoll(getenv("SMALL_DISK_BYTES")) / size;
  *free = *avail = rest > 0 ? rest / size : 0;
}
int statfs(const char *path, struct statfs *s) {
  int result = NEXT(int (*)(const char *, struct statfs *), "statfs")(path, s);
  if (!result) measure(path, &s->f_blocks, &s->f_bfree, &s->f_bavail, s->f_bsize);
  return result;
}
int statfs64(const char *path, struct statfs64 *s) {
  int result = NEXT(int (*)(const char *, struct statfs64 *), "statfs64")(path, s);
  if (!result) measure(path, &s->f_blocks, &s->f_bfree, &s->f_bavail, s->f_bsize);
  return result;
}
`;

/** A simulated disk of limited size for the files of a server process. */
export class SmallDisk {
  readonly #root: string;
  readonly #filler: string;
  readonly bytes: number;
  /** Environment of a process that uses it. */
  readonly environment: Readonly<Record<string, string>>;

  /** The library is built in `tools`; the files below `root` are on the disk. */
  constructor(root: string, tools: string, bytes: number) {
    const [file, library] = [join(tools, 'small-disk.c'), join(tools, 'small-disk.so')];
    writeFileSync(file, source);
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-w', '-o', library, file, '-ldl', '-lpthread']);
    this.#root = root;
    this.#filler = join(root, 'filler');
    this.bytes = bytes;
    this.environment = { LD_PRELOAD: library, SMALL_DISK: root, SMALL_DISK_BYTES: String(bytes) };
  }

  get free(): number {
    const names = readdirSync(this.#root, { recursive: true, encoding: 'utf8' });
    const files = names.map((name) => statSync(join(this.#root, name), { throwIfNoEntry: false }));
    return this.bytes - files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
  }

  /** Uses all free space, as another program would. */
  fill(): void {
    appendFileSync(this.#filler, Buffer.alloc(Math.max(0, this.free)));
  }

  clear(): void {
    rmSync(this.#filler, { force: true });
  }
}
