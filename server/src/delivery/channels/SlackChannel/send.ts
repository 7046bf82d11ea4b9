import type { Channel } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import slackBody from './message.ts';

const channel: Channel = {
  async send(sending) {
    const { slackUrl } = sending.data as { slackUrl: string };
    await postJson(sending, { to: 'Slack', url: slackUrl, body: slackBody(sending.message) });
    return undefined;
  },
};

export default channel;
