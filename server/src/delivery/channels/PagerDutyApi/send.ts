import type { DataOf } from '../../../integrations/declaration.ts';
import { alertKey } from '../../alert-key.ts';
import type { Channel, Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import pagerDutyEvent, { resolveEvent } from './message.ts';
import type declaration from './type.ts';

const url = 'https://events.pagerduty.com/v2/enqueue';

/** The incident of a test message is resolved immediately. */
const channel: Channel = {
  followsClosing: true,
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data, earlier } = sending;
    const key = earlier?.id ?? alertKey(message);
    await postJson(sending, { to: 'PagerDuty', url, body: pagerDutyEvent(message, data, key) });
    if (message.occasion === 'test')
      await postJson(sending, { to: 'PagerDuty', url, body: resolveEvent(data, key) });
    return { id: key, link: '' };
  },
};

export default channel;
