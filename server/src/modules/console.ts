import { fileURLToPath } from 'node:url';
import { ConsolePages } from '../features/console/pages.ts';
import type { Pages } from '../http/pages.ts';
import type { Module, ModuleContext } from './module.ts';

export interface ConsoleModule extends Module {
  readonly pages: Pages;
}

const built = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** The web console, served from the files of its build. */
export function consoleModule({ configuration }: Pick<ModuleContext, 'configuration'>): ConsoleModule {
  const path = configuration.VEDETTE_PUBLIC_URL?.pathname ?? '';
  return { pages: new ConsolePages(built, path.replace(/\/+$/, '')) };
}
