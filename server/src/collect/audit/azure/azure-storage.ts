import { xmlElement } from '../../../outbound/aws/xml.ts';
import type { BulkOutbound, BulkReply } from '../../../outbound/bulk-outbound.ts';
import { OutboundError } from '../../../outbound/outbound.ts';
import type { AzureApplication, AzureTokens } from './azure-tokens.ts';

export interface AzureStorageDeps {
  readonly outbound: BulkOutbound;
  readonly tokens: AzureTokens;
  readonly application: AzureApplication;
}

/** An error response of the storage service. */
export class AzureStorageError extends OutboundError {
  readonly status: number;

  constructor(status: number, code: string) {
    super(`Azure storage answered ${status} ${code}`.trim());
    this.status = status;
  }
}

const version = '2024-11-04';
const timeout = 120_000;
const maxReplyBytes = 16 * 1024 * 1024;
/** Clouds of Azure; the token is sent to no other host. */
const storageHost =
  /^[a-z0-9]{3,24}(?:-secondary)?\.(blob|queue)\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)$/;

/** Requests to the queues and blobs of storage accounts. */
export class AzureStorage {
  readonly #deps: AzureStorageDeps;

  constructor(deps: AzureStorageDeps) {
    this.#deps = deps;
  }

  /** Throws an `AzureStorageError` for an error response. */
  async request(
    method: string,
    url: string,
    { headers, signal, maxBytes = maxReplyBytes }: RequestOptions,
  ): Promise<BulkReply> {
    const { outbound, tokens, application } = this.#deps;
    const token = await tokens.get(application);
    const reply = await outbound.fetch({
      ...{ method, url, signal, timeout, maxBytes },
      headers: { ...headers, authorization: `Bearer ${token}`, 'x-ms-version': version },
      ...(method === 'PUT' && { body: '' }),
    });
    if (reply.status < 300) return reply;
    if (reply.status === 401) tokens.forget(application);
    const text = reply.body.subarray(0, 4_000).toString();
    throw new AzureStorageError(
      reply.status,
      reply.headers['x-ms-error-code'] ?? xmlElement(text, 'Code') ?? '',
    );
  }
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
}

/** Whether the URL leads to a blob or queue of a storage account. */
export function isStorageUrl(url: string, service: 'blob' | 'queue'): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username } = new URL(url);
  return (
    protocol === 'https:' && port === '' && username === '' && storageHost.exec(hostname)?.[1] === service
  );
}
