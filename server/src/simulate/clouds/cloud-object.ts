import type { Company } from '../company/company.ts';
import { Random } from '../random.ts';

/** An object in the form in which the provider's API returns it. */
export interface CloudObject {
  /** The call that returns it, its asset type, its resource type, or its kind. */
  readonly api: string;
  /** Identifies it among those of its API. */
  readonly id: string;
  readonly value: unknown;
  /** For APIs that are asked in each region. */
  readonly region?: string;
  /** The object below which it is listed. */
  readonly of?: string;
}

type Place = Pick<CloudObject, 'region' | 'of'>;

export function cloudObject(api: string, id: string, value: unknown, place: Place = {}): CloudObject {
  return { api, id, value, ...place };
}

/** A number that depends only on the company and its names. */
export function seeded({ seed, hosts }: Company, ...names: readonly (string | number)[]): Random {
  return new Random('clouds', seed, hosts, ...names);
}

/** `vol-0123456789abcdef0`. */
export function awsId(company: Company, prefix: string, ...names: readonly (string | number)[]): string {
  return `${prefix}-0${seeded(company, prefix, ...names).hex(16)}`;
}

export function uuidOf(company: Company, ...names: readonly (string | number)[]): string {
  const digits = seeded(company, ...names).hex(32);
  return [8, 12, 16, 20, 32].map((end, at, ends) => digits.slice(at === 0 ? 0 : ends[at - 1], end)).join('-');
}
