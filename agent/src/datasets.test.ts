import { datasets as served } from '@vedette/server/telemetry/datasets';
import { describe, expect, test } from 'vitest';
import { type Dataset, datasets } from './datasets.ts';

const stamped = new Set(['mid', 'startTime', 'endTime', 'createdTime']);

describe.each(Object.entries<Dataset>(datasets))('%s', (path, { repeated, identity, isShared }) => {
  const declared = served.find((one) => one.path === path);

  test('has the identity that the server declares', () => {
    expect(identity).toEqual(declared?.identity.filter((member) => !stamped.has(member)));
  });

  test('has the number of the machine if the server wants it', () => {
    expect(Object.hasOwn(declared?.members ?? {}, 'mid')).toBe(!isShared);
  });

  test('is stamped with the times that the server searches by', () => {
    const isInstant = repeated === 'state' || repeated === 'event';
    expect(declared?.range.by === 'instant').toBe(isInstant);
    const times = isInstant ? ['createdTime'] : ['startTime', 'endTime'];
    expect(Object.keys(declared?.members ?? {})).toEqual(expect.arrayContaining(times));
  });
});
