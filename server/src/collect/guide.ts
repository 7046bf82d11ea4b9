import { linkTo, namesOf, table } from '../telemetry/markdown.ts';
import { describeCloud } from './descriptions.ts';
import { type Cloud, clouds, type KindDescription } from './inventory/cloud.ts';
import { mergedPaths } from './merged-paths.ts';

const opening = `# Collectors

What is collected of each cloud, by which calls, and with which permissions. \`npm run docs:collectors\` generates this page from
the declarations of the services in \`server/src/collect/\`. [Operating](operating.md#cloud-collections) describes how collections
run; \`npx vedette permissions\` prints the least permissions as one policy, role or Terraform configuration.

A kind is a datasource of the query language. A snapshot replaces all resources of a kind in its scope: the kind, the cloud account and
the region. Values of secrets are replaced by \`[redacted]\` before anything is sent or stored; only their names are kept. In paths,
\`*\` stands for all members or elements, \`*[!a|b]\` for all members except these, \`*[type=a]\` for objects with that type.
`;

const cloudTexts: Readonly<Record<Cloud, { readonly title: string; readonly scope: string }>> = {
  aws: {
    title: 'AWS',
    scope:
      'Kinds are read in each enabled region, or once for the account. The cloud account is the AWS account.',
  },
  gcp: {
    title: 'Google Cloud',
    scope:
      'Cloud Asset Inventory lists each kind once for the project, folder or organization that is collected, which is the cloud account.',
  },
  azure: {
    title: 'Azure',
    scope:
      'Each kind is read once for a subscription, or for the tenant if its resources are in no subscription. That is the cloud account.',
  },
  k8s: { title: 'Kubernetes', scope: 'Each kind is read once for a cluster, which is the cloud account.' },
};

/** The reference of what is collected: docs/collectors.md. */
export async function collectorsGuide(): Promise<string> {
  const sections: string[] = [];
  const rows: string[] = [];
  for (const cloud of clouds) {
    const kinds = await describeCloud(cloud);
    const services = groupedBy(kinds, ({ service }) => service);
    const { title, scope } = cloudTexts[cloud];
    rows.push(`| ${linkTo(title)} | ${services.size} | ${kinds.length} |`);
    const names = [...services.keys()].sort();
    sections.push(
      `## ${title}\n`,
      `${scope}\n`,
      ...names.map((name) => sectionOn(cloud, headingOf(title, name), services.get(name) ?? [])),
    );
  }
  return [opening, table('| cloud | services | kinds |', rows), ...sections].join('\n');
}

/** Services of several clouds have the same name. */
function headingOf(cloud: string, service: string): string {
  return service.startsWith(cloud) ? service : `${cloud}: ${service}`;
}

function sectionOn(cloud: Cloud, heading: string, kinds: readonly KindDescription[]): string {
  const isRegional = cloud === 'aws';
  const head = `| datasource | resources | call |${isRegional ? ' scope |' : ''} permissions |`;
  const rows = kinds.map(
    ({ kind, resourceType, call, isGlobal, permissions }) =>
      `| \`${kind}\` | ${resourceType} | ${call} |${isRegional ? ` ${isGlobal ? 'account' : 'region'} |` : ''} ${permissions.length > 0 ? namesOf(permissions) : 'none'} |`,
  );
  return [`### ${heading}\n`, table(head, rows), ...redactionsOf(kinds)].join('\n');
}

function redactionsOf(kinds: readonly KindDescription[]): string[] {
  const secret = kinds.filter(({ redactions }) => redactions.length > 0);
  if (secret.length === 0) return [];
  const byPaths = groupedBy(secret, ({ redactions }) => namesOf(mergedPaths(redactions)));
  const lines = [...byPaths].map(
    ([paths, of]) => `- ${of.map(({ kind }) => `\`${kind}\``).join(', ')}: ${paths}`,
  );
  return [`Redacted:\n`, ...lines, ''];
}

function groupedBy<T>(elements: readonly T[], nameOf: (element: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const element of elements) {
    const group = groups.get(nameOf(element));
    if (group) group.push(element);
    else groups.set(nameOf(element), [element]);
  }
  return groups;
}
