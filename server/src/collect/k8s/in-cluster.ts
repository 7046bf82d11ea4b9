import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { K8sConnection } from './connection.ts';
import { tokenFileCredentials } from './fixed-credentials.ts';

/** Where every pod finds the credentials of its service account. */
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The cluster in which this process runs, if it runs in a pod with a service account. */
export async function inClusterConnection(
  environment: NodeJS.ProcessEnv,
  directory = serviceAccountDirectory,
): Promise<K8sConnection | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host) return undefined;
  const authority = await readFile(join(directory, 'ca.crt'), 'utf8').catch(() => undefined);
  if (authority === undefined) return undefined;
  return {
    title: 'in-cluster',
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    tls: { authority },
    source: tokenFileCredentials(join(directory, 'token')),
    names: [],
  };
}
