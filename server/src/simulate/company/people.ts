import type { Random } from '../random.ts';
import { type SshKey, sshKey } from './ssh-keys.ts';

const givenNames =
  'Ada Amir Bela Chidi Clara Dario Elif Emil Fatou Greta Hugo Ines Jonas Kavya Lena Luca Maya Milan Nadia Noah Olga Omar Petra Quentin Rosa Sami Tara Tomas Uma Viktor Wanda Yusuf Zoe'.split(
    ' ',
  );
const familyNames =
  'Abel Bauer Conti Diallo Eriksen Fischer Garcia Haddad Ivanov Jensen Kaya Lindqvist Moreau Novak Okafor Patel Quint Rossi Sato Tanaka Ueda Varga Weber Xu Yilmaz Zeman'.split(
    ' ',
  );
const teams = ['platform', 'platform', 'shop', 'shop', 'data', 'security'] as const;

/** A member of staff with access to hosts and clouds. */
export interface Person {
  readonly name: string;
  /** User name on hosts and in clouds. */
  readonly login: string;
  readonly email: string;
  readonly uid: number;
  readonly team: (typeof teams)[number];
  /** Private address of their workstation. */
  readonly address: string;
  readonly key: SshKey;
  readonly accessKeyId: string;
  readonly principalId: string;
}

/** One person per five hosts, at least eight. */
export function createPeople(hosts: number, domain: string, random: Random): Person[] {
  const logins = new Set<string>();
  return Array.from({ length: Math.max(8, Math.ceil(hosts / 5)) }, (_, index) => {
    const [given, family] = [random.pick(givenNames), random.pick(familyNames)];
    const plain = `${given}.${family}`.toLowerCase();
    const login = logins.has(plain) ? `${plain}${index}` : plain;
    logins.add(login);
    return {
      name: `${given} ${family}`,
      login,
      email: `${login}@${domain}`,
      uid: 1_001 + index,
      team: teams[index % teams.length] as Person['team'],
      address: `10.90.${Math.floor(index / 250)}.${(index % 250) + 4}`,
      key: sshKey('ED25519', random.hex(64)),
      accessKeyId: `AKIA${random.hex(16).toUpperCase()}`,
      principalId: `AIDA${random.hex(16).toUpperCase()}`,
    };
  });
}
