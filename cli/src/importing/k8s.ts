import type { ImportedK8s } from '@vedette/server/collect/k8s/import';
import type { K8sCluster } from '@vedette/server/collect/k8s/service';
import type { Resource } from '@vedette/server/telemetry/resource';
import { UsageError } from '../usage-error.ts';
import type { ImportFile } from './import-file.ts';
import type { ImportContext, Importer } from './importer.ts';

const region = 'global';
const clusterTypes = ['EKS', 'GKE', 'AKS'];

/** The files are lists of one cluster. */
export const importK8sFiles: Importer = async (files, context) => {
  const { clusterIn, importedK8s } = await import('@vedette/server/collect/k8s/import');
  const documents: unknown[] = [];
  for (const file of files) {
    const document = await file.json();
    await file.explained(async () => importedK8s([document], { id: 'unknown', type: '' }));
    refuseSingle(file, document);
    documents.push(document);
  }
  const cluster = chosenCluster(context) ?? clusterIn(documents);
  if (!cluster)
    throw new UsageError(
      'No file has the namespace kube-system, which identifies the cluster: also import `kubectl get namespaces,nodes -o json`, or pass --cluster.',
    );
  const imported = importedK8s(documents, cluster);
  refuseOneNamespace(imported, context);
  context.ignore(Object.fromEntries(imported.skipped));
  await context.write(undefined, async (snapshots) => {
    for (const [kind, resources] of imported.resources) {
      const scope = { kind, cloudAccount: cluster.id, region };
      snapshots.has(scope);
      for (const resource of resources) await snapshots.add(scope, resource);
    }
  });
};

function chosenCluster({ options }: ImportContext): K8sCluster | undefined {
  const { cluster: id, 'cluster-type': type = '' } = options;
  if (id === undefined) return undefined;
  if (typeof type !== 'string' || (type !== '' && !clusterTypes.includes(type)))
    throw new UsageError(`--cluster-type must be ${clusterTypes.join(', ')}, not '${type}'.`);
  return { id: String(id), type: type as K8sCluster['type'] };
}

/** It would replace all others of its kind. */
function refuseSingle(file: ImportFile, document: unknown): void {
  const { kind } = document as { kind: string };
  if (!kind.endsWith('List'))
    throw new UsageError(
      `${file.path}: It has a single ${kind}: export all of them with kubectl get --all-namespaces -o json.`,
    );
}

/** Lists of one namespace would remove the objects of all others. */
function refuseOneNamespace({ resources }: ImportedK8s, { options }: ImportContext): void {
  if (options['all-namespaces']) return;
  const objects = [...resources.values()].flat();
  const namespaces = new Set(objects.flatMap(({ facts }: Resource) => facts.NAMESPACE || []));
  if (namespaces.size === 1)
    throw new UsageError(
      `The files have objects of the namespace ${[...namespaces][0]} only: export with kubectl get --all-namespaces, or pass --all-namespaces if there are no others.`,
    );
}
