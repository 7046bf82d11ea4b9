import { expect, test } from 'vitest';
import { defineRoute } from '../http/route.ts';
import { createLog } from '../platform/log.ts';
import type { Module } from './module.ts';
import { ModuleList } from './module-list.ts';

const health = (family: string, path: `/${string}`) =>
  defineRoute({
    method: 'GET',
    path,
    family: { name: family, description: 'A family.' },
    summary: 'Answer',
    access: 'public',
    replies: {},
  }).handle(async () => {
    throw new Error('not called');
  });

test('modules stop in their order, then jobs end, then modules close before those they depend on', async () => {
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const store: Module = { stop: step('store stops'), close: step('store closes') };
  const sender: Module = {
    jobs: [
      {
        name: 'send',
        milliseconds: 1,
        run: async () => {
          started();
          while (!steps.includes('sender stops')) await new Promise((resume) => setImmediate(resume));
          steps.push('job ends');
        },
      },
    ],
    stop: step('sender stops'),
    close: step('sender closes'),
  };
  const modules = new ModuleList();
  expect(modules.add(store)).toBe(store);
  modules.add({});
  modules.add(sender);
  modules.startJobs(createLog('silent'));
  await running;
  await modules.stop();
  expect(steps).toEqual(['store stops', 'sender stops', 'job ends', 'sender closes', 'store closes']);
});

test('an outbox topic is handled by all its modules in order, until one of them fails', async () => {
  const handled: string[] = [];
  const handler = (name: string) => async (payload: { id: number }) => {
    if (payload.id === 2 && name === 'second') throw new Error('not now');
    handled.push(`${name} ${payload.id}`);
  };
  const modules = new ModuleList();
  modules.add({ outbox: { deleted: handler('first') } });
  modules.add({ outbox: { deleted: handler('second'), created: handler('created') } });
  modules.add({ outbox: { deleted: handler('third') } });
  const { deleted, created } = modules.outboxHandlers;
  await deleted?.({ id: 1 } as never);
  await created?.({ id: 1 } as never);
  await expect(deleted?.({ id: 2 } as never)).rejects.toThrow('not now');
  expect(handled).toEqual(['first 1', 'second 1', 'third 1', 'created 1', 'first 2']);
});

test('routes are sorted by family, including those of a module added later', () => {
  const modules = new ModuleList();
  const paths = () => modules.routes.map(({ declaration }) => declaration.path);
  modules.add({ routes: [health('Zebras', '/z1'), health('apples', '/a'), health('Zebras', '/z2')] });
  expect(paths()).toEqual(['/a', '/z1', '/z2']);
  modules.add({ routes: [health('Bees', '/b')] });
  expect(paths()).toEqual(['/a', '/b', '/z1', '/z2']);
});

test('gauges are read on demand', () => {
  let running = 0;
  const modules = new ModuleList();
  modules.add({ queues: { searches: () => ({ running, waiting: 1 }) } });
  modules.add({ queues: { exports: () => ({ running: 0 }) } });
  running = 3;
  expect(modules.queueGauges()).toEqual({ searches: { running: 3, waiting: 1 }, exports: { running: 0 } });
});
