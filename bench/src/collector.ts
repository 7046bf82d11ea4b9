import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { Resource } from '@vedette/server/telemetry/resource';
import { HttpSink } from 'vedette/collecting/http-sink';
import type { Client } from './client.ts';

/** Sends snapshots to the server, with a new token. */
export async function sinkOf(client: Client, port: number, csp = 'aws'): Promise<HttpSink> {
  const created = (await client.create('/api/v2/AgentAccessTokens', {
    ...{ tokenAlias: `bench ${csp}`, tokenEnabled: 1, tokenPurpose: 'collector' },
  })) as { data: { accessToken: string } };
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const destination = {
    url: `http://127.0.0.1:${port}`,
    token: created.data.accessToken,
    compress: false,
    wait,
  };
  return new HttpSink(destination, csp);
}

/** The resources of a kind in a region. */
export interface Scope {
  readonly kind: string;
  readonly region: string;
  readonly resources: readonly Resource[];
}

export function readings(scopes: readonly Scope[]): Reading[] {
  return scopes.map(
    ({ kind, region, resources }) =>
      ({
        ...{ id: `${kind} ${region}`, service: 'EC2', region, kinds: [kind] },
        async read(output) {
          for (const one of resources) await output.add(kind, one);
        },
      }) satisfies Reading,
  );
}
