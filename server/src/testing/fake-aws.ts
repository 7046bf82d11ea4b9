import { awsReadings } from '../collect/aws/plan.ts';
import type { AwsService } from '../collect/aws/service.ts';
import { type AwsAccess, AwsSession } from '../collect/aws/session.ts';
import { CallBudget } from '../collect/inventory/budget.ts';
import { Collection } from '../collect/inventory/collection.ts';
import { MemorySink } from '../collect/inventory/memory-sink.sample.ts';
import { BulkOutbound } from '../outbound/bulk-outbound.ts';
import { ManualClock } from './clock.ts';
import { type Reaction, type Received, Receiver, type Reply } from './receiver.ts';

export const account = '123456789012';

/** A call as the server saw it. */
export interface ReceivedCall extends Received {
  readonly service: string;
  readonly region: string;
  /** `ListTables`, or for services by path `GET /analyzer`. */
  readonly name: string;
  /** The form or JSON of the body. */
  readonly input: Readonly<Record<string, unknown>>;
}

export type Answer = (call: ReceivedCall) => Reaction;

/** A server that answers in the wire forms of AWS. */
export class FakeAws {
  readonly receiver: Receiver;
  readonly calls: ReceivedCall[] = [];
  readonly #answers = new Map<string, Answer>();
  /** Called before the answers; undefined lets them answer. */
  before: (call: ReceivedCall) => Reaction | undefined = () => undefined;

  private constructor(receiver: Receiver) {
    this.receiver = receiver;
    receiver.react = (received) => this.#answer(received);
  }

  static async start(): Promise<FakeAws> {
    return new FakeAws(await Receiver.start());
  }

  /** Answers calls, named as `ec2 DescribeVpcs` or `access-analyzer GET /analyzer`. */
  on(call: string, answer: Answer | Reply): void {
    this.#answers.set(call, typeof answer === 'function' ? answer : () => answer);
  }

  forget(): void {
    this.calls.length = 0;
    this.#answers.clear();
    this.before = () => undefined;
    this.receiver.forget();
  }

  names(): string[] {
    return this.calls.map(({ service, name }) => `${service} ${name}`);
  }

  async close(): Promise<void> {
    await this.receiver.close();
  }

  #answer(received: Received): Reaction {
    const call = callOf(received);
    this.calls.push(call);
    const early = this.before(call);
    if (early !== undefined) return early;
    const answer = this.#answers.get(`${call.service} ${call.name}`);
    return answer?.(call) ?? failure(call, 501, 'NotImplemented', `${call.service} ${call.name}`);
  }
}

function callOf(received: Received): ReceivedCall {
  const [, region = '', service = ''] =
    /Credential=[^/]*\/\d+\/([^/]*)\/([^/]*)\//.exec(received.headers.authorization ?? '') ?? [];
  const target = received.headers['x-amz-target']?.split('.').at(-1);
  const { pathname, search } = new URL(received.url);
  const isJson = received.body.startsWith('{');
  const form = Object.fromEntries(new URLSearchParams(isJson ? '' : received.body));
  const input = isJson ? JSON.parse(received.body) : form;
  // The SDK marks some calls by path with their name.
  const query = search.replace(/[?&]x-id=\w+/, '').replace(/=$/, '');
  const path = `${received.method} ${decodeURIComponent(pathname).replace(/(?<=.)\/$/, '')}${query}`;
  return { ...received, service, region, name: target ?? form.Action ?? path, input };
}

/** An error in the form of the call's protocol. */
export function failure(call: ReceivedCall, status: number, code: string, message = code): Reply {
  if (
    call.headers['x-amz-target'] ||
    call.headers['content-type']?.includes('json') ||
    call.body.startsWith('{')
  )
    return { status, headers: { 'x-amzn-errortype': code }, body: JSON.stringify({ __type: code, message }) };
  if (call.service === 's3')
    return { status, body: `<Error><Code>${code}</Code><Message>${message}</Message></Error>` };
  if (call.service === 'ec2')
    return {
      status,
      body: `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors></Response>`,
    };
  if (call.input.Action || ['cloudfront', 'route53'].includes(call.service))
    return {
      status,
      body: `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    };
  return { status, headers: { 'x-amzn-errortype': code }, body: JSON.stringify({ message }) };
}

export const json = (body: unknown): Reply => ({ body: JSON.stringify(body) });
export const xml = (body: string): Reply => ({ headers: { 'content-type': 'text/xml' }, body });

/** Waiting takes no time: the clock goes on to its end. */
export function virtualBudget(clock = new ManualClock(), share = 0.2): CallBudget {
  const wait = async (milliseconds: number) => clock.advance(milliseconds);
  return new CallBudget({ share, clock, wait });
}

export interface Trial extends Partial<AwsAccess> {
  readonly services: readonly AwsService[];
  readonly regions?: readonly string[];
  /** Only the readings of these calls. */
  readonly only?: readonly string[];
}

/** What a collection from the server sends. */
export async function collected(aws: FakeAws, trial: Trial): Promise<MemorySink> {
  const { services, regions = ['us-east-1'], only, ...access } = trial;
  const outbound = new BulkOutbound({ allowsPrivate: true });
  const session = new AwsSession({
    account: { id: account, alias: 'production', partition: 'aws', organization: '' },
    credentials: async () => ({ accessKeyId: 'AKIA', secretAccessKey: 'secret' }),
    endpoint: aws.receiver.url.replace('127.0.0.1', 'localhost'),
    outbound,
    budget: virtualBudget(),
    ...access,
  });
  const sink = new MemorySink();
  const readings = awsReadings(session, services, regions).filter(
    ({ id }) => !only || only.some((call) => id.includes(`/${call} `)),
  );
  try {
    const collection = new Collection({ cloudAccount: account, sink, clock: new ManualClock() });
    await collection.run(readings, new AbortController().signal, () => {});
  } finally {
    await outbound.close();
  }
  return sink;
}
