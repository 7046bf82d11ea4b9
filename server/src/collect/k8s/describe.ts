import type { KindDescription } from '../inventory/cloud.ts';
import { podRedactions } from './pod-redaction.ts';
import { datasourceOf, datasourcesOf, type K8sKind, listPath, ruleOf, ruleText } from './service.ts';
import { k8sServices } from './services.ts';

/** All kinds that a cluster is asked for. */
export async function describeK8s(): Promise<KindDescription[]> {
  return k8sServices.flatMap((service) => [
    ...service.kinds.flatMap((kind) =>
      datasourcesOf(kind).map((datasource, at) => ({
        kind: datasource,
        service: service.name,
        call: `GET ${listPath(service, kind, kind.only?.namespace)}`,
        resourceType: at === 0 ? kind.kind : (kind.parts?.kind ?? ''),
        isGlobal: true,
        permissions: [ruleText(ruleOf(service, kind))],
        redactions: redactionsOf(kind),
      })),
    ),
    ...(service.reads ?? []).map((read) => ({
      kind: datasourceOf(read),
      service: service.name,
      call: `GET ${read.path}`,
      resourceType: read.kind,
      isGlobal: true,
      permissions: read.rules.map(ruleText),
      redactions: read.redact ?? [],
    })),
  ]);
}

function redactionsOf({ isMetadataOnly, podSpec }: K8sKind): string[] {
  if (isMetadataOnly) return ['data', 'stringData', 'metadata.annotations.*'];
  return podSpec === undefined ? [] : podRedactions.map((path) => `${podSpec}.${path}`);
}
