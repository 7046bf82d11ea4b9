import type { HostFiles } from '../host/host-files.ts';
import { layoutBytes, layoutOf, parseUtmp, utmpTypes } from './utmp.ts';

const limits = { utmpBytes: 1024 * 1024, sessions: 1_000, sessionBytes: 4_096 };

/** The users that are logged in now, each counted once. Undefined if the host does not say. */
export async function countLoggedIn(files: HostFiles): Promise<number | undefined> {
  const utmp = await files.bytes('/run/utmp', limits.utmpBytes);
  if (utmp.is === 'read') {
    const layout = layoutOf(utmp.value.subarray(0, layoutBytes));
    if (layout) {
      const logins = parseUtmp(utmp.value, layout).filter(({ type }) => type === utmpTypes.login);
      return new Set(logins.map(({ user }) => user)).size;
    }
  }
  return countSessions(files);
}

/** Newer distributions have no utmp, but systemd writes a file for each session. */
async function countSessions(files: HostFiles): Promise<number | undefined> {
  const names = await files.names('/run/systemd/sessions', limits.sessions);
  if (names.is !== 'read') return undefined;
  const users = new Set<string>();
  for (const name of names.value.filter((one) => !one.endsWith('.ref'))) {
    const session = await files.text(`/run/systemd/sessions/${name}`, limits.sessionBytes);
    const [, user] = (session.is === 'read' && /^USER=(.+)$/m.exec(session.value)) || [];
    if (session.is === 'read' && user !== undefined && /^CLASS=user$/m.test(session.value)) users.add(user);
  }
  return users.size;
}
