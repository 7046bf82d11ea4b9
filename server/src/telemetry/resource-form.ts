import { type Static, type TSchema, Type } from 'typebox';
import type { Resource } from './resource.ts';
import { type ResourceFact, type ResourceFacts, resourceFacts } from './resource.ts';
import type { KnownResource, UnreadResource } from './snapshot.ts';

/** Characters of a key or another fact, and of a configuration. */
export const resourceLimits = { fact: 4_096, config: 1_000_000, reason: 500 };

const facts = Object.keys(resourceFacts) as ResourceFact[];
/** Facts with their members: `RESOURCE_ID` is `resourceId`. */
const members = facts.map((fact) => {
  const member = fact.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [fact, member] as const;
});

const json = (what: string) =>
  Type.Union(
    [
      Type.Record(Type.String(), Type.Unknown(), { description: `${what} as an object.` }),
      Type.String({ maxLength: resourceLimits.config, description: 'The same as a JSON string.' }),
    ],
    { description: `${what}: an object, or the same as a JSON string, which is stored unchanged.` },
  );

const factMembers: Record<string, TSchema> = Object.fromEntries(
  members.map(([fact, member]) => [
    member,
    Type.Optional(
      resourceFacts[fact] === 'Json'
        ? Type.Array(Type.Union([Type.String({ maxLength: resourceLimits.fact }), Type.Number()]), {
            maxItems: 1_000,
            description: `The column ${fact}.`,
          })
        : Type.String({ maxLength: resourceLimits.fact, description: `The column ${fact}.` }),
    ),
  ]),
);

/** A resource as collectors send it. */
export const ResourceForm = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: resourceLimits.fact,
      description: 'Identifies the resource in its kind and region: its ARN or URN.',
    }),
    config: Type.Optional(json('The configuration as the provider returns it')),
    tags: Type.Optional(json('Tags or labels')),
    digest: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=$',
        maxLength: 44,
        description:
          'Instead of the configuration: SHA-256 in Base64 of the resource. If it is stored so, it need not be sent; otherwise its key is in `missing`.',
      }),
    ),
    status: Type.Optional(
      Type.Enum(['denied', 'failed'], {
        description:
          'For a resource that exists and could not be read: its stored configuration stays as it is.',
      }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: resourceLimits.reason, description: 'Why it could not be read.' }),
    ),
    ...factMembers,
  },
  { description: 'A cloud resource, or why it could not be read.' },
);
export type ResourceForm = Static<typeof ResourceForm>;

/** A resource in the form that collectors send, with its configuration as a string. */
export function formOf({ key, facts: values, config, tags }: Resource): object {
  const own = members.flatMap(([fact, member]) => {
    const value = values[fact];
    if (value === undefined) return [];
    return [[member, resourceFacts[fact] === 'Json' ? JSON.parse(value) : value]];
  });
  return { key, ...Object.fromEntries(own), config, ...(tags !== undefined && { tags }) };
}

/** The resource of a valid form; undefined if it could not be read. */
export function resourceOf(form: ResourceForm, common: ResourceFacts): Resource {
  const given = form as unknown as Record<string, unknown>;
  const own = members.flatMap(([fact, member]) => {
    const value = given[member];
    return value === undefined ? [] : [[fact, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
  return {
    key: form.key,
    facts: { URN: form.key, ...common, ...Object.fromEntries(own) },
    config: stringOf(form.config ?? {}),
    tags: form.tags === undefined ? undefined : stringOf(form.tags),
  };
}

export function knownOf({ key, digest, config }: ResourceForm): KnownResource | undefined {
  return digest === undefined || config !== undefined ? undefined : { key, digest };
}

export function unreadOf({ key, status, reason = '' }: ResourceForm): UnreadResource | undefined {
  return status && { key, status, reason };
}

function stringOf(value: string | object): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
