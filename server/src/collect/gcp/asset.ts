import { CollectError } from '../inventory/problem.ts';

/** A row of Cloud Asset Inventory, in listings and in export files. */
export interface Asset {
  readonly name: string;
  readonly assetType: string;
  /** `projects/<number>`, `folders/<number>` and `organizations/<number>`, from the closest upwards. */
  readonly ancestors: readonly string[];
  /** Present if it was listed with content type RESOURCE. */
  readonly resource?: AssetResource;
  /** Present if it was listed with content type IAM_POLICY. */
  readonly iamPolicy?: object;
}

export interface AssetResource {
  readonly data: object;
  /** Full name of the parent. */
  readonly parent: string;
  /** A region, zone or multi-region; empty if there is none. */
  readonly location: string;
}

/** Export files spell the members like protocol buffers: `asset_type`. */
export function assetTypeOf(value: unknown): string {
  const { assetType, asset_type } = membersOf(value);
  const type = assetType ?? asset_type;
  if (typeof type === 'string') return type;
  throw malformed('An asset has no type');
}

/** Throws if the row has another form than documented. */
export function assetIn(value: unknown): Asset {
  const members = membersOf(value);
  const { name, ancestors = [] } = members;
  const assetType = assetTypeOf(value);
  if (typeof name !== 'string' || name === '') throw malformed(`An asset of type ${assetType} has no name`);
  if (!isArrayOfStrings(ancestors)) throw malformed(`The ancestors of ${name} are not an array of strings`);
  const { resource } = members;
  const policy = members.iamPolicy ?? camelCased(members.iam_policy);
  return {
    ...{ name, assetType, ancestors },
    ...(resource !== undefined && { resource: resourceIn(resource, name) }),
    ...(policy !== undefined && { iamPolicy: objectIn(policy, `The IAM policy of ${name}`) }),
  };
}

/** `audit_configs` in an export file is `auditConfigs` in a listing. A policy has no names of users' own. */
function camelCased(value: unknown, level = 0): unknown {
  if (typeof value !== 'object' || value === null || level > policyLevels) return value;
  if (Array.isArray(value)) return value.map((element) => camelCased(element, level + 1));
  const entries = Object.entries(value).map(([name, member]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    camelCased(member, level + 1),
  ]);
  return Object.fromEntries(entries);
}

function resourceIn(value: unknown, name: string): AssetResource {
  const { data = {}, parent = '', location = '' } = membersOf(objectIn(value, `The resource of ${name}`));
  if (typeof parent !== 'string' || typeof location !== 'string')
    throw malformed(`The parent or location of ${name} is not a string`);
  return { data: objectIn(data, `The data of ${name}`), parent, location };
}

function objectIn(value: unknown, what: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw malformed(`${what} is not an object`);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isArrayOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

const maxQuoted = 200;
/** `auditConfigs`, an element, `auditLogConfigs`, an element, `exemptedMembers`. */
const policyLevels = 6;

function malformed(problem: string): CollectError {
  const bounded = problem.length > maxQuoted ? `${problem.slice(0, maxQuoted)}…` : problem;
  return new CollectError({ status: 'failed', reason: `Cloud Asset Inventory: ${bounded}.` });
}
