import type { DataOf } from '../../../integrations/declaration.ts';
import type { Channel, Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import webexMessage from './message.ts';
import type declaration from './type.ts';

const channel: Channel = {
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data } = sending;
    await postJson(sending, { to: 'Webex', url: data.webhook, body: webexMessage(message) });
    return undefined;
  },
};

export default channel;
