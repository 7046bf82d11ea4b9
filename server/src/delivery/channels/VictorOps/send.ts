import type { DataOf } from '../../../integrations/declaration.ts';
import { alertKey } from '../../alert-key.ts';
import { type Channel, DeliveryError, type Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import { jsonIn } from '../../reason.ts';
import { replyMessage } from '../../reply.ts';
import onCallMessage from './message.ts';
import type declaration from './type.ts';

const to = 'Splunk On-Call';

/** The body of the reply reports failures, whatever the status. */
const channel: Channel = {
  followsClosing: true,
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data, earlier } = sending;
    const key = earlier?.id ?? alertKey(message);
    const url = data.intgUrl;
    const reply = await postJson(sending, { to, url, body: onCallMessage(message, data, key) });
    const answer = jsonIn(reply.text) as { result?: unknown } | undefined | null;
    if (answer?.result === 'failure') throw new DeliveryError(replyMessage(to, reply), { isFinal: true });
    return { id: key, link: '' };
  },
};

export default channel;
