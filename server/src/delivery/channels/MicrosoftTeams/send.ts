import type { DataOf } from '../../../integrations/declaration.ts';
import { type Channel, DeliveryError, type Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import { isTransient } from '../../reply.ts';
import teamsMessage from './message.ts';
import type declaration from './type.ts';

/**
 * Workflows reply 202 without a body. Connectors reply 200 even if Teams rejects the message, with the error in the
 * body.
 */
const channel: Channel = {
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data } = sending;
    const { text } = await postJson(sending, {
      to: 'Teams',
      url: data.teamsUrl,
      body: teamsMessage(message),
    });
    const [, errorStatus] = /returned HTTP error (\d{3})/.exec(text) ?? [];
    if (errorStatus === undefined) return undefined;
    const status = Number(errorStatus);
    throw new DeliveryError(`Teams rejected the message of its connector: HTTP error ${status}.`, {
      status,
      isFinal: !isTransient(status),
    });
  },
};

export default channel;
