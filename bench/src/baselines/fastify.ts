import { fastify } from 'fastify';

/** One path and the answer of the real server to it. */
export interface Answer {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/*
 * The bare framework: the same answers, nobody asked who they are. Of what was tried (sending the string, sending a
 * buffer, returning the string, from an async handler too, sending or returning the object with and without a response
 * schema, a serializer that returns the string, writing past the framework to the raw response) sending the string
 * takes the least time of the processor, or no measurable time more than the least.
 */
const [, , port, answers] = process.argv;
const app = fastify({ logger: false });
for (const { path, contentType, body } of JSON.parse(answers ?? '[]') as Answer[]) {
  app.get(path, (_, reply) => {
    reply.header('content-type', contentType).send(body);
  });
}
await app.listen({ host: '127.0.0.1', port: Number(port) });
