import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { External } from '../delivery/channel.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import { YamlFile } from '../platform/yaml-file.ts';
import type { sampleMessages } from './alert-message.ts';
import type { Received, Reply } from './receiver.ts';

/** What a vendor's documentation says about requests and replies: `wire.yaml` beside what sends them. */
export interface WireFixture {
  /** The page that it was taken from. */
  readonly documentation: string;
  readonly cases: readonly WireCase[];
  /** Replies to the first case that are no success, and what is made of them. */
  readonly refusals: readonly Refused[];
  /** Most bytes that one message may have there. */
  readonly largest?: number;
}

interface WireCase {
  readonly name: string;
  /** Which sample is sent: the opened one unless said. */
  readonly message?: keyof typeof sampleMessages;
  /** Settings of the channel; secrets in them hold the word canary. */
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
    /** Members that the JSON must have, or a text. */
    readonly body?: unknown;
  };
  readonly reply: Reply;
}

interface Refused {
  /** To the requests of the first case in turn; the last one is no success. */
  readonly replies: readonly Reply[];
  /** What the message of the error holds. */
  readonly problem: string;
  readonly isFinal: boolean;
  readonly retryAfter?: number;
}

export function readWireFixture(file: URL): WireFixture {
  return new YamlFile(file.pathname, readFileSync(file, 'utf8')).value as WireFixture;
}

/** Texts between slashes are regular expressions; objects name the members that must be there. */
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
