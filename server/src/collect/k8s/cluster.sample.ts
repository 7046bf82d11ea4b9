import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { authorityFile, selfSignedTls } from '../../platform/tls.ts';
import { clientCertificate, type IssuedCertificate } from './client-certificate.sample.ts';
import { listPath } from './service.ts';
import { k8sServices } from './services.ts';

/** A request that the sample received. */
export interface ClusterRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly authorization: string;
  /** The name in the client's certificate, if it has a trusted one. */
  readonly certificateName: string;
}

export interface ClusterReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type SampleObject = { readonly metadata: object; readonly [member: string]: unknown };

/** An API server on loopback: lists in pages, refusals as objects of kind Status, TLS with client certificates. */
export class SampleCluster {
  static readonly token = 'sample-token';
  readonly received: ClusterRequest[] = [];
  /** Answers before the sample does. */
  intercept: (request: ClusterRequest) => ClusterReply | 'hang' | undefined = () => undefined;
  readonly authority: string;
  readonly client: IssuedCertificate;
  readonly #objects = new Map<string, SampleObject[]>();
  readonly #server: Server;

  private constructor(tls: { cert: string; key: string }, authority: string, client: IssuedCertificate) {
    this.authority = authority;
    this.client = client;
    for (const service of k8sServices)
      for (const kind of service.kinds)
        if (service.group !== 'policy') this.#objects.set(listPath(service, kind), []);
    const trust = { ca: [client.authority], requestCert: true, rejectUnauthorized: false };
    this.#server = createServer({ ...tls, ...trust }, (request, response) => this.#answer(request, response));
  }

  static async start(): Promise<SampleCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'vedette-cluster-'));
    try {
      const tls = await selfSignedTls(directory, [], Date.now());
      const authority = readFileSync(authorityFile(directory), 'utf8');
      const cluster = new SampleCluster(tls, authority, await clientCertificate('collector', Date.now()));
      await new Promise<void>((resolve) => cluster.#server.listen(0, '127.0.0.1', resolve));
      return cluster;
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `path` is that of the list. */
  put(path: string, ...objects: readonly SampleObject[]): void {
    this.#objects.set(path, [...(this.#objects.get(path) ?? []), ...objects]);
  }

  clear(): void {
    for (const path of this.#objects.keys()) this.#objects.set(path, []);
    this.received.length = 0;
    this.intercept = () => undefined;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', this.url);
    const socket = incoming.socket as TLSSocket;
    const request = {
      path: decodeURIComponent(pathname),
      query: searchParams,
      accept: incoming.headers.accept ?? '',
      authorization: incoming.headers.authorization ?? '',
      certificateName: socket.authorized ? String(socket.getPeerCertificate().subject?.CN) : '',
    };
    this.received.push(request);
    const reply = this.intercept(request) ?? this.#reply(request);
    if (reply === 'hang') return;
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body);
  }

  #reply({ path, query, accept, authorization, certificateName }: ClusterRequest): ClusterReply {
    if (authorization !== `Bearer ${SampleCluster.token}` && certificateName === '')
      return failure(401, 'Unauthorized', 'Unauthorized');
    if (path === '/version') return { status: 200, body: { major: '1', minor: '34', gitVersion: 'v1.34.1' } };
    const objects = this.#objects.get(path);
    if (objects) return page(objects, query, accept);
    const [, before, namespace, resource, name] =
      /^(.*?)(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const object = this.#objects.get(`${before}/${resource}`)?.find(({ metadata }) => {
      const { name: own, namespace: ownNamespace } = metadata as { name: string; namespace?: string };
      return own === name && ownNamespace === namespace;
    });
    if (object) return { status: 200, body: object };
    // An API group that is not there is unknown to the server, an object that is not there is not.
    if (this.#objects.has(`${before}/${resource}`))
      return failure(404, 'NotFound', `${resource} "${name}" not found`);
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };
  }
}

/** An object of kind Status. */
export function failure(code: number, reason: string, message: string, headers = {}): ClusterReply {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { status: code, headers, body };
}

export function forbidden(resource: string, group: string): ClusterReply {
  const message = `${resource} is forbidden: User "collector" cannot list resource "${resource}" in API group "${group}" at the cluster scope`;
  return failure(403, 'Forbidden', message);
}

function page(objects: readonly SampleObject[], query: URLSearchParams, accept: string): ClusterReply {
  const limit = Number(query.get('limit') ?? 0) || objects.length;
  const token = query.get('continue');
  const start = token
    ? (JSON.parse(Buffer.from(token, 'base64url').toString()) as { start: number }).start
    : 0;
  const end = start + limit;
  const next = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 7, start: end })).toString('base64url');
  const rest = Math.max(0, objects.length - end);
  const metadata = { resourceVersion: '7', ...(rest > 0 && { continue: next, remainingItemCount: rest }) };
  const isPartial = accept.includes('as=PartialObjectMetadataList');
  const items = objects
    .slice(start, end)
    .map((object) => (isPartial ? { metadata: object.metadata } : object));
  return { status: 200, body: { kind: 'List', apiVersion: 'v1', metadata, items } };
}
