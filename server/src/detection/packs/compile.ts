import { readCompiledPack, writeCompiledPack } from './compiled-pack.ts';
import { shippedPacks } from './shipped-packs.ts';

/** Part of the build, so it loads nothing if there is nothing to do. */
const root = shippedPacks();
if (!readCompiledPack(root)) {
  const { Pack } = await import('./pack.ts');
  const { policies, queries } = await Pack.read(root);
  writeCompiledPack(root, { policies, queries });
}
