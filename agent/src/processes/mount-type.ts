/** File systems that wait for a server or for a program of a user: reading them may take forever. */
const remote =
  /^(?:nfs|nfs4|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|gpfs|ocfs2|gfs2|beegfs|fuse)(?:\.|$)|^fuse/;

export function isRemote(fileSystem: string): boolean {
  return remote.test(fileSystem);
}

/** The file system of a path by `/proc/PID/mountinfo`; undefined if that does not name it. */
export function mountType(mountinfo: string, path: string): string | undefined {
  let longest = -1;
  let type: string | undefined;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ', 2);
    const point = unescaped(before.split(' ', 5)[4] ?? '');
    const [name = ''] = after.split(' ', 1);
    // Of two at the same place, the later one hides the earlier one.
    if (name === '' || point.length < longest || !isBelow(path, point)) continue;
    longest = point.length;
    type = name;
  }
  return type;
}

function isBelow(path: string, point: string): boolean {
  return point === '/' || path === point || (point !== '' && path.startsWith(`${point}/`));
}

/** White space and backslashes are written in octal. */
function unescaped(point: string): string {
  return point.replace(/\\([0-3][0-7]{2})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
