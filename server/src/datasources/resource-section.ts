import type {
  Provider,
  ResourceKind,
  ResourceOrigin,
  ServedDatasource,
} from '../telemetry/served-datasource.ts';
import { knownLinks, LinkIndex } from './links.ts';
import { linksByName } from './links-by-name.ts';
import { deprecatedColumns, directoryColumns, resourceColumns } from './resource-columns.ts';
import { ResourceKinds } from './resource-kinds.ts';
import type { Section } from './section.ts';

const prefix = 'LW_CFG_';

/** Deprecated names in existing queries. */
const deprecatedNames: ReadonlyMap<string, string> = new Map([
  ['LW_CFG_AWS', 'LW_CFG_AWS_ALL'],
  ['LW_CFG_AWS_IAM_LIST_ROLES', 'LW_CFG_AWS_IAM_ROLES'],
  ['LW_CFG_AWS_LAMBDA_LIST_FUNCTIONS', 'LW_CFG_AWS_LAMBDA'],
  ['LW_CFG_AWS_RDS_DESCRIBE_DB_INSTANCES', 'LW_CFG_AWS_RDS_DB_INSTANCES'],
]);

/** Cloud configuration: thousands of datasources with the same columns, distinguished by name. */
export class ResourceSection implements Section {
  readonly #kinds: ResourceKinds;
  #links: LinkIndex | undefined;

  constructor(file: URL) {
    this.#kinds = new ResourceKinds(file);
  }

  find(name: string): ServedDatasource | undefined {
    if (!name.startsWith(prefix)) return undefined;
    const current = deprecatedNames.get(name);
    if (current) return this.#deprecated(name, current);
    const kind = this.#kinds.find(name);
    if (!kind) return undefined;
    const provider = providerOf(name);
    this.#links ??= new LinkIndex([...knownLinks, ...linksByName(this.#kinds.names())]);
    return {
      name,
      description: `${describe(provider, kind)}${this.#collector(provider, kind)}`,
      columns: isDirectory(kind) ? directoryColumns : resourceColumns[provider],
      relationships: this.#links.relationshipsOf(name),
      origin: { from: 'resources', provider, kind: kind.service ? kind : undefined } satisfies ResourceOrigin,
    };
  }

  *names(): Iterable<string> {
    yield* deprecatedNames.keys();
    yield* this.#kinds.names();
  }

  #collector(provider: Provider, { name, service }: ResourceKind): string {
    if (!service) return '';
    const collector = `Filled by the ${providerNames[provider]} collector.`;
    return this.#kinds.isCollected(name) ? ` ${collector}` : ' No collector fills it.';
  }

  #deprecated(name: string, current: string): ServedDatasource | undefined {
    const datasource = this.find(current);
    return (
      datasource && {
        ...datasource,
        name,
        description: `Deprecated name of ${current}.`,
        columns: [...datasource.columns, ...deprecatedColumns],
        relationships: [],
      }
    );
  }
}

function providerOf(name: string): Provider {
  return name.slice(prefix.length, name.indexOf('_', prefix.length)).toLowerCase() as Provider;
}

function isDirectory({ call }: ResourceKind): boolean {
  return call === 'directory';
}

const providerNames: Readonly<Record<Provider, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  oci: 'Oracle Cloud',
  k8s: 'Kubernetes',
};

function describe(provider: Provider, kind: ResourceKind): string {
  const { name, service, call } = kind;
  if (!service) return `All resources of ${providerNames[provider]}.`;
  const product = `${providerNames[provider]} ${service}`.replace('Cloud Cloud', 'Cloud');
  if (isDirectory(kind)) return `Azure directory: ${service}.`;
  if (provider === 'k8s') return `Kubernetes objects of kind ${call}.`;
  if (provider === 'aws' && call) return `${product}: output of ${call}.`;
  const type = provider === 'azure' && call ? call : name.split('_').slice(3).join('_');
  const [, resourceType] = /^(.+)_IAMPOLICY$/.exec(type) ?? [];
  return resourceType
    ? `IAM policies of ${product} resources of type ${resourceType}.`
    : `${product} resources of type ${type}.`;
}
