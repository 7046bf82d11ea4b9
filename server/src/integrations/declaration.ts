import type { Static, TObject } from 'typebox';

export type IntegrationFamily = 'AlertChannels' | 'CloudAccounts' | 'ContainerRegistries';

export type IntegrationData = Readonly<Record<string, unknown>>;

/** One kind of integration: everything that the three families need to know of it. */
export interface IntegrationType {
  readonly family: IntegrationFamily;
  /** The value of `type`. */
  readonly type: string;
  /** The value of `data.registryType`, in the family whose types all share one name. */
  readonly subtype?: string;
  readonly description: string;
  /** Form of `data`, with marks on secrets and on the members that decide where they are sent. */
  readonly data: TObject;
  /** Where the secrets are sent, for a type none of whose settings decides it. */
  readonly fixedDestination?: string;
  /** Form of `props`, where a client may send them. */
  readonly props?: TObject;
  /** Adds members that clients leave out and need back. */
  complete?(data: IntegrationData): IntegrationData;
  /** What is checked beyond the schema; returns the complaint. */
  check?(data: IntegrationData): string | undefined;
  /** What may be integrated only once in an account: what it is called, and which one this is. */
  readonly unique?: { readonly what: string; identify(data: IntegrationData): string | undefined };
  /** The program at the other end authenticates with a token of ours. */
  readonly issuesServerToken?: boolean;
  /** That program tells with its token whether it works. */
  readonly reportsState?: boolean;
  /** Nothing on this side reports whether it works. */
  readonly isStateless?: boolean;
}

/** What `data` of a declared type holds. */
export type DataOf<Declared extends IntegrationType> = Static<Declared['data']>;

export function defineIntegrationType<Declared extends IntegrationType>(declaration: Declared): Declared {
  return declaration;
}

/** How one names it in messages, paths and `/schemas`. */
export function nameOf({ type, subtype }: IntegrationType): string {
  return subtype ?? type;
}
