import type { GroupedResource } from '../groups/resource.ts';
import type { ResourceType } from '../groups/resource-types.ts';
import type { Violation } from './finding.ts';
import { factsOf, type ViolationFacts } from './violation-facts.ts';

type Values = Readonly<Record<string, readonly string[]>>;

/** Names of the members that identify the resource. */
const names = ['arn', 'urn', 'resourcekey', 'resourceid', 'resourcearn', 'resourcename', 'resource'];
const regions = ['resourceregion', 'region'];

/** The resources of a violation for resource groups: one event may concern an account, a host and a container. */
export function resourcesOf(violation: Violation): GroupedResource[] {
  const facts = factsOf(violation);
  const amazon = awsOf(facts);
  return [
    resource('AWS', amazon, new Map([...machineTagsIn(facts, 'AWS'), ...facts.resourceTags])),
    resource('AZURE', azureOf(facts), facts.resourceTags),
    resource('GCP', gcpOf(facts), new Map([...machineTagsIn(facts, 'GCE'), ...facts.resourceTags])),
    resource('OCI', ociOf(facts), facts.resourceTags),
    resource('CONTAINER', containerOf(facts), facts.containerLabels),
    resource('KUBERNETES', kubernetesOf(facts, amazon), new Map()),
    resource('MACHINE', machineOf(facts), facts.machineTags),
  ].filter((each) => each !== undefined);
}

function resource(
  type: ResourceType,
  values: Values | undefined,
  tags: ReadonlyMap<string, string>,
): GroupedResource | undefined {
  return values && { type, values, tags };
}

/** An event belongs to the recipient account; the caller's account is only a fallback. */
function awsOf(facts: ViolationFacts): Values | undefined {
  const arns = facts.of(...names).flatMap((name) => {
    const [arn, region = '', account = ''] = /^arn:aws[\w-]*:[^:]*:([^:]*):([^:]*):/.exec(name) ?? [];
    return arn === undefined ? [] : [{ region, account }];
  });
  const hostTags = machineTagsIn(facts, 'AWS');
  const received = [
    ...facts.of('recipientaccountid'),
    ...facts.of('accountid').filter((id) => /^\d{12}$/.test(id)),
    ...arns.map(({ account }) => account).filter((id) => /^\d+$/.test(id)),
    ...tagsAt(hostTags, 'Account'),
  ];
  const accounts = received.length > 0 ? received : facts.of('calleraccount', 'useridentityaccount');
  const zones = tagsAt(hostTags, 'Zone').map((zone) => zone.replace(/[a-z]$/, ''));
  const own = [...facts.of('awsregion'), ...arns.flatMap(({ region }) => region || []), ...zones];
  if (accounts.length === 0 && own.length === 0 && arns.length === 0) return undefined;
  return {
    Account: [...accounts, ...facts.of('accountalias')],
    'Organization ID': facts.of('organizationid').filter((id) => id.startsWith('o-')),
    Region: [...own, ...facts.of(...regions)],
  };
}

function azureOf(facts: ViolationFacts): Values | undefined {
  if (isOracle(facts)) return undefined;
  const subscriptions = [
    ...facts.of('subscriptionid'),
    ...facts.of(...names).flatMap((name) => /^\/subscriptions\/([^/]+)/i.exec(name)?.[1] ?? []),
  ];
  const tenants = facts.of('tenantid');
  if (subscriptions.length === 0 && tenants.length === 0) return undefined;
  return {
    'Tenant ID': tenants,
    'Tenant Name': facts.of('tenantname'),
    'Subscription ID': subscriptions,
    'Subscription Name': facts.of('subscriptionname'),
    Region: facts.of(...regions),
  };
}

function gcpOf(facts: ViolationFacts): Values | undefined {
  const hostTags = machineTagsIn(facts, 'GCE');
  const paths = [...facts.of(...names).filter((name) => /^(?:\/\/|projects\/)/.test(name))];
  paths.push(...facts.of('logname'));
  const below = (word: string) =>
    paths
      .flatMap((path) => new RegExp(`(?:^|/)${word}/([^/]+)`).exec(path)?.[1] ?? [])
      // Some calls name buckets in the project `_`.
      .filter((id) => id !== '_');
  const projects = [
    ...facts.of('projectid', 'projectnumber'),
    ...below('projects'),
    ...tagsAt(hostTags, 'ProjectId', 'NumericProjectId'),
  ];
  const organizations = [
    ...facts.of('organizationid').filter((id) => /^\d+$/.test(id)),
    ...below('organizations'),
  ];
  if (projects.length === 0 && organizations.length === 0) return undefined;
  const places = [
    ...facts.of(...regions, 'location', 'zone'),
    ...['regions', 'zones', 'locations'].flatMap(below),
    ...tagsAt(hostTags, 'Zone'),
  ];
  return {
    'Organization ID': organizations,
    'Organization Name': facts.of('organizationname'),
    Folder: [...facts.of('folderids', 'foldernames'), ...below('folders')],
    'Project ID': projects,
    Region: places.map((place) => place.replace(/^([a-z]+-[a-z]+\d+)-[a-z]$/, '$1')),
  };
}

