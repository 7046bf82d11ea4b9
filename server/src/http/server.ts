import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';
import { Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { errorBody, rawErrorReply, refusalOf } from './error-reply.ts';
import { type Gate, scopeFor } from './gate.ts';
import { bodyLimit, registerBodyParsers } from './json-body.ts';
import type { HttpMetrics } from './metrics.ts';
import { Operation } from './operation.ts';
import { isContent, isEmpty, JsonBytes } from './reply.ts';
import type { AnyOutput, Origin, Route } from './route.ts';

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

/** How long a client may take, in milliseconds. */
export interface TimeLimits {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Neither sending nor reading anything. */
  readonly silence: number;
}

const usualTimeLimits: TimeLimits = { headers: 15_000, request: 60_000, keepAlive: 75_000, silence: 120_000 };
const headerLimit = 16_384;

/** The HTTP server: every route passes the same gate, the same checks and the same error replies. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { log, gate, metrics, timeLimits = usualTimeLimits } = parts;
  const httpLimits = {
    maxHeaderSize: headerLimit,
    headersTimeout: timeLimits.headers,
    // Node looks for late clients this often.
    connectionsCheckingInterval: timeLimits.headers / 3,
  };
  const app = fastify({
    logger: false,
    bodyLimit,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.keepAlive,
    connectionTimeout: timeLimits.silence,
    forceCloseConnections: 'idle',
    genReqId: requestIds(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    http: httpLimits,
    ...(parts.tls && { https: { ...parts.tls, ...httpLimits } }),
    // A path that can not be decoded passes no hook: what the hooks do is done here.
    frameworkErrors: (error, request, reply) => {
      const answer = reply as unknown as FastifyReply;
      const refused = (reason: unknown) => refuse(request, answer, reason);
      void receive(request, answer, undefined).then(() => refused(error), refused);
    },
    clientErrorHandler: (error, socket) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const [kind, message] =
        code === 'HPE_HEADER_OVERFLOW'
          ? (['HEADERS_TOO_LARGE', `The request headers are larger than ${headerLimit} bytes.`] as const)
          : code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? (['REQUEST_TIMEOUT', 'The request did not arrive in time.'] as const)
            : (['MALFORMED_REQUEST', 'The request can not be read as HTTP/1.1.'] as const);
      const send = (headers: Record<string, string>) =>
        socket.end(rawErrorReply(kind, message, headers, newRequestId()));
      gate.headersFor(socket.remoteAddress ?? 'unknown').then(send, () => send({}));
    },
  });
  const newRequestId = requestIds();

  const receive = async (request: FastifyRequest, reply: FastifyReply, operation: Operation | undefined) => {
    request.startedAt = performance.now();
    reply.header('X-Request-Id', request.id);
    request.caller = await gate.admit(request, reply, operation);
  };
  const refuse = async (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = refusalOf(error);
    const failure = refusal.status >= 500 && {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
    log[refusal.status >= 500 ? 'error' : 'debug'](
      { requestId: request.id, route: routeName(request), code: refusal.code, ...failure },
      'request refused',
    );
    return reply
      .status(refusal.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal, request.id)));
  };

  registerBodyParsers(app);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('startedAt', 0);
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(parts.routes, request.url);
    if (allowed.length === 0)
      throw new Refusal('NOT_FOUND', 'Not found: see GET /api/v2/docs for the paths that exist.');
    reply.header('Allow', allowed.join(', '));
    throw new Refusal(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed here: use ${allowed.join(' or ')}.`,
    );
  });
  app.addHook('onRequest', async (request, reply) => {
    await receive(request, reply, request.routeOptions.config.operation);
    if (request.url.includes('%00')) {
      throw new Refusal('MALFORMED_REQUEST', 'The path and the query must not hold %00.');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const milliseconds = performance.now() - request.startedAt;
    const route = routeName(request);
    metrics.observe(request.method, route, reply.statusCode, milliseconds / 1000);
    log.debug(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, milliseconds },
      'request',
    );
  });
  for (const route of parts.routes) {
    const operation = new Operation(route);
    const { method, path } = route.declaration;
    app.route({
      method,
      url: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      config: { operation },
      handler: async (request, reply) =>
        send(reply, operation, await perform(operation, request, parts.publicUrl)),
    });
  }
  return app;
}

async function perform(
  operation: Operation,
  request: FastifyRequest,
  publicUrl: URL | undefined,
): Promise<AnyOutput> {
  const { declaration, handle } = operation.route;
  const { caller } = request;
  const scope = caller && scopeFor(request, caller, declaration.access, declaration.org ?? false);
  operation.params?.check(request.params);
  operation.query?.check(request.query);
  operation.headers?.check(request.headers);
  const body = request.body ?? undefined;
  if (operation.requiresBody && body === undefined) {
    throw new Refusal(
      'INVALID_INPUT',
      'A JSON body is required: send one with Content-Type: application/json.',
    );
  }
  if (body !== undefined) operation.body?.check(body);
  const actor = caller &&
    scope &&
    declaration.audit && {
      userName: caller.email,
      ownerId: scope.ownerId,
      accountName: scope.name,
      act: declaration.audit,
    };
  const { params, query, headers } = request;
  return handle({
    caller,
    scope,
    params,
    query,
    headers,
    body,
    origin: originOf(request, publicUrl),
    actor,
  } as never);
}

function send(reply: FastifyReply, operation: Operation, output: AnyOutput): FastifyReply {
  reply.status(output.status);
  const declared = operation.route.declaration.replies[output.status];
  if (declared && isEmpty(declared)) return reply.send();
  if (declared && isContent(declared)) {
    return reply
      .header('content-type', declared.type)
      .headers(output.headers ?? {})
      .send(output.body);
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(output.body instanceof JsonBytes ? output.body.bytes : JSON.stringify(output.body));
}

/** Route templates go into logs and metrics, never raw addresses. */
function routeName(request: FastifyRequest): string {
  return request.routeOptions.config.operation?.route.declaration.path ?? 'unknown path';
}

function originOf(request: FastifyRequest, publicUrl: URL | undefined): Origin {
  if (publicUrl) return { host: publicUrl.host, url: publicUrl.origin };
  return { host: request.host, url: `${request.protocol}://${request.host}` };
}

function allowedMethods(routes: readonly Route[], url: string): string[] {
  const path = url.split('?', 1)[0] as string;
  const matching = routes.filter(({ declaration }) => templatePattern(declaration.path).test(path));
  const methods = new Set(matching.map(({ declaration }) => declaration.method as string));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function templatePattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`);
}

/** Unique across restarts and nodes, cheap enough for every request. */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
