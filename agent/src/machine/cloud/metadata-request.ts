import { request } from 'node:http';
import type { MetadataRequest, MetadataResponse } from './cloud-instance.ts';

const limits = { milliseconds: 1_000, bytes: 256 * 1024 };

/** Requests to the metadata service at a base URL. It is on the link of the host, so it answers soon or never. */
export function metadataRequest(base: string, stop: AbortSignal): MetadataRequest {
  return ({ path, method = 'GET', headers = {} }) =>
    new Promise((resolve) => {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.milliseconds)]);
      const sent = request(new URL(path, base), { method, headers, signal, agent: false }, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('error', () => resolve(undefined));
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > limits.bytes) response.destroy(new Error('The response is too large.'));
          else parts.push(part);
        });
        response.on('end', () => {
          const answer: MetadataResponse = {
            headers: response.headers,
            body: Buffer.concat(parts).toString('utf8'),
          };
          resolve(response.statusCode === 200 ? answer : undefined);
        });
      });
      sent.on('error', () => resolve(undefined));
      sent.end();
    });
}
