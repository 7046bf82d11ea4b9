import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Pub/Sub',
  prefix: 'pubsub',
  group: 'data',
  types: [
    'Snapshot',
    // The documentation of push subscriptions advises a token in the address.
    { type: 'Subscription', redact: [{ path: 'pushConfig.pushEndpoint', isAddress: true }] },
    'Topic',
  ],
});
