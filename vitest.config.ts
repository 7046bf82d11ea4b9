import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Tests run on what `tsc -b` built, so that worker threads and child processes run the code that ships. The list
 * comes from the sources, so that a stale file in dist never runs.
 */
function builtTests(workspace: string, folders: readonly string[] = ['']): string[] {
  const sources = join(import.meta.dirname, workspace, 'src');
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && folders.some((folder) => file.startsWith(folder)))
    .map((file) => join(workspace, 'dist', file.replace(/\.ts$/, '.js')));
}

/** What touches the control store runs a second time on PostgreSQL. */
const controlPlane = [
  ...[
    'control/',
    'search/',
    'jobs/',
    'identity/',
    'rules/',
    'groups/',
    'team/',
    'alerts/',
    ...['activities', 'evaluation', 'exceptions', 'policies', 'profiles', 'queries'].map(
      (part) => `detection/${part}/`,
    ),
    'delivery/',
    'collect/audit/aws/',
    'http/',
    'families/',
    'features/',
    'operator/',
    'collect/schedule/',
  ],
  ...['main', 'torture'],
];

/** What is about one of the two stores says so in its name. */
const of = (store: 'sqlite' | 'postgres') => (file: string) =>
  !/\.(sqlite|postgres)\.test\.js$/.test(file) || file.endsWith(`.${store}.test.js`);

/** What ask telemetry or somebody else's server, for which the control store makes no difference. */
const telemetryOnly =
  /dist\/(?:features\/(?:datasets\/|Queries\/(?:interruption|execution))|delivery\/channels)/;

const { findChromium } = await import('./console/tools/dist/chromium.js');
if (!findChromium() && process.env.CI)
  throw new Error('CI must test the console in a browser: install chromium first.');
if (!findChromium())
  process.stderr.write('Chromium was not found: the screens of the console are not tested.\n');

const { findPostgresBinaries } = await import('./server/dist/testing/cluster.js');
const postgres = Boolean(process.env.VEDETTE_TEST_POSTGRES_URL ?? findPostgresBinaries());
if (!postgres && process.env.CI)
  throw new Error('CI must run the control-plane tests on PostgreSQL: install it first.');
if (!postgres)
  process.stderr.write('PostgreSQL was not found: the control-plane tests run on SQLite only.\n');

export default defineConfig({
  test: {
    // By default one fewer than processors, which is a single one on small machines; much of a test is waiting.
    maxWorkers: availableParallelism() <= 2 ? 3 : availableParallelism(),
    // Files share the modules of their process: loading and compiling them anew for each took a third of the time.
    isolate: false,
    // What was built needs no transformation: Node loads it in a fraction of the time.
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js$)/] } },
    // Against a test that hangs; single operations have limits of their own. A machine that is busy with other builds
    // takes ten times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['lql', 'server', 'cli', 'agent', 'conformance', 'attack']
            .flatMap((workspace) => builtTests(workspace))
            .filter(of('sqlite')),
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: [
            'console/src/**/*.test.ts',
            ...builtTests('console/tools').filter(
              (file) => findChromium() || !file.endsWith('.screen.test.js'),
            ),
          ],
        },
      },
      ...(postgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: builtTests('server', controlPlane)
                  .filter((file) => !telemetryOnly.test(file))
                  .filter(of('postgres')),
                globalSetup: ['server/dist/testing/setup.postgres.js'],
              },
            },
          ]
        : []),
    ],
  },
});
