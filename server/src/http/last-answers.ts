import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a server that stops come to its end. An answer in progress is the last one on its connection, which would
 * otherwise stay open for the next request; connections on which nobody asked anything yet are closed, because Node
 * does not count them as idle and no longer watches their time limits.
 */
export function closeAfterLastAnswers(app: FastifyInstance): void {
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  const closeIfDone = () => {
    if (stopping && underWay.size === 0) app.server.closeAllConnections();
  };
  app.server.on('connection', (socket) => {
    if (stopping) socket.destroy();
  });
  app.server.on('request', (_, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      closeIfDone();
    });
  });
  app.addHook('preClose', async () => {
    stopping = true;
    for (const response of underWay) response.shouldKeepAlive = false;
    closeIfDone();
  });
}
