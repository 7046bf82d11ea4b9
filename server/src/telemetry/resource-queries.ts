import { DerivedSearch, type DerivedSearchDeps } from './derived-search.ts';
import { inventoryRecord } from './inventory-record.ts';
import type { CloudAccountProvider, KnownCloudAccount } from './resource-search.ts';
import type { Provider } from './served-datasource.ts';

/** Searches of the cloud resources of an account. */
export class ResourceQueries extends DerivedSearch {
  readonly #deps: DerivedSearchDeps;

  constructor(deps: DerivedSearchDeps) {
    super(deps, {
      dataset: inventoryRecord,
      upTo: (store) => store.lastSnapshot(),
      first: (store, ...rest) => store.firstResources(...rest),
      next: (store, ...rest) => store.nextResources(...rest),
    });
    this.#deps = deps;
  }

  /** The versions of a resource as JSON separated by commas, newest first. */
  versions(account: string, provider: Provider, urn: string): Promise<string> {
    const { access, searches } = this.#deps;
    return access.use((store) => searches.run(account, () => store.resourceVersions(account, provider, urn)));
  }

  /** The subscriptions or projects of which resources are stored. */
  cloudAccounts(account: string, provider: CloudAccountProvider): Promise<KnownCloudAccount[]> {
    const { access, searches } = this.#deps;
    return access.use((store) => searches.run(account, () => store.cloudAccounts(account, provider)));
  }
}
