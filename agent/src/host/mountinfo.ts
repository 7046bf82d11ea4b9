/** A mounted file system. */
export interface Mount {
  readonly point: string;
  /** `ext4`, `nfs4`. */
  readonly type: string;
}

/** Lines that are not understood are left out. The format is that of proc(5). */
export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    // The number of optional fields before the separator varies.
    const separator = fields.indexOf('-', 6);
    const [point, type] = [fields[4], separator < 0 ? undefined : fields[separator + 1]];
    return point?.startsWith('/') && type ? [{ point: unescaped(point), type }] : [];
  });
}

/** Spaces, tabs, line ends and backslashes are octal. */
function unescaped(field: string): string {
  return field.replace(/\\([0-3][0-7]{2})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

const pseudo = new Set([
  ...['proc', 'sysfs', 'cgroup', 'cgroup2', 'devpts', 'securityfs', 'selinuxfs', 'debugfs'],
  ...['tracefs', 'bpf', 'pstore', 'efivarfs', 'mqueue', 'hugetlbfs', 'configfs', 'fusectl', 'binfmt_misc'],
  ...['autofs', 'rpc_pipefs', 'nfsd', 'nsfs'],
]);
const network = new Set([
  ...['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'afs', 'ceph', '9p', 'lustre', 'gfs2', 'ocfs2', 'glusterfs'],
  ...['ncpfs', 'coda', 'beegfs', 'gpfs'],
]);

/** Whether files of the type are on a disk of the host: others can block, or have no content of their own. */
export function isLocal(type: string): boolean {
  if (/^fuse(?:blk)?(?:\.|$)/.test(type)) return type === 'fuse.fuse-overlayfs';
  return !pseudo.has(type) && !network.has(type);
}

/** The mounted file systems by path. */
export class Mounts {
  readonly #types = new Map<string, string>();

  constructor(mounts: readonly Mount[]) {
    // A later mount at the same point hides an earlier one.
    for (const { point, type } of mounts) this.#types.set(point, type);
  }

  /** The type of the file system of a path; undefined if it is not known. */
  typeOf(path: string): string | undefined {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const type = this.#types.get(at);
      if (type !== undefined) return type;
    }
    return this.#types.get('/');
  }
}
