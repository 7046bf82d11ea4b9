import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import { Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { allowedMethods } from './allowed-methods.ts';
import { answerBroken } from './broken-request.ts';
import { errorBody, refusalOf } from './error-reply.ts';
import type { Gate } from './gate.ts';
import { registerBodyParsers } from './json-body.ts';
import { bodyLimit, nodeLimits, type TimeLimits, usualTimeLimits } from './limits.ts';
import type { HttpMetrics } from './metrics.ts';
import { Operation } from './operation.ts';
import { perform, send } from './perform.ts';
import { requestIds } from './request-ids.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    startedAt: number;
  }
}

export interface ServerParts {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly publicUrl: URL | undefined;
  readonly trustedProxies: readonly string[];
  readonly tls: { cert: string; key: string } | undefined;
  readonly timeLimits?: TimeLimits;
}

/** The HTTP server: every route passes the same gate, the same checks and the same error replies. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { log, gate, metrics, timeLimits = usualTimeLimits } = parts;
  const newRequestId = requestIds();

  /** What happens to every request before its body is read. */
  const receive = async (request: FastifyRequest, reply: FastifyReply) => {
    request.startedAt = performance.now();
    reply.header('X-Request-Id', request.id);
    request.caller = await gate.admit(request, reply, request.routeOptions.config?.operation);
    if (request.url.includes('%00')) {
      throw new Refusal('MALFORMED_REQUEST', 'The path and the query must not hold %00.');
    }
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = refusalOf(error);
    logRefusal(log, request, refusal, error);
    return reply
      .status(refusal.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal, request.id)));
  };

  const app = fastify({
    logger: false,
    bodyLimit,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.keepAlive,
    connectionTimeout: timeLimits.silence,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    http: nodeLimits(timeLimits),
    ...(parts.tls && { https: { ...parts.tls, ...nodeLimits(timeLimits) } }),
    // A path that can not be decoded passes no hook: what the hook does is done here.
    frameworkErrors: (error, request, reply) => {
      const answer = reply as unknown as FastifyReply;
      const refused = (reason: unknown) => void refuse(request, answer, reason);
      receive(request, answer).then(() => refused(error), refused);
    },
    clientErrorHandler: (error, socket) => void answerBroken(error, socket, gate, newRequestId()),
  });
  registerBodyParsers(app);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', receive);
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(parts.routes, request.url);
    if (allowed.length === 0) {
      throw new Refusal('NOT_FOUND', 'Not found: see GET /api/v2/docs for the paths that exist.');
    }
    reply.header('Allow', allowed.join(', '));
    const choice = allowed.join(' or ');
    throw new Refusal('METHOD_NOT_ALLOWED', `${request.method} is not allowed here: use ${choice}.`);
  });
  app.addHook('onResponse', async (request, reply) => {
    const milliseconds = performance.now() - request.startedAt;
    const [route, status] = [routeName(request), reply.statusCode];
    metrics.observe(request.method, route, status, milliseconds / 1000);
    log.debug({ requestId: request.id, method: request.method, route, status, milliseconds }, 'request');
  });
  for (const route of parts.routes) {
    const operation = new Operation(route);
    app.route({
      method: route.declaration.method,
      url: route.declaration.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      config: { operation },
      handler: async (request, reply) =>
        send(reply, operation, await perform(operation, request, parts.publicUrl)),
    });
  }
  return app;
}

function logRefusal(log: Log, request: FastifyRequest, refusal: Refusal, cause: unknown): void {
  const facts = { requestId: request.id, route: routeName(request), code: refusal.code };
  if (refusal.status >= 500) {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    log.error({ ...facts, error }, 'request failed');
  } else {
    log.debug(facts, 'request refused');
  }
}

/** Route templates go into logs and metrics, never raw addresses. */
function routeName(request: FastifyRequest): string {
  return request.routeOptions.config?.operation?.route.declaration.path ?? 'unknown path';
}
