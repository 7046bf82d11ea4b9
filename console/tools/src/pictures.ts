import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Takes a picture of every screen: `npm run console:pictures -- <directory>`. */
const [folder] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('Name the directory of the pictures: npm run console:pictures -- <directory>\n');
  process.exit(2);
}
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'console', 'looks.screen'], {
  stdio: 'inherit',
  env: { ...process.env, VEDETTE_PICTURES: resolve(folder) },
});
process.exit(status ?? 1);
