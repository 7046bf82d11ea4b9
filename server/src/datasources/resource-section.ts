import type {
  Provider,
  ResourceKind,
  ResourceOrigin,
  ServedDatasource,
} from '../telemetry/served-datasource.ts';
import { knownLinks, LinkIndex } from './links.ts';
import { linksByName } from './links-by-name.ts';
import { directoryColumns, olderColumns, resourceColumns } from './resource-columns.ts';
import { ResourceList } from './resource-list.ts';
import type { Section } from './section.ts';

const prefix = 'LW_CFG_';

/** What queries of earlier years call some of them. */
const olderNames: ReadonlyMap<string, string> = new Map([
  ['LW_CFG_AWS', 'LW_CFG_AWS_ALL'],
  ['LW_CFG_AWS_IAM_LIST_ROLES', 'LW_CFG_AWS_IAM_ROLES'],
  ['LW_CFG_AWS_LAMBDA_LIST_FUNCTIONS', 'LW_CFG_AWS_LAMBDA'],
  ['LW_CFG_AWS_RDS_DESCRIBE_DB_INSTANCES', 'LW_CFG_AWS_RDS_DB_INSTANCES'],
]);

/** The configuration of clouds: thousands of names for one form, in which the name decides what is seen. */
export class ResourceSection implements Section {
  readonly #list: ResourceList;
  #links: LinkIndex | undefined;

  constructor(file: URL) {
    this.#list = new ResourceList(file);
  }

  find(name: string): ServedDatasource | undefined {
    if (!name.startsWith(prefix)) return undefined;
    const present = olderNames.get(name);
    if (present) return this.#older(name, present);
    const kind = this.#list.find(name);
    if (!kind) return undefined;
    const provider = providerOf(name);
    this.#links ??= new LinkIndex([...knownLinks, ...linksByName(this.#list.names())]);
    return {
      name,
      description: describe(provider, kind),
      columns: isDirectory(kind) ? directoryColumns : resourceColumns[provider],
      relationships: this.#links.relationshipsOf(name),
      origin: { from: 'resources', provider, kind: kind.service ? kind : undefined } satisfies ResourceOrigin,
    };
  }

  *names(): Iterable<string> {
    yield* olderNames.keys();
    yield* this.#list.names();
  }

  #older(name: string, present: string): ServedDatasource | undefined {
    const found = this.find(present);
    return (
      found && {
        ...found,
        name,
        description: `Older name of ${present}.`,
        columns: [...found.columns, ...olderColumns],
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

const clouds: Readonly<Record<Provider, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  oci: 'Oracle Cloud',
  k8s: 'Kubernetes',
};

function describe(provider: Provider, kind: ResourceKind): string {
  const { name, service, call } = kind;
  if (!service) return `All resources of ${clouds[provider]}.`;
  const place = `${clouds[provider]} ${service}`.replace('Cloud Cloud', 'Cloud');
  if (isDirectory(kind)) return `Directory of Azure: ${service}.`;
  if (provider === 'k8s') return `Objects of the kind ${call} in Kubernetes clusters.`;
  if (provider === 'aws' && call) return `${place}, as ${call} tells of it.`;
  const type = provider === 'azure' && call ? call : name.split('_').slice(3).join('_');
  const [, bearer] = /^(.+)_IAMPOLICY$/.exec(type) ?? [];
  return bearer
    ? `IAM policies of resources of the kind ${bearer}, of ${place}.`
    : `Resources of the kind ${type}, of ${place}.`;
}
