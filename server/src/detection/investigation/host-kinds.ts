import { enumerate, inline } from '../summary/phrase.ts';
import type { AlertEntities } from './alert-entities.ts';
import { networks, type Wanted, yesNo } from './history.ts';
import { type AlertKind, about, type Question } from './question.ts';

const hour = 3_600_000;

/** Something that happens on hosts. */
interface Sighting {
  /** What it is; empty where that is not known. */
  readonly what: string;
  readonly did: string;
  /** The same of other hosts, as a question without its end. */
  readonly elsewhere: string;
  readonly wanted: Wanted;
}

/** Was it seen on this host before, and on others? */
function sightings(entities: AlertEntities, { what, did, elsewhere, wanted }: Sighting): readonly Question[] {
  const { id, name } = entities.host;
  const here = { ...wanted, where: { ...wanted.where, MID: { hostId: id } } };
  return [
    ...about([what, id], `Is it the first time in 30 days that ${what} ${did} ${name}?`, async (history) =>
      yesNo(!(await history.hasSeen(here))),
    ),
    ...about([what, id], `${elsewhere} in the 30 days before?`, async (history) => {
      const others = await history.values({ ...wanted, except: { MID: { hostId: id } } }, 'MID');
      return others.length === 0 ? 'No' : `Yes, ${others.length} ${others.length === 1 ? 'host' : 'hosts'}`;
    }),
  ];
}

/** Whoever was on the host may have done it. */
function recentLogins(entities: AlertEntities): readonly Question[] {
  const { id, name } = entities.host;
  return about([id], `Who logged in to ${name} in the hour before?`, async (history) => {
    const wanted = { source: 'LW_HA_USER_LOGINS', where: { MID: { hostId: id } } };
    const users = await history.values(wanted, 'USERNAME', hour);
    return users.length === 0 ? 'Nobody' : enumerate(users.map((user) => inline(user)).sort(), 10);
  });
}

export const logins: AlertKind = {
  applies: (entities, subCategory) =>
    subCategory === 'User' &&
    entities.has('User') &&
    (entities.has('IpAddress') || entities.value('User', 'tty') !== ''),
  isState: () => false,
  questions(entities) {
    const user = entities.value('User', 'username');
    const address = entities.value('IpAddress', 'ip_addr');
    const source = 'LW_HA_USER_LOGINS';
    const ofUser = { source, where: { USERNAME: user } };
    return [
      ...sightings(entities, {
        ...{ what: inline(user), did: 'logged in to', wanted: ofUser },
        elsewhere: `Did ${inline(user)} log in to other hosts`,
      }),
      ...about(
        [user, address],
        `Did ${inline(user)} log in from ${inline(address)} in the 30 days before?`,
        async (history) =>
          yesNo(await history.hasSeen({ source, where: { USERNAME: user, IP_ADDR: address } })),
      ),
      ...about(
        [user],
        `From which networks did ${inline(user)} log in in the 30 days before?`,
        async (history) => networks(await history.values(ofUser, 'IP_ADDR')),
      ),
      ...about(
        [user, address],
        `Did other users log in from ${inline(address)} in the 30 days before?`,
        async (history) =>
          yesNo(await history.hasSeen({ source, where: { IP_ADDR: address }, except: { USERNAME: user } })),
      ),
    ];
  },
};

export const processes: AlertKind = {
  applies: (entities) => entities.has('Process'),
  // What runs, not what was started.
  isState: (subCategory) => subCategory === 'Application',
  questions(entities) {
    const program = entities.value('Process', 'exe_path');
    return [
      ...sightings(entities, {
        ...{ what: inline(program), did: 'ran on', elsewhere: `Did ${inline(program)} run on other hosts` },
        wanted: { source: 'LW_HE_PROCESSES', where: { EXE_PATH: program } },
      }),
      ...recentLogins(entities),
    ];
  },
};

export const containers: AlertKind = {
  applies: (entities) => entities.has('Container'),
  isState: () => true,
  questions(entities) {
    const repository = entities.value('Container', 'image_repo');
    const what = repository === '' ? '' : `image ${inline(repository)}`;
    return sightings(entities, {
      ...{ what, did: 'ran on', elsewhere: `Did ${what} run on other hosts` },
      wanted: { source: 'LW_HE_CONTAINERS', where: { REPO: repository } },
    });
  },
};

export const lookups: AlertKind = {
  applies: (entities) => entities.has('DnsName'),
  isState: () => false,
  questions(entities) {
    const name = entities.value('DnsName', 'hostname');
    const wanted = { source: 'LW_HA_DNS_REQUESTS', where: { HOSTNAME: name } };
    const elsewhere = `Did other hosts query ${inline(name)}`;
    return [
      ...sightings(entities, { what: inline(name), did: 'was queried by', elsewhere, wanted }),
      ...recentLogins(entities),
    ];
  },
};

export const files: AlertKind = {
  applies: (entities) => entities.has('File'),
  isState: () => false,
  questions(entities) {
    const path = entities.value('File', 'path');
    const wanted = { source: 'LW_HA_FILE_CHANGES', where: { PATH: path } };
    const elsewhere = `Did ${inline(path)} change on other hosts`;
    return [
      ...sightings(entities, { what: inline(path), did: 'changed on', elsewhere, wanted }),
      ...recentLogins(entities),
    ];
  },
};

export const connections: AlertKind = {
  applies: (entities, subCategory) => subCategory === 'Application' && entities.has('IpAddress'),
  isState: () => false,
  questions(entities) {
    // The source comes first, and the destination last.
    const address = entities.values('IpAddress', 'ip_addr').at(-1) ?? '';
    const what = address === '' ? '' : `a connection to ${inline(address)}`;
    return sightings(entities, {
      ...{ what, did: 'was opened by', elsewhere: `Did other hosts connect to ${inline(address)}` },
      wanted: { source: 'LW_HA_CONNECTIONS', where: { DST_IP_ADDR: address } },
    });
  },
};

export const hostUsers: AlertKind = {
  applies: (entities, subCategory) => subCategory === 'User' && entities.has('User'),
  isState: () => true,
  questions(entities) {
    const [user, { id, name }] = [entities.value('User', 'username'), entities.host];
    return about(
      [user, id],
      `Did ${inline(user)} log in to ${name} in the 30 days before?`,
      async (history) =>
        yesNo(
          await history.hasSeen({
            source: 'LW_HA_USER_LOGINS',
            where: { USERNAME: user, MID: { hostId: id } },
          }),
        ),
    );
  },
};
