import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { describeFault, jsonFault } from '../platform/json-fault.ts';
import { deepestJson, exceededLimit, limitProblem } from '../platform/json-structure.ts';
import { withLargeIntegersAsStrings } from '../platform/large-integers.ts';
import { quoted } from '../platform/quoted.ts';
import { ParseQueue } from './parse-queue.ts';

/** An escaped NUL, but not an escaped backslash followed by `u0000`. */
const nulCharacter = /(?:^|[^\\])(?:\\\\)*\\u0000/;

/** Above what clients send; a body of 1 MB could contain half a million values and take half a second to parse. */
const limits = { depth: deepestJson, values: 50_000 };

type Done = (error: Error | null, body?: unknown) => void;

/** Accepts JSON bodies only. An empty body with a JSON content type, which some clients send, counts as no body. */
export function registerBodyParsers(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore');
  const parseQueue = new ParseQueue();
  const read = (request: FastifyRequest, json: string, done: Done) => {
    const limit = exceededLimit(json, limits);
    if (limit) return done(new Refusal('INVALID_INPUT', `The body ${limitProblem(limit, limits)}.`));
    const { exactNumbers } = request.routeOptions.config.operation?.route.declaration ?? {};
    parse(request, exactNumbers ? withLargeIntegersAsStrings(json) : json, (error, body) => {
      if (error) return done(new Refusal('MALFORMED_BODY', `The body is not valid JSON: ${reasonOf(json)}.`));
      // PostgreSQL cannot store NUL in a string.
      if (nulCharacter.test(json))
        return done(
          new Refusal('INVALID_INPUT', 'The body must not contain the character \\u0000: remove it.'),
        );
      done(null, body);
    });
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, json, done: Done) => {
    if (json === '' || isDiscarded(request)) return done(null, undefined);
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity') {
      return done(
        new Refusal(
          'UNSUPPORTED_CONTENT',
          `Content-Encoding ${quoted(encoding)} is not supported: send the body uncompressed.`,
        ),
      );
    }
    parseQueue.run(json.length, () => read(request, json as string, done));
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done: Done) => {
    if (bytes.length === 0 || isDiscarded(request)) return done(null, undefined);
    const type = request.headers['content-type'];
    const problem = type ? `Content-Type ${quoted(type)} is not supported` : 'Content-Type is missing';
    done(
      new Refusal('UNSUPPORTED_CONTENT', `${problem}: send a JSON body with Content-Type: application/json.`),
    );
  });
}

function isDiscarded(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.route.declaration.body === 'discarded';
}

/** Without an excerpt, which may contain a secret. Valid JSON was rejected for a member that could pollute prototypes. */
function reasonOf(json: string): string {
  const fault = jsonFault(json);
  return fault ? describeFault(fault) : 'no member may be named __proto__ or constructor';
}
