/** A user of `/etc/passwd`. */
export interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** A group of `/etc/group`. */
export interface GroupEntry {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/** Lines that are not entries, such as comments and those of the old network services, are left out. */
export function parsePasswd(text: string): PasswdEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid, , home = '', shell = ''] = line.split(':');
    return name && isId(uid) && isId(gid)
      ? [{ name, uid: Number(uid), gid: Number(gid), home, shell: shell.trim() }]
      : [];
  });
}

export function parseGroup(text: string): GroupEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name, , gid, members = ''] = line.split(':');
    return name && isId(gid)
      ? [{ name, gid: Number(gid), members: members.trim().split(',').filter(Boolean) }]
      : [];
  });
}

/** User and group ids have 32 bits. */
function isId(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32;
}
