import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import type { ChannelTest } from '../../delivery/channel-test.ts';
import { integrationFamily } from '../../families/integration-family.ts';
import { integrationRoutes } from '../../families/integration-routes.ts';
import type { Family } from '../../http/family.ts';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import type { IntegrationCatalogue } from '../../integrations/catalogue.ts';
import type { Integrations } from '../../integrations/integrations.ts';

const name = 'AlertChannels';

const testChannel = (family: Family) =>
  defineRoute({
    method: 'POST',
    path: '/api/v2/AlertChannels/{intgGuid}/test',
    family,
    summary: 'Test an alert channel',
    description:
      'Sends a test message and waits until the receiver has accepted it. The result is also recorded in `state`.',
    access: 'write',
    audit: 'Alert Channel Tested',
    org: true,
    params: Type.Object({
      intgGuid: Type.String({ minLength: 1, maxLength: 200, description: 'Identifier (intgGuid).' }),
    }),
    body: 'discarded',
    replies: { 204: empty('The receiver accepted the test message.') },
    refuses: ['NOT_FOUND', 'CHANNEL_FAILED', 'UNAVAILABLE'],
  });

export const alertChannelRoutes = (deps: {
  integrations: Integrations;
  catalogue: IntegrationCatalogue;
  scanner: Scanner;
  channelTest: ChannelTest;
}) => {
  const family = integrationFamily(name, 'Channels that alerts and reports are sent to.', deps.catalogue);
  return [
    ...integrationRoutes({
      ...deps,
      name,
      singular: 'an alert channel',
      plural: 'alert channels',
      title: 'Alert Channel',
      family,
      hasReplacement: true,
    }),
    testChannel(family).handle(async ({ actor, scope, origin, params }) => {
      await deps.channelTest.run(actor, { scope, family: name, url: origin.url }, params.intgGuid);
      return { status: 204 };
    }),
  ];
};
