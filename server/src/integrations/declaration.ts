import type { Static, TObject } from 'typebox';

export type IntegrationFamily = 'AlertChannels' | 'CloudAccounts' | 'ContainerRegistries';

export type IntegrationData = Readonly<Record<string, unknown>>;

/** The declaration of an integration type, from which routes, schemas and tests are derived. */
export interface IntegrationType {
  readonly family: IntegrationFamily;
  /** The value of `type`. */
  readonly type: string;
  /** The value of `data.registryType`, for container registries, whose `type` is always the same. */
  readonly subtype?: string;
  readonly description: string;
  /** Schema of `data`; secrets and the members that determine their destination are marked. */
  readonly data: TObject;
  /** Destination of the secrets, for a type whose settings do not determine it. */
  readonly fixedDestination?: string;
  /** Schema of `props`, if clients may send them. */
  readonly props?: TObject;
  /** Adds members that clients omit in requests but require in responses. */
  complete?(data: IntegrationData): IntegrationData;
  /** Checks that the schema cannot express; returns an error message. */
  check?(data: IntegrationData): string | undefined;
  /** The external object that may be integrated only once per account: its noun for messages, and its identity. */
  readonly unique?: { readonly noun: string; identify(data: IntegrationData): string | undefined };
  /** The remote program authenticates with a token issued by this server. */
  readonly issuesServerToken?: boolean;
  /** The remote program reports its state with that token. */
  readonly reportsState?: boolean;
  /** The settings are kept, but this service reads nothing with them. */
  readonly lacksCollector?: boolean;
  /** The integration has no state. */
  readonly isStateless?: boolean;
}

/** The type of `data` in a declaration. */
export type DataOf<Declared extends IntegrationType> = Static<Declared['data']>;

export function defineIntegrationType<Declared extends IntegrationType>(declaration: Declared): Declared {
  return declaration;
}

/** The name in messages, paths and `/schemas`. */
export function nameOf({ type, subtype }: IntegrationType): string {
  return subtype ?? type;
}
