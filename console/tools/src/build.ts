import { isStale } from './staleness.ts';

// Every start runs this: the bundler is loaded only if there is something to build.
if (isStale() || process.argv.includes('--force')) {
  const { buildConsole } = await import('./bundle.ts');
  await buildConsole();
}
