import type { ClientTls } from '../../outbound/bulk-outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { CollectError } from '../inventory/problem.ts';
import type { CredentialSource, K8sConnection } from './connection.ts';
import { ExecCredentials, type ExecPlugin } from './exec-credentials.ts';
import { fixedCredentials, tokenFileCredentials } from './fixed-credentials.ts';
import { dataOf, type Kubeconfig, type KubeconfigEntry, pathIn } from './kubeconfig.ts';
import { isObject } from './object.ts';

export interface KubeconfigDeps {
  readonly clock: Clock;
  readonly environment: NodeJS.ProcessEnv;
}

/** Settings without which a request would be another one than the user expects. */
const unsupported = {
  cluster: ['proxy-url'],
  user: ['auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'],
};

/** The connection of a context; the current one if none is named. */
export async function kubeconfigConnection(
  kubeconfig: Kubeconfig,
  context: string | undefined,
  deps: KubeconfigDeps,
): Promise<K8sConnection> {
  const title = context ?? kubeconfig.currentContext;
  const failed = (problem: string) =>
    new CollectError({ status: 'failed', reason: `Kubeconfig: ${problem}.` });
  if (!title) throw failed('it has no current context: name one with --context');
  const chosen = kubeconfig.contexts.get(title);
  if (!chosen)
    throw failed(
      `it has no context ${title}; it has ${[...kubeconfig.contexts.keys()].slice(0, 20).join(', ') || 'none'}`,
    );
  const clusterName = String(chosen.settings.cluster ?? '');
  const cluster = kubeconfig.clusters.get(clusterName);
  if (!cluster) throw failed(`context ${title} names the cluster ${clusterName}, which does not exist`);
  const userName = String(chosen.settings.user ?? '');
  const user = kubeconfig.users.get(userName) ?? { settings: {}, directory: cluster.directory };
  for (const [what, entry] of Object.entries({ cluster, user }))
    for (const name of unsupported[what as keyof typeof unsupported])
      if (entry.settings[name] !== undefined)
        throw failed(`context ${title} uses ${name}, which is not supported: use a context without it`);
  const { server } = cluster.settings;
  if (typeof server !== 'string' || !/^https?:\/\//.test(server) || !URL.canParse(server))
    throw failed(`the server of the cluster ${clusterName} is not an address`);
  const tls = await tlsOf(cluster);
  const plugin = pluginOf(user, { server, tls });
  return {
    title,
    server: server.replace(/\/+$/, ''),
    tls,
    source: plugin ? new ExecCredentials(plugin, deps.clock, deps.environment) : await sourceOf(user),
    names: [clusterName, title, ...eksNames(plugin)],
  };
}

async function tlsOf(cluster: KubeconfigEntry): Promise<ClientTls> {
  const authority = await dataOf(cluster, 'certificate-authority');
  const serverName = cluster.settings['tls-server-name'];
  return {
    ...(authority !== undefined && { authority }),
    ...(typeof serverName === 'string' && serverName !== '' && { serverName }),
    ...(cluster.settings['insecure-skip-tls-verify'] === true && { acceptsAnyCertificate: true }),
  };
}

async function sourceOf(user: KubeconfigEntry): Promise<CredentialSource> {
  const { token, tokenFile, username, password } = user.settings;
  if (typeof tokenFile === 'string' && tokenFile !== '')
    return tokenFileCredentials(pathIn(user.directory, tokenFile));
  const [certificate, key] = [await dataOf(user, 'client-certificate'), await dataOf(user, 'client-key')];
  const basic = Buffer.from(`${String(username)}:${String(password)}`).toString('base64');
  return fixedCredentials({
    headers: {
      ...(typeof username === 'string' && { authorization: `Basic ${basic}` }),
      ...(typeof token === 'string' && token !== '' && { authorization: `Bearer ${token}` }),
    },
    ...(certificate !== undefined && key !== undefined && { tls: { certificate, key } }),
  });
}

function pluginOf(
  { settings, directory }: KubeconfigEntry,
  cluster: { readonly server: string; readonly tls: ClientTls },
): ExecPlugin | undefined {
  const { exec } = settings;
  if (!isObject(exec) || typeof exec.command !== 'string') return undefined;
  const { command, apiVersion, args, env, provideClusterInfo, installHint } = exec;
  const { authority, serverName, acceptsAnyCertificate } = cluster.tls;
  const info = {
    server: cluster.server,
    ...(authority !== undefined && {
      'certificate-authority-data': Buffer.from(authority).toString('base64'),
    }),
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(acceptsAnyCertificate && { 'insecure-skip-tls-verify': true }),
  };
  const variables = (Array.isArray(env) ? env : []).filter(isObject);
  return {
    apiVersion: typeof apiVersion === 'string' ? apiVersion : 'client.authentication.k8s.io/v1',
    command: /[/\\]/.test(command) ? pathIn(directory, command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    environment: Object.fromEntries(variables.map(({ name, value }) => [String(name), String(value ?? '')])),
    installHint: typeof installHint === 'string' ? installHint : '',
    cluster: provideClusterInfo === true ? info : undefined,
  };
}

/** The name and region that `aws eks get-token` is called with, as eksctl joins them. */
function eksNames(plugin: ExecPlugin | undefined): string[] {
  const after = (...flags: string[]) => plugin?.args[plugin.args.findIndex((arg) => flags.includes(arg)) + 1];
  const name =
    plugin?.args.some((arg) => ['--cluster-name', '-i'].includes(arg)) && after('--cluster-name', '-i');
  const region = plugin?.args.includes('--region') ? after('--region') : plugin?.environment.AWS_REGION;
  return name && region ? [`${name}.${region}.eksctl.io`] : [];
}
