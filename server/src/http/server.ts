import type { Socket } from 'node:net';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { causeOf } from '../control/store-failure.ts';
import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scope.ts';
import { addressMatcher } from '../platform/client-address.ts';
import { Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { ClientDisconnected, clientClosedRequest, isClientDisconnect } from './client-disconnect.ts';
import { CompressionSlots } from './compression-slots.ts';
import { Connections } from './connections.ts';
import { discardRest } from './discarded-body.ts';
import { DocumentFile, sendFile } from './document-file.ts';
import { errorBody, refusalOf } from './error-reply.ts';
import type { Gate } from './gate.ts';
import { registerBodyParsers } from './json-body.ts';
import {
  bodyLimit,
  type ConnectionLimits,
  defaultConnectionLimits,
  defaultTimeLimits,
  headerLimit,
  type TimeLimits,
} from './limits.ts';
import { MalformedRequests } from './malformed-request.ts';
import type { HttpMetrics } from './metrics.ts';
import { createNodeServer } from './node-server.ts';
import { Operation } from './operation.ts';
import { type Pages, pageFor, sendPage } from './pages.ts';
import { perform } from './perform.ts';
import { registerRecordsParser } from './records-body.ts';
import { JsonChunks } from './reply.ts';
import { requestIds } from './request-ids.ts';
import { ResponseHeaders } from './response-headers.ts';
import type { AnyOutput, Route } from './route.ts';
import { send, sendChunks, sendShared } from './send-response.ts';
import { SharedBody } from './shared-body.ts';
import { unmatchedRequest } from './unmatched-request.ts';
import { UnsentResponses } from './unsent-responses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    agentScope: Scope | undefined;
    /** Set when the limit of the address is exceeded: the request fails unless its credential is valid. */
    exhausted: Refusal | undefined;
    startedAt: number;
  }
}

export interface ServerDeps {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly publicUrl: URL | undefined;
  readonly trustedProxies: readonly string[];
  readonly tls: { cert: string; key: string } | undefined;
  readonly timeLimits?: TimeLimits;
  readonly connectionLimits?: ConnectionLimits;
  /** Answers browsers where no route matches. */
  readonly pages?: Pages;
}

