import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { allowedMethods } from './allowed-methods.ts';
import { answerBroken } from './broken-request.ts';
import { clientLeftStatus, isClientLeft } from './client-left.ts';
import { errorBody, refusalOf } from './error-reply.ts';
import type { Gate } from './gate.ts';
import { registerBodyParsers } from './json-body.ts';
import { closeAfterLastAnswers } from './last-answers.ts';
import { bodyLimit, headerLimit, nodeLimits, type TimeLimits, usualTimeLimits } from './limits.ts';
import type { HttpMetrics } from './metrics.ts';
import { Operation } from './operation.ts';
import { begun, perform, send } from './perform.ts';
import { registerRecordsParser } from './records-body.ts';
import { JsonPieces } from './reply.ts';
import { requestIds } from './request-ids.ts';
import type { AnyOutput, Route } from './route.ts';
import { stream } from './stream.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    agentScope: Scope | undefined;
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
  const receive = (operation: Operation | undefined): onRequestHookHandler => {
    const forAgents = operation?.route.declaration.access === 'agent' ? operation : undefined;
    return (request, reply, done) => {
      request.startedAt = performance.now();
      reply.header('x-request-id', request.id);
      const accept = (caller: Caller | undefined) => {
        request.caller = caller;
        done(request.url.includes('%00') ? nulInUrl() : undefined);
      };
      try {
        if (forAgents) {
          const acceptAgent = (scope: Scope) => {
            request.agentScope = scope;
            accept(undefined);
          };
          gate.admitAgent(request, reply, forAgents).then(acceptAgent, done);
          return;
        }
        const admitted = gate.admit(request, reply, operation);
        if (admitted instanceof Promise) admitted.then(accept, done);
        else accept(admitted);
      } catch (error) {
        done(error as Error);
      }
    };
  };
  const count = (request: FastifyRequest, status: number, operation: Operation | undefined) => {
    const milliseconds = performance.now() - request.startedAt;
    (operation?.tally ?? metrics.unknownPath).observe(status, milliseconds / 1000);
    if (!log.isLevelEnabled('debug')) return;
    log.debug(
      { requestId: request.id, method: request.method, route: nameOf(operation), status, milliseconds },
      'request',
    );
  };
  /** Counts and logs a failure; undefined when it is none, for the client left. */
  const record = (request: FastifyRequest, error: unknown): Refusal | undefined => {
    const operation = request.routeOptions.config?.operation;
    if (isClientLeft(error, request.raw)) {
      count(request, clientLeftStatus, operation);
      return undefined;
    }
    const refusal = refusalOf(error);
    logRefusal(log, { requestId: request.id, route: nameOf(operation), code: refusal.code }, refusal, error);
    count(request, refusal.status, operation);
    return refusal;
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = record(request, error);
    if (!refusal) return reply.status(clientLeftStatus).send();
    const isFromAgent = takesRecords(request.routeOptions.config?.operation?.route);
    // Agents wait and send again; one client of the other operations would sleep on it and ask up to three times more.
    const pause = refusal.retryAfter ?? (isFromAgent && refusal.code === 'UNAVAILABLE' ? 5 : undefined);
    if (pause !== undefined) reply.header('retry-after', pause);
    return reply
      .status(refusal.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal, request.id)));
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, operation: Operation, output: AnyOutput) => {
    const done = () => count(request, output.status, operation);
    if (output.body instanceof JsonPieces) {
      stream(begun(reply, output), output.body).then(done, (error: unknown) => void record(request, error));
      return;
    }
    try {
      send(reply, operation, output);
      done();
    } catch (error) {
      reply.send(error);
    }
  };
  const receiveUnknown = receive(undefined);

  const app = fastify({
    logger: false,
    bodyLimit,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.keepAlive,
    connectionTimeout: timeLimits.silence,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    // As long as a request line can be: the route's own check then refuses it, and the address reaches no log.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headerLimit },
    http: nodeLimits(timeLimits),
    ...(parts.tls && { https: { ...parts.tls, ...nodeLimits(timeLimits) } }),
    // A path that can not be decoded passes no hook: what the hook does is done here.
    frameworkErrors: (error, request, reply) => {
      const answer = reply as unknown as FastifyReply;
      receiveUnknown.call(app, request, answer, (refusal) => void refuse(request, answer, refusal ?? error));
    },
    clientErrorHandler: (error, socket) => void answerBroken(error, socket, gate, newRequestId()),
  });
  closeAfterLastAnswers(app);
  registerBodyParsers(app);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('agentScope', undefined);
  app.decorateRequest('startedAt', 0);
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    receiveUnknown.call(app, request, reply, (refusal) => {
      void refuse(request, reply, refusal ?? missing(parts.routes, request, reply));
    });
  });
  const add = (part: FastifyInstance, route: Route) => {
    const { method, path } = route.declaration;
    const operation = new Operation(route, metrics.tally(method, path));
    part.route({
      method,
      url: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      config: { operation },
      onRequest: receive(operation),
      // Not an async function: one promise less for every request.
      handler: (request, reply) => {
        perform(operation, request, reply, parts.publicUrl).then(
          (output) => answer(request, reply, operation, output),
          (error: unknown) => reply.send(error),
        );
      },
    });
  };
  for (const route of parts.routes.filter((candidate) => !takesRecords(candidate))) add(app, route);
  app.register(async (part) => {
    registerRecordsParser(part);
    for (const route of parts.routes.filter(takesRecords)) add(part, route);
  });
  return app;
}

function takesRecords(route: Route | undefined): boolean {
  return route?.declaration.body === 'records';
}

function nulInUrl(): Refusal {
  return new Refusal('MALFORMED_REQUEST', 'The path and the query must not hold %00.');
}

/** Why a path and method lead nowhere: another method would do, or nothing is there. */
function missing(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply): Refusal {
  const allowed = allowedMethods(routes, request.url);
  if (allowed.length === 0) {
    return new Refusal('NOT_FOUND', 'Not found: see GET /api/v2/docs for the paths that exist.');
  }
  reply.header('allow', allowed.join(', '));
  return new Refusal(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not allowed here: use ${allowed.join(' or ')}.`,
  );
}

function logRefusal(log: Log, facts: object, { status }: Refusal, cause: unknown): void {
  if (cause instanceof Refusal && status >= 500) {
    // Said on purpose, to come again later for example: what it says is enough.
    log.warn({ ...facts, reason: cause.message }, 'request refused');
  } else if (status >= 500) {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    log.error({ ...facts, error }, 'request failed');
  } else {
    log.debug(facts, 'request refused');
  }
}

/** Route templates go into logs and metrics, never raw addresses. */
function nameOf(operation: Operation | undefined): string {
  return operation?.route.declaration.path ?? 'unknown path';
}
