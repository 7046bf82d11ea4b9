import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { External } from '../delivery/channel.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import { YamlFile } from '../platform/yaml-file.ts';
import type { sampleMessages } from './alert-message.ts';
import type { Received, Reply } from './receiver.ts';

/** Requests and replies from a vendor's documentation: `wire.yaml` beside the sender. */
export interface WireFixture {
  /** Source page. */
  readonly documentation: string;
  readonly cases: readonly WireCase[];
  /** Error replies to the first case, and the expected errors. */
  readonly refusals: readonly RefusalCase[];
  /** Maximum message size of the vendor, in bytes. */
  readonly largest?: number;
}

interface WireCase {
  readonly name: string;
  /** Sample message to send; default: `opened`. */
  readonly message?: keyof typeof sampleMessages;
  /** Channel settings; secrets in them contain the word canary. */
  readonly data: IntegrationData;
  readonly earlier?: External;
  readonly exchanges: readonly Exchange[];
  readonly external?: External;
}

export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Expected JSON members, or a string. */
    readonly body?: unknown;
  };
  readonly reply: Reply;
}

interface RefusalCase {
  /** Replies to the requests of the first case in order; the last is an error. */
  readonly replies: readonly Reply[];
  /** Expected part of the error message. */
  readonly problem: string;
  readonly isFinal: boolean;
  readonly retryAfter?: number;
}

export function readWireFixture(file: URL): WireFixture {
  return new YamlFile(file.pathname, readFileSync(file, 'utf8')).value as WireFixture;
}

/** Strings between slashes are regular expressions; objects list the required members. */
export function expectRequest(
  received: Received | undefined,
  { method, url, headers, body }: Exchange['request'],
) {
  expect(received).toMatchObject({ method, url, headers: matching(headers ?? {}) });
  if (body === undefined) return;
  const given = typeof body === 'string' ? received?.body : JSON.parse(String(received?.body));
  expect({ body: given }).toMatchObject({ body: matching(body) });
}

function matching(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(matching);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, matching(member)]));
  }
  const pattern = typeof value === 'string' ? /^\/(.*)\/$/su.exec(value) : null;
  return pattern ? expect.stringMatching(new RegExp(pattern[1] as string, 'su')) : value;
}
