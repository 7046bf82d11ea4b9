import type { Channel } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import webhookBody from './message.ts';

const channel: Channel = {
  followsClosing: true,
  async send(sending) {
    const { webhookUrl } = sending.data as { webhookUrl: string };
    await postJson(sending, { to: 'The webhook', url: webhookUrl, body: webhookBody(sending.message) });
    return undefined;
  },
};

export default channel;
