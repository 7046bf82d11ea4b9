import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import { parseFibTrie, parseIfInet6 } from './local-addresses.ts';
import { type Network, readNetwork } from './network.ts';

interface Listed {
  readonly ifname: string;
  readonly address: string;
  readonly addr_info: readonly { readonly local: string }[];
}

/** `name hwAddr ipAddr` of all interfaces that have an address. */
function expected(): string[] {
  try {
    const listed = JSON.parse(execFileSync('ip', ['-j', 'addr'], { encoding: 'utf8' })) as Listed[];
    return listed.flatMap(({ ifname, address, addr_info }) =>
      addr_info.map(({ local }) => `${ifname} ${address} ${local}`),
    );
  } catch {
    return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses.map(({ mac, address }) => `${name} ${mac} ${address}`),
    );
  }
}

function linesOf({ interfaces }: Network): string[] {
  return interfaces.flatMap(({ name, hwAddr, addresses }) =>
    addresses.map((one) => `${name} ${hwAddr} ${one}`),
  );
}

test('the interfaces of this host are those that ip lists', async () => {
  const network = await readNetwork(new HostFiles());
  expect(linesOf(network).sort()).toEqual(expected().sort());
  expect(network.gaps).toEqual([]);
});

test('those of a host that is mounted come from its files', async () => {
  const root = mkdtempSync(join(tmpdir(), 'vedette-network-'));
  try {
    mkdirSync(join(root, 'proc/1/net'), { recursive: true });
    for (const name of ['route', 'ipv6_route', 'if_inet6', 'fib_trie'])
      writeFileSync(join(root, 'proc/1/net', name), readFileSync(`/proc/net/${name}`));
    const own = await readNetwork(new HostFiles());
    for (const { name, hwAddr } of own.interfaces) {
      mkdirSync(join(root, 'sys/class/net', name), { recursive: true });
      writeFileSync(join(root, 'sys/class/net', name, 'address'), `${hwAddr}\n`);
    }
    const mounted = await readNetwork(new HostFiles(root));
    expect(linesOf(mounted).sort()).toEqual(linesOf(own).sort());
    expect(mounted).toMatchObject({ routes: own.routes, gaps: [] });
    expect(mounted.primaryAddress).toBe(own.primaryAddress);
    rmSync(join(root, 'sys'), { recursive: true });
    expect((await readNetwork(new HostFiles(root))).gaps).toEqual([
      { what: 'hardware addresses of network interfaces', reason: expect.stringContaining('/sys') },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('an address belongs to the smallest network, or to the interface with the default route', async () => {
  const root = mkdtempSync(join(tmpdir(), 'vedette-network-'));
  try {
    mkdirSync(join(root, 'proc/1/net'), { recursive: true });
    const place = (name: string, text: string) => writeFileSync(join(root, 'proc/1/net', name), text);
    place(
      'route',
      `Iface\nens4\t00000000\t0100800A\t0003\t0\t0\t100\t00000000\t0\t0\t0
ens4\t0100800A\t00000000\t0005\t0\t0\t100\tFFFFFFFF\t0\t0\t0
docker1\t000111AC\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n`,
    );
    place(
      'fib_trie',
      `Local:\n  |-- 10.128.0.5\n     /32 host LOCAL\n  |-- 172.17.0.1\n     /32 host LOCAL
  |-- 172.17.1.1\n     /32 host LOCAL
  |-- 172.17.255.255\n     /32 link BROADCAST\n  |-- 127.0.0.1\n     /32 host LOCAL\n`,
    );
    const { interfaces, primaryAddress, defaultRoute } = await readNetwork(new HostFiles(root));
    expect(interfaces).toEqual([
      { name: 'ens4', hwAddr: '', addresses: ['10.128.0.5'] },
      { name: 'docker0', hwAddr: '', addresses: ['172.17.0.1'] },
      { name: 'docker1', hwAddr: '', addresses: ['172.17.1.1'] },
      { name: 'lo', hwAddr: '', addresses: ['127.0.0.1'] },
    ]);
    expect([primaryAddress, defaultRoute?.gateway]).toEqual(['10.128.0.5', '10.128.0.1']);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('any text is read without an error', () => {
  const unit = fc.constantFrom(...'0123456789abcdef./|- \n', '/32 host LOCAL\n', '|-- 10.0.0.1\n');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
      parseFibTrie(text);
      parseIfInet6(text);
    }),
  );
});
