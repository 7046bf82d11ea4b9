#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The agent runs for months on many hosts: it does not load the other commands.
const [word, next] = process.argv.slice(2);
const isAgent = word === 'agent' && next !== 'install' && next !== 'uninstall';
const main = isAgent
  ? new URL(import.meta.resolve('@vedette/agent/main'))
  : new URL('../dist/main.js', import.meta.url);
if (isAgent) process.argv.splice(2, 1);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('vedette is not built yet: run `npm run build` in the repository first.\n');
  process.exitCode = 1;
}
