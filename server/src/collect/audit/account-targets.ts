import type { ControlStore } from '../../control/store.ts';
import type { IntegrationData } from '../../integrations/declaration.ts';
import type { IntegrationRow } from '../../integrations/record.ts';
import { membersOf, nonEmpty } from './formats/members.ts';

/** The account of this service that gets the records of a cloud account. */
export type AccountOf = (cloudAccount: string) => string;

/**
 * An integration of an account stores into that account. One of the organization stores by its account mapping, and
 * what the mapping leaves open into the default account of the mapping or the primary account of the organization.
 */
export async function accountTargets(
  { read }: Pick<ControlStore, 'read'>,
  row: IntegrationRow,
  data: IntegrationData,
): Promise<AccountOf> {
  if (row.is_org === 0) return () => row.owner_id;
  const accounts = await read
    .selectFrom('accounts')
    .innerJoin('organizations', 'organizations.id', 'accounts.organization_id')
    .select(['accounts.id', 'accounts.name', 'organizations.name as organization'])
    .where('organizations.id', '=', row.owner_id)
    .execute();
  const ids = new Map(accounts.map(({ id, name }) => [name.toLowerCase(), id]));
  const primary = accounts.find(({ name, organization }) => name === organization) ?? accounts[0];
  const mapping = mappingIn(data.accountMappingFile);
  const fallback = ids.get(mapping.fallback) ?? primary?.id ?? row.owner_id;
  return (cloudAccount) => ids.get(mapping.names.get(cloudAccount) ?? '') ?? fallback;
}

interface Mapping {
  readonly fallback: string;
  /** Names of accounts by cloud account. */
  readonly names: ReadonlyMap<string, string>;
}

function mappingIn(file: unknown): Mapping {
  const { defaultLaceworkAccountAws, integration_mappings } = decoded(nonEmpty(file) ?? '');
  const pairs = Object.entries(membersOf(integration_mappings)).flatMap(([name, mapped]) => {
    const { aws_accounts } = membersOf(mapped);
    return (Array.isArray(aws_accounts) ? aws_accounts : []).map((each): [string, string] => [
      String(each),
      name.toLowerCase(),
    ]);
  });
  return { fallback: String(defaultLaceworkAccountAws ?? '').toLowerCase(), names: new Map(pairs) };
}

function decoded(dataUri: string) {
  try {
    return membersOf(JSON.parse(Buffer.from(dataUri.split(',')[1] ?? '', 'base64').toString()));
  } catch {
    return {};
  }
}
