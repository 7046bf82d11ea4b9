import type { Command, Option, OptionValues, Report } from '../command.ts';
import { UsageError } from '../usage-error.ts';

const terraform = {
  type: 'boolean',
  description: 'as a Terraform configuration that creates and grants them',
} as const satisfies Option;
const partitions = ['aws', 'aws-us-gov', 'aws-cn'];
const summary = (what: string) => `Prints the least permissions that collecting ${what} needs.`;

const aws: Command = {
  words: ['permissions', 'aws'],
  positionals: [],
  options: {
    organization: {
      type: 'boolean',
      description: 'for all accounts of an AWS organization, as in collect aws --organization',
    },
    role: {
      type: 'string',
      value: 'NAME',
      description: 'role in the accounts; default: vedette-collector',
    },
    partition: {
      type: 'string',
      value: 'NAME',
      description: 'aws, aws-us-gov or aws-cn; default: aws',
    },
    terraform,
  },
  summary: summary('AWS accounts'),
  async run({ options }) {
    const { awsTerraform, defaultRoleName } = await import('@vedette/server/collect/aws/terraform');
    const { awsPermissions, organizationPermissions } = await import(
      '@vedette/server/collect/aws/aws-policy'
    );
    const roleName = roleNameOf(options.role ?? defaultRoleName);
    const partition = partitionOf(options.partition ?? 'aws');
    const organization = options.organization === true;
    if (options.terraform) return terraformReport(await awsTerraform({ roleName, organization }));
    const account = await awsPermissions();
    const documents = organization ? [...account, organizationPermissions(roleName, partition)] : account;
    return { data: documents, text: documents.map((one) => JSON.stringify(one, undefined, 2)).join('\n\n') };
  },
};

const gcp: Command = {
  words: ['permissions', 'gcp'],
  positionals: [],
  options: { terraform },
  summary: summary('Google Cloud'),
  async run({ options }) {
    const { gcpPermissions } = await import('@vedette/server/collect/gcp/permissions');
    const { permissions, role, apis, plain, terraform } = await gcpPermissions();
    if (options.terraform) return terraformReport(terraform);
    return { data: { permissions, role, apis }, text: plain.trimEnd() };
  },
};

const azure: Command = {
  words: ['permissions', 'azure'],
  positionals: [],
  options: { terraform },
  summary: summary('Azure'),
  async run({ options }) {
    const { azurePermissions, plainAzurePermissions, terraformAzurePermissions } = await import(
      '@vedette/server/collect/azure/permissions'
    );
    const data = await azurePermissions();
    if (options.terraform) return terraformReport(terraformAzurePermissions(data));
    return { data, text: plainAzurePermissions(data).trimEnd() };
  },
};

const k8s: Command = {
  words: ['permissions', 'k8s'],
  positionals: [],
  options: { terraform },
  summary: summary('Kubernetes clusters'),
  async run({ options }) {
    const { k8sPermissions, k8sRoles } = await import('@vedette/server/collect/k8s/permissions');
    const { manifest, terraform } = k8sPermissions();
    if (options.terraform) return terraformReport(terraform);
    return { data: k8sRoles(), text: manifest.trimEnd() };
  },
};

/** The characters that IAM allows: others could end a string of the Terraform configuration. */
function roleNameOf(name: OptionValues[string]): string {
  if (typeof name === 'string' && /^[\w+=,.@-]{1,64}$/.test(name)) return name;
  throw new UsageError(
    `--role must have 1 to 64 of the characters A-Z a-z 0-9 + = , . @ _ -, not '${name}'.`,
  );
}

function partitionOf(name: OptionValues[string]): string {
  if (typeof name === 'string' && partitions.includes(name)) return name;
  throw new UsageError(`--partition must be ${partitions.join(', ')}, not '${name}'.`);
}

function terraformReport(terraform: string): Report {
  return { data: { terraform }, text: terraform.trimEnd() };
}

export const permissionCommands = [aws, gcp, azure, k8s];
