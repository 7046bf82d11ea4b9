import type { StringMark } from '../../alerts/marks.ts';

/** Type of the values of a constraint: a string, or a tag as key and value. */
type ConstraintType = 'String' | 'KVTagPair';

interface KeyDeclaration {
  readonly dataType: ConstraintType;
  readonly multiValue: boolean;
  readonly description: string;
}

const texts = (description: string) => ({ dataType: 'String', multiValue: true, description }) as const;

/** All exception keys; each policy offers the ones that apply to it. */
export const exceptionKeys = {
  accountIds: texts('AWS accounts, by their number.'),
  arns: texts('AWS resources, by their ARN.'),
  regionNames: texts('Regions, as the cloud names them.'),
  resourceNames: texts('Resources, by their name or id.'),
  resourceTags: {
    dataType: 'KVTagPair',
    multiValue: true,
    description: 'Resources that have one of the tags.',
  },
  tenantIds: texts('Azure tenants, by their id.'),
  subscriptionIds: texts('Azure subscriptions, by their id.'),
  organizationIds: texts('Google Cloud organizations, by their number.'),
  projectIds: texts('Google Cloud projects, by their id.'),
  clusterIds: texts('Kubernetes clusters, by their id.'),
  namespaces: texts('Kubernetes namespaces, by their name.'),
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
