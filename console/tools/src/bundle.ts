import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { firstLoad, firstLoadLimit } from './first-load.ts';
import { builtFolder, consoleFolder } from './places.ts';
import { stampFile } from './staleness.ts';

const settings: InlineConfig = {
  root: consoleFolder,
  configFile: false,
  // The server writes the path of its public address before the links of the page.
  base: './',
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir: builtFolder,
    emptyOutDir: true,
    target: 'es2023',
    // Content-Security-Policy: fonts and images come from files, never from data in the style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};

/** Bundles the console, and compresses the files once instead of with every response. */
export async function buildConsole(): Promise<void> {
  await build(settings);
  const assets = join(builtFolder, 'assets');
  for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
    const bytes = readFileSync(join(assets, name));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes));
  }
  writeFileSync(stampFile, '');
  const [size, limit] = [firstLoad(), firstLoadLimit].map((bytes) => (bytes / 1_000).toFixed(1));
  process.stdout.write(
    `Console built: ${size} kB of compressed script on the first load, limit ${limit} kB\n`,
  );
}
