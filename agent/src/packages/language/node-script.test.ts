import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeModulesOf, nodeScriptOf } from './node-script.ts';

test.each([
  [['node', 'server.js'], '/srv/app/server.js'],
  [['node', '--max-old-space-size=100', '-r', 'dotenv', 'dist/main.js', 'x.js'], '/srv/app/dist/main.js'],
  [['/usr/bin/node', '/opt/a/../b/main.js'], '/opt/b/main.js'],
  [['node', '../x.js'], '/srv/x.js'],
  [['node', '-e', 'code()'], undefined],
  [['node'], undefined],
  [['node', ''], undefined],
  [[], undefined],
])('the script of %j', (parameters, script) => {
  expect(nodeScriptOf(parameters, '/srv/app')).toBe(script);
});

test('packages are looked for up to the root', () => {
  expect(nodeModulesOf('/srv/app/main.js')).toEqual([
    '/srv/app/node_modules',
    '/srv/node_modules',
    '/node_modules',
  ]);
  expect(nodeModulesOf('/a/node_modules/pm2/bin/pm2')).toEqual([
    '/a/node_modules/pm2/bin/node_modules',
    '/a/node_modules/pm2/node_modules',
    '/a/node_modules',
    '/node_modules',
  ]);
});

test('any parameters give a bounded number of absolute paths', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (parameters, directory) => {
      const script = nodeScriptOf(['node', ...parameters], `/${directory}`);
      const paths = script === undefined ? [] : nodeModulesOf(script);
      expect(paths.length).toBeLessThanOrEqual(16);
      for (const path of paths) expect(path).toMatch(/^\/(?:.*\/)?node_modules$/s);
    }),
  );
});
