import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { describeFault, jsonFault } from '../platform/json-fault.ts';
import { complaintAbout, deepestJson, exceededLimit } from '../platform/json-structure.ts';
import { withTextForLargeIntegers } from '../platform/large-integers.ts';
import { quoted } from '../platform/quoted.ts';
import { ParseQueue } from './parse-queue.ts';

/** An escaped NUL, but not an escaped backslash that happens to stand before `u0000`. */
const nulCharacter = /(?:^|[^\\])(?:\\\\)*\\u0000/;

/** More than any client sends; a body of a megabyte could hold half a million values, which take half a second to parse. */
const limits = { depth: deepestJson, values: 50_000 };

type Done = (error: Error | null, body?: unknown) => void;

/** How bodies are read: JSON or nothing. A JSON content type with an empty body is no body (clients send that). */
export function registerBodyParsers(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore');
  const bodies = new ParseQueue();
  const read = (request: FastifyRequest, text: string, done: Done) => {
    const limit = exceededLimit(text, limits);
    if (limit) return done(new Refusal('INVALID_INPUT', `The body ${complaintAbout(limit, limits)}.`));
    const { exactNumbers } = request.routeOptions.config.operation?.route.declaration ?? {};
    parse(request, exactNumbers ? withTextForLargeIntegers(text) : text, (error, body) => {
      if (error) return done(new Refusal('MALFORMED_BODY', `The body is not valid JSON: ${reasonOf(text)}.`));
      // PostgreSQL can not store it, and no name or string needs it.
      if (nulCharacter.test(text))
        return done(
          new Refusal('INVALID_INPUT', 'The body must not contain the character \\u0000: remove it.'),
        );
      done(null, body);
    });
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done: Done) => {
    if (text === '' || isDiscarded(request)) return done(null, undefined);
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity') {
      return done(
        new Refusal(
          'UNSUPPORTED_CONTENT',
          `Content-Encoding ${quoted(encoding)} is not supported: send the body uncompressed.`,
        ),
      );
    }
    bodies.inTurn(text.length, () => read(request, text as string, done));
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done: Done) => {
    if (bytes.length === 0 || isDiscarded(request)) return done(null, undefined);
    const type = request.headers['content-type'];
    const given = type ? `Content-Type ${quoted(type)} is not supported` : 'Content-Type is missing';
    done(
      new Refusal('UNSUPPORTED_CONTENT', `${given}: send a JSON body with Content-Type: application/json.`),
    );
  });
}

function isDiscarded(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.route.declaration.body === 'discarded';
}

/** Without an excerpt, which may hold a secret. What is JSON was refused for a name that could change how objects behave. */
function reasonOf(text: string): string {
  const fault = jsonFault(text);
  return fault ? describeFault(fault) : 'no member may be named __proto__ or constructor';
}
