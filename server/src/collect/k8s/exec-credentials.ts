import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../platform/clock.ts';
import { boundedReason, CollectError } from '../inventory/problem.ts';
import type { CredentialSource, K8sCredentials } from './connection.ts';
import { isObject } from './object.ts';

/** A credential plugin of a kubeconfig: `aws eks get-token`, `gke-gcloud-auth-plugin`, `kubelogin`. */
export interface ExecPlugin {
  readonly apiVersion: string;
  /** A name in PATH, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly installHint: string;
  /** The cluster in the form of the protocol, if the plugin asks for it. */
  readonly cluster: object | undefined;
}

const timeout = 60_000;
const maxOutput = 1024 * 1024;
/** Credentials that expire within this time are asked for again. */
const leeway = 60_000;

interface Cached extends K8sCredentials {
  readonly expires: number;
}

/** Runs a plugin and keeps its credentials until they expire or are rejected. */
export class ExecCredentials implements CredentialSource {
  readonly isRenewable = true;
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  readonly #environment: NodeJS.ProcessEnv;
  #current: Promise<Cached> | undefined;

  constructor(plugin: ExecPlugin, clock: Clock, environment: NodeJS.ProcessEnv) {
    this.#plugin = plugin;
    this.#clock = clock;
    this.#environment = environment;
  }

  async credentials(rejected: K8sCredentials | undefined): Promise<K8sCredentials> {
    const current = this.#current;
    const cached = await current?.catch(() => undefined);
    const isFresh = cached && cached !== rejected && cached.expires - leeway > this.#clock.now();
    if (isFresh) return cached;
    // Many requests wait for it at once: the plugin runs once for all.
    if (this.#current === current) this.#current = this.#run();
    return this.#current as Promise<Cached>;
  }

  async #run(): Promise<Cached> {
    const { apiVersion, command, args, environment, cluster } = this.#plugin;
    const info = {
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, ...(cluster && { cluster }) },
    };
    const ran = promisify(execFile)(command, args, {
      env: { ...this.#environment, ...environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      timeout,
      maxBuffer: maxOutput,
    });
    ran.child.stdin?.end();
    const { stdout } = await ran.catch((error: unknown) => {
      throw this.#failure(error as Error & { code?: unknown; stderr?: string });
    });
    return this.#credentialsIn(stdout);
  }

  /** Never the output: it may have a token. */
  #failure({ code, stderr = '' }: Error & { code?: unknown; stderr?: string }): CollectError {
    const { command, installHint } = this.#plugin;
    const cause = code === 'ENOENT' ? 'not found' : `it ended with ${String(code ?? 'a signal')}. ${stderr}`;
    const hint = code === 'ENOENT' && installHint ? ` ${installHint}` : '';
    return new CollectError({
      status: 'failed',
      reason: boundedReason(`The credential plugin ${command} of the kubeconfig failed: ${cause}${hint}`),
    });
  }

  #credentialsIn(stdout: string): Cached {
    let parsed: unknown;
    try {
      parsed = JSON.parse(stdout);
    } catch {}
    const status = isObject(parsed) && isObject(parsed.status) ? parsed.status : {};
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status;
    const hasCertificate = typeof clientCertificateData === 'string' && typeof clientKeyData === 'string';
    if (typeof token !== 'string' && !hasCertificate)
      throw new CollectError({
        status: 'failed',
        reason: `The credential plugin ${this.#plugin.command} of the kubeconfig printed neither a token nor a certificate.`,
      });
    const expires = Date.parse(String(expirationTimestamp));
    return {
      headers: typeof token === 'string' ? { authorization: `Bearer ${token}` } : {},
      ...(hasCertificate && { tls: { certificate: clientCertificateData, key: clientKeyData } }),
      expires: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires,
    };
  }
}
