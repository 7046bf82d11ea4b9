import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySink } from '@vedette/server/collect/inventory/memory-sink.sample';
import { type ScopeResult, SnapshotWriter } from '@vedette/server/collect/inventory/snapshot-writer';
import type { Resource } from '@vedette/server/telemetry/resource';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImportFile } from '../importing/import-file.ts';
import { FileSink } from './file-sink.ts';
import { ResourceFileReader, resourceFileHead } from './resource-file-reader.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-resources-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const id = { kind: 'LW_CFG_AWS_EC2_VPCS', cloudAccount: '1', region: 'eu-west-1', started: 10 };
const resource = (key: string): Resource => ({
  ...{ key, facts: { URN: key, RESOURCE_ID: key, KEYS: '["a","b"]' } },
  ...{ config: '{"a": 1.10}', tags: '{"Name":"x"}' },
});

/** What was collected, as a file. */
async function collected(write: (sink: FileSink) => Promise<void>): Promise<string> {
  let content = '';
  const output = {
    write: async (lines: string) => {
      content += lines;
    },
  };
  const sink = await FileSink.open(output, 'aws');
  await write(sink);
  await sink.end([{ status: 'denied', reason: 'Account 2: no.' }]);
  return content;
}

async function read(content: string, kinds?: ReadonlySet<string>) {
  const path = join(directory, 'file.ndjson');
  writeFileSync(path, content);
  const file = new ImportFile(path);
  const [sink, results] = [new MemorySink(), [] as ScopeResult[]];
  const reader = new ResourceFileReader(file, sink, kinds);
  for await (const result of reader.results()) results.push(result);
  return { sink, results, problems: reader.problems, head: await resourceFileHead(file) };
}

const whole = () =>
  collected(async (sink) => {
    const writer = new SnapshotWriter(sink, id);
    for (let index = 0; index < 2_500; index++) await writer.add(resource(`vpc-${index}`));
    await writer.unread('vpc-x', { status: 'denied', reason: 'AccessDenied' });
    await writer.finish(20);
    const empty = new SnapshotWriter(sink, { ...id, region: 'eu-west-2' });
    await empty.finish(20);
    const given = new SnapshotWriter(sink, { ...id, kind: 'LW_CFG_AWS_EC2_VOLUMES' });
    for (let index = 0; index < 1_500; index++) await given.add(resource(`vol-${index}`));
    given.fail({ status: 'failed', reason: 'Timeout.' });
    await given.finish(20);
  });

describe('a file of a collection', () => {
  test('has what was collected, and why the rest was not', async () => {
    const { sink, results, problems, head } = await read(await whole());
    expect(head).toEqual({ format: 'vedette-resources', version: 1, cloud: 'aws' });
    expect(problems).toEqual([{ status: 'denied', reason: 'Account 2: no.' }]);
    expect(
      results.map(({ region, status, resources, unread }) => [region, status, resources, unread]),
    ).toEqual([
      ['eu-west-1', 'denied', 2_500, 1],
      ['eu-west-2', 'empty', 0, 0],
      // It was given up, so that nothing of it counts.
      ['eu-west-1', 'failed', 0, 0],
    ]);
    const stored = sink.snapshots.find(({ kind, region }) => kind === id.kind && region === id.region);
    expect(stored?.resources[0]).toEqual(resource('vpc-0'));
    expect(stored?.resources).toHaveLength(2_500);
  });

  test('is read for some kinds only', async () => {
    const { results } = await read(await whole(), new Set(['LW_CFG_AWS_EC2_VOLUMES']));
    expect(results.map(({ kind }) => kind)).toEqual(['LW_CFG_AWS_EC2_VOLUMES']);
  });

  test('is refused if it was cut off or changed, with the line', async () => {
    const content = await whole();
    const lines = content.trimEnd().split('\n');
    const without = (at: number) => lines.toSpliced(at, 1).join('\n');
    await expect(read(without(lines.length - 1))).rejects.toThrow('It was cut off');
    await expect(read(lines.slice(0, 100).join('\n'))).rejects.toThrow('It was cut off');
    await expect(read(without(5))).rejects.toThrow(
      /Line 2502 ends 2501 lines of LW_CFG_AWS_EC2_VPCS, but there are 2500/,
    );
    await expect(read(`${content}{"problems":[]}`)).rejects.toThrow(/Line \d+ follows the end/);
    await expect(read(`${lines[0]}\nno JSON`)).rejects.toThrow('Line 2 is not a JSON object.');
    await expect(read(`${lines[0]}\n{"key":"a"}`)).rejects.toThrow('Line 2: kind must be a string');
    const wrong = JSON.stringify({ ...id, key: 'a', config: 5 });
    await expect(read(`${lines[0]}\n${wrong}`)).rejects.toThrow('Line 2: config ');
    await expect(
      read('{"format":"vedette-resources","version":2,"cloud":"aws"}\n{"problems":[]}'),
    ).rejects.toThrow('Line 1: version must be 1');
  });

  test('is told from other files', async () => {
    const path = join(directory, 'other.json');
    writeFileSync(path, '{"fileVersion":"1.0"}');
    expect(await resourceFileHead(new ImportFile(path))).toBeUndefined();
  });
});
