import { docsRoutes } from '../features/docs/routes.ts';
import { schemaRoutes } from '../features/schemas/routes.ts';
import { describeInterface, familiesOf } from '../http/openapi.ts';
import { version } from '../platform/version.ts';
import type { Module } from './module.ts';
import type { ModuleList } from './module-list.ts';

/** The API reference, derived from the declarations of all routes. */
export function referenceModule({ modules }: { readonly modules: Pick<ModuleList, 'routes'> }): Module {
  const declarations = () =>
    modules.routes.map(({ declaration }) => declaration).filter(({ isPrivate }) => !isPrivate);
  return {
    routes: [
      ...docsRoutes({ declarations, describe: () => describeInterface(declarations(), version), version }),
      ...schemaRoutes({ families: () => familiesOf(declarations()) }),
    ],
  };
}
