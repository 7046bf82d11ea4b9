import type { DataOf } from '../../../integrations/declaration.ts';
import type { Channel, Sending } from '../../channel.ts';
import { credential } from '../../credential.ts';
import { postJson } from '../../post-json.ts';
import { serviceAddress } from '../../service-address.ts';
import splunkEvent from './message.ts';
import type declaration from './type.ts';

const channel: Channel = {
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data } = sending;
    const token = credential('hecToken', data.hecToken);
    const url = serviceAddress({
      member: 'host',
      host: data.host,
      scheme: data.ssl ? 'https' : 'http',
      port: data.port,
      standardPort: 8_088,
      path: '/services/collector/event',
    });
    const headers = {
      authorization: `Splunk ${token}`,
      ...(data.channel && { 'x-splunk-request-channel': credential('channel', data.channel) }),
    };
    await postJson(sending, {
      to: 'Splunk',
      url,
      headers,
      body: splunkEvent(message, data),
    });
    return undefined;
  },
};

export default channel;
