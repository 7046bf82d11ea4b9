import { expect, test } from 'vitest';
import { mergedPaths } from './merged-paths.ts';

test.each<[string[], string[]]>([
  [[], []],
  [['a.b'], ['a.b']],
  [['spec.containers.*.args', 'spec.initContainers.*.args'], ['spec.{containers,initContainers}.*.args']],
  [
    ['a.x.c', 'b.x.c', 'a.y.c', 'b.y.c', 'a.x'],
    ['{a,b}.{x,y}.c', 'a.x'],
  ],
  [
    ['a.x', 'b.y'],
    ['a.x', 'b.y'],
  ],
  [['a.*[b.c=d|e].f', 'a.*[b.c=d|e].g'], ['a.*[b.c=d|e].{f,g}']],
])('paths %j are shown as %j', (paths, shown) => {
  expect(mergedPaths(paths)).toEqual(shown);
});
