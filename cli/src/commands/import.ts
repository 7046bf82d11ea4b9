import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { destinationOf, serverOptions } from '../collecting/server-options.ts';
import type { Command, Option } from '../command.ts';
import { importAwsConfigFiles } from '../importing/aws-config.ts';
import { importAzureGraphFiles } from '../importing/azure-graph.ts';
import { importCloudTrail } from '../importing/cloudtrail.ts';
import { importGcpAssetFiles } from '../importing/gcp-assets.ts';
import { importResources } from '../importing/import-resources.ts';
import type { Importer } from '../importing/importer.ts';
import { importK8sFiles } from '../importing/k8s.ts';
import { k8sImportOptions } from '../importing/k8s-options.ts';
import { Progress } from '../progress.ts';

const positionals = ['FILE…'];

interface ResourceImport {
  readonly name: string;
  readonly cloud: Cloud;
  readonly summary: string;
  /** The default of `--captured`. */
  readonly captured: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly importer: Importer;
}

const imports: readonly ResourceImport[] = [
  {
    name: 'aws-config',
    cloud: 'aws',
    summary: 'Imports configuration snapshots that AWS Config delivered.',
    captured: 'the time in the name of a file, or that of its last change',
    importer: importAwsConfigFiles,
  },
  {
    name: 'gcp-assets',
    cloud: 'gcp',
    summary: 'Imports exports of Cloud Asset Inventory (gcloud asset export).',
    captured: 'the last modification of the files',
    importer: importGcpAssetFiles,
  },
  {
    name: 'azure-graph',
    cloud: 'azure',
    summary: 'Imports rows of Azure Resource Graph (az graph query --output json).',
    captured: 'the last modification of the files',
    importer: importAzureGraphFiles,
  },
  {
    name: 'k8s',
    cloud: 'k8s',
    summary: 'Imports lists of Kubernetes objects (kubectl get --all-namespaces -o json).',
    captured: 'the last modification of the files',
    options: k8sImportOptions,
    importer: importK8sFiles,
  },
];

const cloudtrail: Command = {
  words: ['import', 'cloudtrail'],
  positionals,
  options: serverOptions,
  summary: 'Imports events of AWS CloudTrail from the files that it delivers to S3.',
  async run({ positionals, options, context }) {
    const destination = await destinationOf(context, options);
    return importCloudTrail(positionals, destination, new Progress(process.stderr, Date.now));
  },
};

export const importCommands: readonly Command[] = [
  ...imports.map(({ name, cloud, summary, captured, options, importer }) => ({
    words: ['import', name],
    positionals,
    options: {
      captured: {
        type: 'string',
        value: 'TIME',
        description: `when the files were made; default: ${captured}`,
      } as const,
      ...options,
      ...serverOptions,
    },
    summary,
    run: (invocation: Parameters<Command['run']>[0]) => importResources(cloud, invocation, importer),
  })),
  cloudtrail,
];
