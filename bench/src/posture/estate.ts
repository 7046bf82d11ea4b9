import { patched } from '@vedette/server/detection/packs/merge-patch';
import { shippedPacks } from '@vedette/server/detection/packs/pack';
import { ResourceTemplates } from '@vedette/server/detection/packs/resource-templates';
import type { Resource } from '@vedette/server/telemetry/resource';
import type { Provider } from '@vedette/server/telemetry/served-datasource';

/** The resources of one kind. */
export interface EstateKind {
  readonly kind: string;
  readonly provider: Provider;
  readonly resources: readonly Resource[];
}

/** Every so many resources lack a member of their configuration, which most policies object to. */
const oddEvery = 10;

/** About so many resources, spread evenly over the kinds of which an account has more than one. */
export function* estate(
  kinds: readonly Pick<EstateKind, 'kind' | 'provider'>[],
  total: number,
): Generator<EstateKind> {
  const templates = new ResourceTemplates(shippedPacks());
  const isNumbered = ({ kind, provider }: Pick<EstateKind, 'kind' | 'provider'>) =>
    templates.resource(kind, provider, 1).key !== templates.resource(kind, provider, 2).key;
  const numbered = new Set(kinds.filter(isNumbered).map(({ kind }) => kind));
  const perKind = Math.ceil((total - kinds.length + numbered.size) / numbered.size);
  for (const { kind, provider } of kinds) {
    const count = numbered.has(kind) ? perKind : 1;
    const resources = Array.from({ length: count }, (_, index) =>
      resourceOf(templates, kind, provider, index),
    );
    yield { kind, provider, resources };
  }
}

function resourceOf(templates: ResourceTemplates, kind: string, provider: Provider, index: number): Resource {
  const whole = templates.resource(kind, provider, index + 1);
  if (index % oddEvery !== 0) return whole;
  const config = JSON.parse(whole.config) as Record<string, unknown>;
  const names = Object.keys(config);
  const removed = names[(index / oddEvery) % names.length];
  return removed === undefined
    ? whole
    : { ...whole, config: JSON.stringify(patched(config, { [removed]: null })) };
}

/** The same resource after somebody changed it. */
export function changedResource(resource: Resource): Resource {
  const config = JSON.parse(resource.config) as Record<string, unknown>;
  return { ...resource, config: JSON.stringify({ ...config, changed: true }) };
}
