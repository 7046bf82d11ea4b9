import type { StringMark } from '../../alerts/marks.ts';

/** Type of the values of a constraint: a string, or a tag as key and value. */
type ConstraintType = 'String' | 'KVTagPair';

interface KeyDeclaration {
  readonly dataType: ConstraintType;
  readonly multiValue: boolean;
  readonly description: string;
}

const strings = (description: string) => ({ dataType: 'String', multiValue: true, description }) as const;

/** All exception keys; each policy offers the ones that apply to it. */
export const exceptionKeys = {
  accountIds: strings('AWS accounts, by their number.'),
  arns: strings('AWS resources, by their ARN.'),
  regionNames: strings('Regions, by their name in the cloud.'),
  resourceNames: strings('Resources, by their name or id.'),
  resourceTags: {
    dataType: 'KVTagPair',
    multiValue: true,
    description: 'Resources that have one of the tags.',
  },
  tenantIds: strings('Azure tenants, by their id.'),
  subscriptionIds: strings('Azure subscriptions, by their id.'),
  organizationIds: strings('Google Cloud organizations, by their number.'),
  projectIds: strings('Google Cloud projects, by their id.'),
  clusterIds: strings('Kubernetes clusters, by their id.'),
  namespaces: strings('Kubernetes namespaces, by their name.'),
} as const satisfies Record<StringMark | 'resourceTags', KeyDeclaration>;

export type ExceptionKey = keyof typeof exceptionKeys;

export function isExceptionKey(key: string): key is ExceptionKey {
  return Object.hasOwn(exceptionKeys, key);
}

/** A key that a policy offers for exceptions. */
export interface ConstraintField {
  readonly fieldKey: ExceptionKey;
  readonly dataType: ConstraintType;
  readonly multiValue: boolean;
}

export function constraintFieldsOf(keys: readonly ExceptionKey[]): ConstraintField[] {
  return keys.map((fieldKey) => {
    const { dataType, multiValue } = exceptionKeys[fieldKey];
    return { fieldKey, dataType, multiValue };
  });
}
