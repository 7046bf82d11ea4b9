import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { complaintAbout, deepestJson, exceededLimit } from '../platform/json-structure.ts';
import { withTextForLargeIntegers } from '../platform/large-integers.ts';
import { LargeBodies } from './large-bodies.ts';

/** An escaped NUL, but not an escaped backslash that happens to stand before `u0000`. */
const nulCharacter = /(?:^|[^\\])(?:\\\\)*\\u0000/;

/** More than any client sends; a body of a megabyte could hold half a million values, which take half a second to parse. */
const limits = { depth: deepestJson, values: 50_000 };

type Done = (error: Error | null, body?: unknown) => void;

/** How bodies are read: JSON or nothing. A JSON content type with an empty body is no body (clients send that). */
export function registerBodyParsers(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore');
  const bodies = new LargeBodies();
  const read = (request: FastifyRequest, text: string, done: Done) => {
    const limit = exceededLimit(text, limits);
    if (limit) return done(new Refusal('INVALID_INPUT', `The body ${complaintAbout(limit, limits)}.`));
    const { exactNumbers } = request.routeOptions.config.operation?.route.declaration ?? {};
    parse(request, exactNumbers ? withTextForLargeIntegers(text) : text, (error, body) => {
      if (error)
        return done(new Refusal('MALFORMED_BODY', `The body is not valid JSON: ${reasonOf(error)}.`));
      // PostgreSQL can not store it, and no name or text needs it.
      if (nulCharacter.test(text))
        return done(new Refusal('INVALID_INPUT', 'The body must not hold the character \\u0000.'));
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
          `Content-Encoding '${encoding}' is not accepted: send the body as it is.`,
        ),
      );
    }
    bodies.inTurn(text.length, () => read(request, text as string, done));
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done: Done) => {
    if (bytes.length === 0 || isDiscarded(request)) return done(null, undefined);
    const type = request.headers['content-type'];
    const given = type ? `Content-Type '${type.slice(0, 100)}' is not accepted` : 'Content-Type is missing';
    done(
      new Refusal('UNSUPPORTED_CONTENT', `${given}: send a JSON body with Content-Type: application/json.`),
    );
  });
}

function isDiscarded(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.route.declaration.body === 'discarded';
}

/** The parser's words without the excerpt of the body that newer engines add: it may hold a secret. */
function reasonOf(error: Error): string {
  const position = /position (\d+)/.exec(error.message);
  if (position) return `it breaks off at character ${position[1]}`;
  return /end of JSON/.test(error.message) ? 'it ends too early' : 'it can not be parsed';
}