/** The HTTP server: every route shares authentication, rate limits, validation and error format. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { routes, log, gate, metrics, tls, timeLimits = defaultTimeLimits } = deps;
  const newRequestId = requestIds();
  const responseHeaders = new ResponseHeaders(tls !== undefined || deps.publicUrl?.protocol === 'https:');
  const isTrustedProxy = addressMatcher(deps.trustedProxies);
  const limits = deps.connectionLimits ?? defaultConnectionLimits;
  const connections = new Connections({ limits, timeLimits, isTrustedProxy, counts: metrics.connections });
  const responseDeps = {
    responseHeaders,
    unsent: new UnsentResponses(),
    compressions: new CompressionSlots(),
  };

  /** Runs for every request before its body is read. */
  const receive = (operation: Operation | undefined): onRequestHookHandler => {
    const forAgents = operation?.route.declaration.access === 'agent' ? operation : undefined;
    return (request, reply, done) => {
      request.startedAt = performance.now();
      const accept = (caller: Caller | undefined) => {
        request.caller = caller;
        done(malformation(request, reply));
      };
      try {
        if (forAgents) {
          const acceptAgent = (scope: Scope) => {
            request.agentScope = scope;
            accept(undefined);
          };
          gate.admitAgent(request, forAgents).then(acceptAgent, done);
          return;
        }
        const admitted = gate.admit(request, operation);
        if (admitted instanceof Promise) admitted.then(accept, done);
        else accept(admitted);
      } catch (error) {
        done(error as Error);
      }
    };
  };
  const count = (request: FastifyRequest, status: number, operation: Operation | undefined) => {
    const milliseconds = performance.now() - request.startedAt;
    (operation?.counters ?? metrics.unknownPath).observe(status, milliseconds / 1000);
    if (!log.isLevelEnabled('debug')) return;
    log.debug(
      { requestId: request.id, method: request.method, route: nameOf(operation), status, milliseconds },
      'request',
    );
  };
  /** Counts and logs an error; returns undefined if the client disconnected. */
  const record = (request: FastifyRequest, error: unknown): Refusal | undefined => {
    const operation = request.routeOptions.config?.operation;
    if (isClientDisconnect(error, request.raw)) {
      count(request, clientClosedRequest, operation);
      return undefined;
    }
    const own = refusalOf(error);
    const refusal = own.status < 500 ? (request.exhausted ?? own) : own;
    logRefusal(log, { requestId: request.id, route: nameOf(operation), code: refusal.code }, refusal, error);
    count(request, refusal.status, operation);
    return refusal;
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = record(request, error);
    if (!refusal) return reply.status(clientClosedRequest).send();
    const isFromAgent = takesRecords(request.routeOptions.config?.operation?.route);
    // Agents wait and retry. Elsewhere, one client would sleep for that long and retry up to three times.
    const retryAfter = refusal.retryAfter ?? (isFromAgent && refusal.code === 'UNAVAILABLE' ? 5 : undefined);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return responseHeaders
      .set(reply)
      .status(refusal.status)
      .send(JSON.stringify(errorBody(refusal, request.id)));
  };
  const respond = (request: FastifyRequest, reply: FastifyReply, operation: Operation, output: AnyOutput) => {
    const done = () => count(request, output.status, operation);
    const { body } = output;
    if (body instanceof JsonChunks || body instanceof DocumentFile) {
      const sent =
        body instanceof JsonChunks
          ? sendChunks(reply, operation, { ...output, body }, responseDeps)
          : sendFile(reply, output.status, body, responseHeaders);
      sent.then(done, (error: unknown) => void record(request, error));
      return;
    }
    if (reply.raw.destroyed) return void record(request, new ClientDisconnected());
    if (body instanceof SharedBody) {
      sendShared(reply, operation, output, { body, responseHeaders }).then(
        (status) => count(request, status, operation),
        (error: unknown) => reply.send(error),
      );
      return;
    }
    try {
      send(reply, operation, output, responseDeps);
      done();
    } catch (error) {
      reply.send(error);
    }
  };
  const receiveUnknown = receive(undefined);
  const malformedRequests = new MalformedRequests({
    ...{ gate, connections, routes, responseHeaders, newRequestId },
    timeLimit: timeLimits.unread,
  });

  const app = fastify({
    logger: false,
    bodyLimit,
    trustProxy: deps.trustedProxies.length > 0 ? isTrustedProxy : false,
    serverFactory: (handle) => {
      const server = createNodeServer(handle, { tls, timeLimits, connections });
      return server.on(
        'connect',
        (request, socket: Socket) => void malformedRequests.answerConnect(request, socket),
      );
    },
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    // The maximum of a request line: longer parameters fail the route's validation, and the URL is never logged.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headerLimit },
    // A path that cannot be decoded bypasses the hooks, so the onRequest hook is called here.
    frameworkErrors: (error, request, reply) => {
      const typedReply = reply as unknown as FastifyReply;
      receiveUnknown.call(
        app,
        request,
        typedReply,
        (refusal) => void refuse(request, typedReply, refusal ?? error),
      );
    },
    clientErrorHandler: (error, socket) => void malformedRequests.answer(error, socket),
  });
  app.addHook('preClose', async () => connections.stop());
  registerBodyParsers(app);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('agentScope', undefined);
  app.decorateRequest('exhausted', undefined);
  app.decorateRequest('rate', undefined);
  app.decorateRequest('successor', undefined);
  app.decorateRequest('cookie', undefined);
  app.decorateRequest('startedAt', 0);
  app.setErrorHandler((error, request, reply) => {
    if (refusalOf(error).code !== 'BODY_TOO_LARGE') return refuse(request, reply, error);
    return discardRest(request.raw).then(() => refuse(request, reply, error));
  });
  // In its own scope, because of its hook: unmatched requests are rejected before their body is read.
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const page = pageFor(deps.pages, request);
      if (page) {
        request.startedAt = performance.now();
        const refusal = malformation(request, reply);
        if (refusal) return done(refusal);
        sendPage(reply, page, responseHeaders);
        metrics.pages.observe(page.status, (performance.now() - request.startedAt) / 1000);
        return;
      }
      receiveUnknown.call(app, request, reply, (refusal) => {
        const { refusal: missing, allow } = unmatchedRequest(routes, request.method, request.url);
        if (!refusal && allow !== undefined) reply.header('allow', allow);
        done(refusal ?? missing);
      });
    });
    scope.setNotFoundHandler(() => {});
  });
  const add = (scope: FastifyInstance, route: Route) => {
    const { method, path } = route.declaration;
    const operation = new Operation(route, metrics.counters(method, path));
    scope.route({
      method,
      url: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      config: { operation },
      onRequest: receive(operation),
      // Not an async function, which would allocate another promise for every request.
      handler: (request, reply) => {
        perform(operation, request, reply, deps).then(
          (output) => respond(request, reply, operation, output),
          (error: unknown) => reply.send(error),
        );
      },
    });
  };
  for (const route of routes.filter((candidate) => !takesRecords(candidate))) add(app, route);
  app.register(async (scope) => {
    registerRecordsParser(scope);
    for (const route of routes.filter(takesRecords)) add(scope, route);
  });
  return app;
}

function takesRecords(route: Route | undefined): boolean {
  return route?.declaration.body === 'records';
}

/** Rejects requests with an ambiguous Host header, or with NUL characters, which the store rejects. */
function malformation({ raw, url }: FastifyRequest, reply: FastifyReply): Refusal | undefined {
  const hosts = hostHeaders(raw.rawHeaders);
  if (hosts === 1 && !url.includes('%00')) return undefined;
  if (url.includes('%00'))
    return new Refusal('MALFORMED_REQUEST', 'The path and the query must not contain %00: remove it.');
  if (hosts === 0 && raw.httpVersion === '1.0') return undefined;
  // Request smuggling: a proxy that uses the other Host header may have sent another client's request.
  reply.header('connection', 'close');
  return new Refusal('MALFORMED_REQUEST', `The request has ${hosts} Host headers: send exactly one.`);
}

function hostHeaders(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function logRefusal(log: Log, context: object, { status }: Refusal, cause: unknown): void {
  if (cause instanceof Refusal && status >= 500) {
    // Thrown deliberately, for example to ask for a retry: no stack trace is needed.
    const inner = cause.cause === undefined ? {} : { cause: causeOf(cause) };
    log.warn({ ...context, reason: cause.message, ...inner }, 'request refused');
  } else if (status >= 500) {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    log.error({ ...context, error }, 'request failed');
  } else {
    log.debug(context, 'request refused');
  }
}

/** Logs and metrics contain route templates, never raw URLs. */
function nameOf(operation: Operation | undefined): string {
  return operation?.route.declaration.path ?? 'unknown path';
}
