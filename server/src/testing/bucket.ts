import { gunzipSync } from 'node:zlib';
import type { Outbound } from '../outbound/outbound.ts';
import { expectGenuine } from './genuine.ts';
import { outboundTo } from './outbound.ts';
import { type Reaction, type Received, Receiver } from './receiver.ts';

const names = ['sts.us-east-1.amazonaws.com', 'exports.s3.us-east-1.amazonaws.com'];

/** Settings of a channel that writes into the bucket. */
export const bucketData = {
  s3CrossAccountCredentials: {
    roleArn: 'arn:aws:iam::111122223333:role/exports',
    externalId: 'lweid:aws:v2:local',
    bucketArn: 'arn:aws:s3:::exports/some/where',
  },
};

/** An S3 bucket on loopback that accepts requests signed with the role and stores objects. */
export class TestBucket {
  readonly objects = new Map<string, Buffer>();
  /** Keys of all PUT requests in order, including repeated ones. */
  readonly puts: string[] = [];
  /** Overrides the reaction to a request for a key. */
  instead: (key: string) => Reaction | undefined = () => undefined;
  readonly #receiver: Receiver;

  private constructor(receiver: Receiver) {
    this.#receiver = receiver;
    receiver.react = (received) => this.#react(received);
  }

  static async start(): Promise<TestBucket> {
    return new TestBucket(await Receiver.start(names));
  }

  get outbound(): Outbound {
    return outboundTo(this.#receiver, names);
  }

  get url(): string {
    return this.#receiver.url;
  }

  /** Records of an object, one per line. */
  lines(key: string): string[] {
    const ndjson = gunzipSync(this.objects.get(key) ?? Buffer.of()).toString();
    return ndjson.split('\n').slice(0, -1);
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #react(received: Received): Reaction {
    expectGenuine(received);
    const { method, url, headers, bytes } = received;
    if (headers.authorization?.includes('Credential=AKIAOURSELVES/')) return { body: credentials };
    // Virtual-hosted style, or path style when used as an emulator.
    const key = decodeURIComponent(new URL(url).pathname).replace(/^\/(?:exports\/)?/, '');
    const override = this.instead(key);
    if (override !== undefined) return override;
    if (method !== 'PUT' || !headers.authorization?.includes('Credential=ASIAROLE/')) return { status: 403 };
    this.puts.push(key);
    this.objects.set(key, bytes);
    return {};
  }
}

const credentials = `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>
  <SecretAccessKey>the canary that signs for the role</SecretAccessKey><SessionToken>t</SessionToken>
  <Expiration>2036-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