function ociOf(facts: ViolationFacts): Values | undefined {
  if (!isOracle(facts)) return undefined;
  const ids = ocidsOf(facts).map((id) => id.split('.'));
  return {
    'Compartment ID': [
      ...facts.of('compartmentid'),
      ...ocidsOf(facts).filter((id) => id.startsWith('ocid1.compartment.')),
    ],
    'Compartment Name': facts.of('compartmentname'),
    Region: [...facts.of(...regions), ...ids.flatMap((segments) => segments[3] || [])],
  };
}

function isOracle(facts: ViolationFacts): boolean {
  return facts.of('compartmentid').length > 0 || ocidsOf(facts).length > 0;
}

function ocidsOf(facts: ViolationFacts): string[] {
  return facts.of(...names, 'tenantid').filter((name) => name.startsWith('ocid1.'));
}

function containerOf(facts: ViolationFacts): Values | undefined {
  const repositories = facts.of('repo', 'imagerepo', 'imagerepository');
  const isNamed = facts.of('containerid', 'containername').length > 0 || facts.has('Container');
  if (repositories.length === 0 && !isNamed) return undefined;
  const tags = facts.of('tag', 'imagetag');
  const split = repositories.map(splitRepository);
  return {
    'Image Tag': tags,
    'Container Tag': tags,
    'Image Repo': [...repositories, ...split.map(({ path }) => path)],
    'Image Registry': [...facts.of('imageregistry'), ...split.flatMap(({ registry }) => registry ?? [])],
  };
}

/** A first segment with a dot or a port is the registry, as in Docker. */
function splitRepository(repository: string): { registry?: string; path: string } {
  const [first = '', ...rest] = repository.split('/');
  const isRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isRegistry ? { registry: first, path: rest.join('/') } : { path: repository };
}

function kubernetesOf(facts: ViolationFacts, aws: Values | undefined): Values | undefined {
  const eks = /^arn:aws[\w-]*:eks:([^:]*):([^:]*):cluster\/(.+)/;
  const clusters = [
    ...facts.of('clusterid', 'clustername', 'k8scluster'),
    ...facts.of(...names).filter((name) => eks.test(name)),
  ];
  const namespaces = [
    ...facts.of('namespace', 'objectnamespace', 'podnamespace', 'namespacename'),
    ...tagsAt(facts.containerLabels, 'io.kubernetes.pod.namespace'),
  ];
  if (clusters.length === 0 && namespaces.length === 0) return undefined;
  const arns = clusters.map((cluster) => eks.exec(cluster));
  const inArns = (index: number) => arns.flatMap((match) => match?.[index] || []);
  const ofMachine = tagsAt(
    facts.machineTags,
    'KubernetesCluster',
    'lw_KubernetesCluster',
    'eks:cluster-name',
  );
  return {
    'AWS Account': [...inArns(2), ...(aws?.Account ?? [])],
    'AWS Region': [...inArns(1), ...(aws?.Region ?? [])],
    'Cluster Name': [...clusters, ...inArns(3), ...ofMachine],
    Namespace: namespaces,
  };
}

function machineOf(facts: ViolationFacts): Values | undefined {
  const isMachine = facts.of('mid').length > 0 || facts.machineTags.size > 0 || facts.has('Machine');
  return isMachine ? {} : undefined;
}

/** The tags of a host that runs at the provider, which are the tags of the cloud instance. */
function machineTagsIn({ machineTags }: ViolationFacts, provider: string): ReadonlyMap<string, string> {
  return machineTags.get('VmProvider') === provider ? machineTags : new Map();
}

function tagsAt(tags: ReadonlyMap<string, string>, ...keys: readonly string[]): string[] {
  return keys.flatMap((key) => tags.get(key) || []);
}
