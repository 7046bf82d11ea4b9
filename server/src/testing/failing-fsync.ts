import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a C compiler is available for the preloaded library. CI must have one. */
export const canFailFsync =
  process.env.CI === 'true' || (process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0);

/** fsync of telemetry files fails with EIO, like a failed disk, while the file FAILING_FSYNC exists. */
const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd) {
  char link[64], path[4096] = {0};
  const char *flag = getenv("FAILING_FSYNC");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return flag && access(flag, F_OK) == 0 && readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/telemetry/");
}
static int pass(const char *name, int fd) {
  if (fails(fd)) { errno = EIO; return -1; }
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}
int fsync(int fd) { return pass("fsync", fd); }
int fdatasync(int fd) { return pass("fdatasync", fd); }
`;

/** A simulated disk of a server process whose fsync fails on demand. */
export class FailingFsync {
  readonly #flag: string;
  /** Environment of a process that uses it. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(directory: string) {
    const [file, library] = [join(directory, 'fsync.c'), join(directory, 'fsync.so')];
    writeFileSync(file, source);
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, file, '-ldl']);
    this.#flag = join(directory, 'fsync-fails');
    this.environment = { LD_PRELOAD: library, FAILING_FSYNC: this.#flag };
  }

  fail(): void {
    writeFileSync(this.#flag, '');
  }

  work(): void {
    rmSync(this.#flag, { force: true });
  }
}
