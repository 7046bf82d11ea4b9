import type { ApiRate } from '../inventory/budget.ts';
import type { ReadingOutput } from '../inventory/reading.ts';

/** The exports of a client package of the AWS SDK: its client, commands and paginators by name. */
export type ClientPackage = Readonly<Record<string, unknown>>;

/** Makes the calls of one service in one region of one account. */
export interface AwsCaller {
  readonly account: AwsAccount;
  readonly service: AwsService;
  readonly region: string;
  readonly signal: AbortSignal;
  /** One call, without its metadata. */
  call(name: string, input?: object): Promise<Record<string, unknown>>;
  /** The pages of a call; one page if it has none. */
  pages(name: string, input?: object, paging?: AwsPaging): AsyncIterable<Record<string, unknown>>;
}

export interface AwsAccount {
  readonly id: string;
  readonly alias: string;
  /** `aws`, `aws-us-gov` or `aws-cn`. */
  readonly partition: string;
  /** Empty if it is in none, or may not know. */
  readonly organization: string;
}

/** Asked in each region, or once for the whole account. */
export type AwsRegions = 'each' | 'once';

export interface AwsPaging {
  /** Member of the output that has the token of the next page. */
  readonly output: string;
  /** Member of the input that takes it; the same by default. */
  readonly input?: string;
}

export interface AwsTagging {
  readonly call: string;
  readonly input: CallInput;
  /** Path of the tags in the output. */
  readonly tags: string;
}

/** Input of a call; strings are templates (`template.ts`). */
export type CallInput = { readonly [name: string]: InputValue };
type InputValue = string | number | boolean | readonly InputValue[] | CallInput;

/**
 * A call and the resources in its output. Its paging follows from the SDK, its permission and API_KEY from its name.
 * Templates and paths refer to the output, or to one item of it.
 */
export interface AwsRead {
  /** The datasource that the resources fill; absent for a call that only leads to others. */
  readonly kind?: string;
  /** RESOURCE_TYPE; the parent's by default. */
  readonly type?: string;
  readonly call: string;
  /** The call that the datasource is named for, if this one returns the same with more members. */
  readonly fills?: string;
  readonly input?: CallInput;
  /** Inputs of further calls of the same kind, instead of `input`; templates refer to them as `{$input.Member}`. */
  readonly inputs?: readonly CallInput[];
  /** Whether it is asked in each region, if that differs from the other calls of the service. */
  readonly regions?: AwsRegions;
  /** Members of a page token, for calls for which the SDK has no paginator. */
  readonly paging?: AwsPaging;
  /** Path of the array of items in the output. Without it the output is one resource. */
  readonly items?: string;
  /** Path of the configuration in an item; the whole item by default. */
  readonly config?: string;
  /** Template of the resource's id; the parent's by default. */
  readonly id?: string;
  /** Template of its ARN; the parent's by default. */
  readonly arn?: string;
  /** Template of what identifies it in its kind, if several have the same ARN. */
  readonly key?: string;
  /** Path of the resource's own region in an item, if the call returns resources of all regions. */
  readonly itemRegion?: string;
  /** Path of the tags in an item, if they are not in a member that is called `Tags` or `tags`. */
  readonly tags?: string;
  /** A further call for the tags of each resource. */
  readonly tagging?: AwsTagging;
  /** Paths of JSON strings, which are stored as objects. */
  readonly json?: readonly string[];
  /** Paths of secrets (`member.ts`), of which only the names are stored. */
  readonly redact?: readonly string[];
  /** Paths of URLs, of which user names and passwords are not stored. */
  readonly urls?: readonly string[];
  /**
   * Errors which mean that there is no such resource, beyond those whose name says so: a name, or a name and a part
   * of the message after `: `.
   */
  readonly none?: readonly string[];
  /** Errors which mean that the service is not enabled, beyond those that all services have. */
  readonly off?: readonly string[];
  /** Errors which mean that the caller may not read the resource, although their names say something else. */
  readonly denied?: readonly string[];
  /** IAM actions, if they are not `<prefix>:<call>`. */
  readonly permissions?: readonly string[];
  /** Reads only items with one of these values, which are templates, by path: `{ 'Metadata.Manager': ['CUSTOMER'] }`. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
  /** Adds members to an item before it is stored, by further calls. */
  readonly extend?: (item: unknown, calls: AwsCaller) => Promise<unknown>;
  /** Calls for each resource. */
  readonly each?: readonly AwsRead[];
}

/** A reading that needs code: what it does is declared nevertheless, for permissions and documentation. */
export interface AwsCustomRead {
  /** Names the reading; its first call in most cases. */
  readonly name: string;
  readonly regions?: AwsRegions;
  /** Errors which mean that the service is not enabled, beyond those that all services have. */
  readonly off?: readonly string[];
  /** The call of each datasource that it fills. */
  readonly kinds: Readonly<Record<string, { readonly call: string; readonly type: string }>>;
  readonly calls: readonly string[];
  readonly permissions?: readonly string[];
  readonly redact?: readonly string[];
  read(calls: AwsCaller, output: ReadingOutput): Promise<void>;
}

export interface AwsService {
  /** Shown to people: `Secrets Manager`. */
  readonly name: string;
  /** SERVICE, and the prefix of its IAM actions: `secretsmanager`. */
  readonly prefix: string;
  /** The prefix of its IAM actions, if it is another one. */
  readonly iamPrefix?: string;
  /** Loads the client package. */
  load(): Promise<ClientPackage>;
  /** The export of the package which is the client: `SecretsManagerClient`. */
  readonly client: string;
  readonly regions: AwsRegions;
  /** The documented rate of its calls in one region. */
  readonly rate?: ApiRate;
  readonly reads: readonly (AwsRead | AwsCustomRead)[];
}

export function defineAwsService(service: AwsService): AwsService {
  return service;
}

export function isCustom(read: AwsRead | AwsCustomRead): read is AwsCustomRead {
  return 'read' in read;
}

/** A read and all reads below it. */
export function* allReads(read: AwsRead): Generator<AwsRead> {
  yield read;
  for (const below of read.each ?? []) yield* allReads(below);
}

/** The datasources that a read fills. */
export function kindsOf(read: AwsRead | AwsCustomRead): string[] {
  if (isCustom(read)) return Object.keys(read.kinds);
  return [...allReads(read)].flatMap(({ kind }) => kind ?? []);
}
