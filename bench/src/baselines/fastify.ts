import { fastify } from 'fastify';

/** A path and the response of the real server. */
export interface RecordedResponse {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/*
 * The bare framework: the same responses, without authentication. Of the variants tried (sending the string, sending a
 * buffer, returning the string, also from an async handler, sending or returning the object with and without a response
 * schema, a serializer that returns the string, writing to the raw response) sending the string
 * takes the least processor time, within measurement error.
 */
const [, , port, responses] = process.argv;
const app = fastify({ logger: false });
for (const { path, contentType, body } of JSON.parse(responses ?? '[]') as RecordedResponse[]) {
  app.get(path, (_, reply) => {
    reply.header('content-type', contentType).send(body);
  });
}
await app.listen({ host: '127.0.0.1', port: Number(port) });
