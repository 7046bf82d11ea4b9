import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import { machineNumber, readHostIds } from './machine-number.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'vedette-number-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const ids = { machineId: 'a'.repeat(32), productUuid: 'b'.repeat(36), instanceId: 'i-1' };

test('the number is positive, exact in JSON, and the same at each start', async () => {
  const mid = await machineNumber(state, ids);
  expect(Number.isSafeInteger(mid) && mid > 0).toBe(true);
  expect(await machineNumber(state, ids)).toBe(mid);
});

test('it stays when an id can not be read once, or becomes known later', async () => {
  const mid = await machineNumber(state, { machineId: ids.machineId });
  expect(await machineNumber(state, ids)).toBe(mid);
  expect(await machineNumber(state, {})).toBe(mid);
  expect(await machineNumber(state, ids)).toBe(mid);
});

test.each(Object.keys(ids))('a copy of the host with another %s has another number', async (kind) => {
  const mid = await machineNumber(state, ids);
  const copy = await machineNumber(state, { ...ids, [kind]: 'other' });
  expect(copy).not.toBe(mid);
  expect(await machineNumber(state, { ...ids, [kind]: 'other' })).toBe(copy);
});

test('hosts with the same ids differ by their installation', async () => {
  const other = join(state, 'deep/other');
  expect(await machineNumber(other, ids)).not.toBe(await machineNumber(state, ids));
});

test('no id is stored itself', async () => {
  await machineNumber(state, ids);
  const stored = readFileSync(join(state, 'host.json'), 'utf8');
  for (const id of Object.values(ids)) expect(stored).not.toContain(id);
});

test.each(['', '{', 'null', '{"mid":-1}', '{"mid":1.5,"salt":"a","digests":{}}', '{"mid":1,"salt":1}'])(
  'the damaged file %j is written again',
  async (content) => {
    writeFileSync(join(state, 'host.json'), content);
    const mid = await machineNumber(state, ids);
    expect(await machineNumber(state, ids)).toBe(mid);
  },
);

test('ids are read from the host', async () => {
  const root = join(state, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
  mkdirSync(join(root, 'var/lib/dbus'), { recursive: true });
  mkdirSync(join(root, 'sys/class/dmi/id'), { recursive: true });
  writeFileSync(join(root, 'etc/machine-id'), 'uninitialized\n');
  writeFileSync(join(root, 'var/lib/dbus/machine-id'), `${'c'.repeat(32)}\n`);
  writeFileSync(join(root, 'sys/class/dmi/id/product_uuid'), 'EC2E1916-9099-7CAF-FD21-012345ABCDEF\n');
  expect(await readHostIds(new HostFiles(root))).toEqual({
    machineId: 'c'.repeat(32),
    productUuid: 'ec2e1916-9099-7caf-fd21-012345abcdef',
  });
});
