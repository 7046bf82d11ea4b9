import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Connections } from './connections.ts';
import { nodeLimits, type TimeLimits } from './limits.ts';

export interface NodeServerOptions {
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly timeLimits: TimeLimits;
  readonly connections: Connections;
}

/** Creates Node's HTTP(S) server with the limits applied. Fastify requests one for each address that it listens on. */
export function createNodeServer(handle: RequestListener, options: NodeServerOptions): Server {
  const { tls, timeLimits, connections } = options;
  const limits = nodeLimits(timeLimits);
  const server: Server = tls ? createHttpsServer({ ...tls, ...limits }) : createHttpServer(limits);
  server.keepAliveTimeout = timeLimits.keepAlive;
  server.requestTimeout = timeLimits.request;
  server.setTimeout(timeLimits.silence);
  connections.attach(server, handle);
  return server;
}
