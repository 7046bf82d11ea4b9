import { enumerate, inline } from '../summary/phrase.ts';
import type { AlertEntities } from './alert-entities.ts';
import { networks, type RowFilter, yesNo } from './history.ts';
import { type AlertKind, type Question, questionIf } from './question.ts';

const hour = 3_600_000;

/** An observation on a host. */
interface Observation {
  /** Empty if unknown. */
  readonly observed: string;
  readonly did: string;
  /** Beginning of the question about other hosts. */
  readonly elsewhere: string;
  readonly wanted: RowFilter;
}

/** Asks whether it was seen before on this host and on others. */
function observationQuestions(
  entities: AlertEntities,
  { observed: what, did, elsewhere, wanted }: Observation,
): readonly Question[] {
  const { id, name } = entities.host;
  const here = { ...wanted, where: { ...wanted.where, MID: { hostId: id } } };
  return [
    ...questionIf(
      [what, id],
      `Is it the first time in 30 days that ${what} ${did} ${name}?`,
      async (history) => yesNo(!(await history.hasSeen(here))),
    ),
    ...questionIf([what, id], `${elsewhere} in the 30 days before?`, async (history) => {
      const others = await history.values({ ...wanted, except: { MID: { hostId: id } } }, 'MID');
      return others.length === 0 ? 'No' : `Yes, ${others.length} ${others.length === 1 ? 'host' : 'hosts'}`;
    }),
  ];
}

/** Users who logged in recently may be the actor. */
function recentLogins(entities: AlertEntities): readonly Question[] {
  const { id, name } = entities.host;
  return questionIf([id], `Who logged in to ${name} in the hour before?`, async (history) => {
    const wanted = { source: 'LW_HA_USER_LOGINS', where: { MID: { hostId: id } } };
    const users = await history.values(wanted, 'USERNAME', hour);
    return users.length === 0 ? 'No user' : enumerate(users.map((user) => inline(user)).sort(), 10);
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
      ...observationQuestions(entities, {
        ...{ observed: inline(user), did: 'logged in to', wanted: ofUser },
        elsewhere: `Did ${inline(user)} log in to other hosts`,
      }),
      ...questionIf(
        [user, address],
        `Did ${inline(user)} log in from ${inline(address)} in the 30 days before?`,
        async (history) =>
          yesNo(await history.hasSeen({ source, where: { USERNAME: user, IP_ADDR: address } })),
      ),
      ...questionIf(
        [user],
        `From which networks did ${inline(user)} log in in the 30 days before?`,
        async (history) => networks(await history.values(ofUser, 'IP_ADDR')),
      ),
      ...questionIf(
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
  // Running processes, not process starts.
  isState: (subCategory) => subCategory === 'Application',
  questions(entities) {
    const program = entities.value('Process', 'exe_path');
    return [
      ...observationQuestions(entities, {
        ...{
          observed: inline(program),
          did: 'ran on',
          elsewhere: `Did ${inline(program)} run on other hosts`,
        },
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
    return observationQuestions(entities, {
      ...{ observed: what, did: 'ran on', elsewhere: `Did ${what} run on other hosts` },
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
      ...observationQuestions(entities, { observed: inline(name), did: 'was queried by', elsewhere, wanted }),
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
      ...observationQuestions(entities, { observed: inline(path), did: 'changed on', elsewhere, wanted }),
      ...recentLogins(entities),
    ];
  },
};

export const connections: AlertKind = {
  applies: (entities, subCategory) => subCategory === 'Application' && entities.has('IpAddress'),
  isState: () => false,
  questions(entities) {
    // Source first, destination last.
    const address = entities.values('IpAddress', 'ip_addr').at(-1) ?? '';
    const what = address === '' ? '' : `a connection to ${inline(address)}`;
    return observationQuestions(entities, {
      ...{ observed: what, did: 'was opened by', elsewhere: `Did other hosts connect to ${inline(address)}` },
      wanted: { source: 'LW_HA_CONNECTIONS', where: { DST_IP_ADDR: address } },
    });
  },
};

export const hostUsers: AlertKind = {
  applies: (entities, subCategory) => subCategory === 'User' && entities.has('User'),
  isState: () => true,
  questions(entities) {
    const [user, { id, name }] = [entities.value('User', 'username'), entities.host];
    return questionIf(
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
