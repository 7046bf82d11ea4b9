import type { DataOf } from '../../../integrations/declaration.ts';
import type { Channel, Sending } from '../../channel.ts';
import { credential } from '../../credential.ts';
import { postJson } from '../../post-json.ts';
import newRelicEvents from './message.ts';
import type declaration from './type.ts';

const channel: Channel = {
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data } = sending;
    const key = credential('insertKey', data.insertKey);
    const url = `https://${hostFor(key)}/v1/accounts/${data.accountId}/events`;
    const headers = { 'api-key': key };
    await postJson(sending, { to: 'New Relic', url, headers, body: newRelicEvents(message) });
    return undefined;
  },
};

/** Keys of accounts in the EU region begin with its name. */
function hostFor(key: string): string {
  return key.startsWith('eu01') ? 'insights-collector.eu01.nr-data.net' : 'insights-collector.newrelic.com';
}

export default channel;
