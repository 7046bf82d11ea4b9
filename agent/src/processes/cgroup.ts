/** Runtimes name the control group of a container by its id of 64 hexadecimal digits. */
const containerId = /(?:^|[/:-])([0-9a-f]{64})(?:\.scope)?(?=\/|$)/;

/** The id of the container of a process, from its `/proc/PID/cgroup`. The innermost one, if containers are nested. */
export function containerIdOf(cgroup: string): string | undefined {
  for (const line of cgroup.split('\n')) {
    const segments = line.split('/');
    for (let at = segments.length - 1; at >= 0; at--) {
      const found = containerId.exec(segments[at] ?? '');
      if (found) return found[1];
    }
  }
  return undefined;
}
