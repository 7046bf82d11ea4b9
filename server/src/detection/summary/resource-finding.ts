import type { Row } from '../evaluation/row.ts';
import { displayWord, inline, lastSegment } from './phrase.ts';

/** Scopes of a resource, the narrowest first. */
const scopes: readonly (readonly [column: string, word: string])[] = [
  ['ACCOUNT_ID', 'account'],
  ['PROJECT_ID', 'project'],
  ['SUBSCRIPTION_ID', 'subscription'],
  ['COMPARTMENT_ID', 'compartment'],
  ['CLUSTER_ID', 'cluster'],
  ['TENANT_ID', 'tenant'],
];

/** `S3 bucket logs in account 123456789012 (eu-west-1)`; undefined if the row names no resource. */
export function resourceFinding(row: Row): string | undefined {
  const key = firstString(row, 'RESOURCE_KEY', 'ARN', 'URN', 'RESOURCE_ID');
  if (key === '') return undefined;
  const [column, word] = scopes.find(([name]) => firstString(row, name) !== '') ?? [];
  const holder = column === undefined ? '' : firstString(row, column);
  const alias = column === 'ACCOUNT_ID' ? firstString(row, 'ACCOUNT_ALIAS') : '';
  const region = firstString(row, 'RESOURCE_REGION');
  const held = `${word} ${inline(holder)}`;
  const details = [alias, region === 'global' ? '' : region].filter((each) => each !== '' && each !== holder);
  const more = details.length === 0 ? '' : ` (${details.map((each) => inline(each)).join(', ')})`;
  // A resource that exists once per account is named by the account.
  if (key === holder) return `${held}${more}`;
  const kind = inline(firstString(row, 'RESOURCE_TYPE'), 60)
    .split(/[:/_-]+/)
    .map(displayWord)
    .join(' ');
  const name = inline(firstString(row, 'RESOURCE_ID') || lastSegment(key), 200);
  return [kind, name, holder && `in ${held}${more}`].filter(Boolean).join(' ');
}

function firstString(row: Row, ...columns: readonly string[]): string {
  return (
    columns
      .map((column) => row[column])
      .find((value): value is string => typeof value === 'string' && value !== '') ?? ''
  );
}
