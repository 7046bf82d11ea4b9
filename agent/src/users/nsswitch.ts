/** Services that only know what is in files of the host. */
const local = new Set(['files', 'compat', 'db', 'systemd', 'altfiles']);

/** The services besides files that `/etc/nsswitch.conf` takes users from: `sss`, `ldap`. */
export function directoriesOf(text: string): readonly string[] {
  const [, services = ''] = /^[ \t]*passwd[ \t]*:([^#\n]*)/m.exec(text) ?? [];
  const names = services.replace(/\[[^\]]*\]/g, ' ').match(/[A-Za-z0-9_-]+/g) ?? [];
  return [...new Set(names)].filter((name) => !local.has(name)).slice(0, 10);
}
