import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { listenForOperator, type OperatorDeps, operatorSocket } from './socket.ts';

test('a verification is aborted when the server stops', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'vedette-'));
  let markStarted = () => {};
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const verify = (_: unknown, signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      markStarted();
    });
  const query = { select: () => query, execute: async () => [] };
  const deps = {
    ...{ dataDirectory, log: createLog('silent') },
    ...{ telemetry: { verify }, store: { read: { selectFrom: () => query } } },
  } as unknown as OperatorDeps;
  const listener = await listenForOperator(deps);
  const status = new Promise((resolve, reject) => {
    const socketPath = operatorSocket(dataDirectory);
    request({ socketPath, path: '/verify', method: 'POST', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end();
  });
  await started;
  await listener.close();
  expect(await status).toBe(500);
  rmSync(dataDirectory, { recursive: true });
});
