import type { DataOf } from '../../../integrations/declaration.ts';
import type { Channel, Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import { serviceAddress } from '../../service-address.ts';
import qradarEvent from './message.ts';
import type declaration from './type.ts';

const channel: Channel = {
  async send(sending: Sending<DataOf<typeof declaration>>) {
    const { message, data } = sending;
    const url = serviceAddress({
      member: 'qradarHostUrl',
      host: data.qradarHostUrl,
      scheme: 'https',
      port: data.qradarHostPort ?? 0,
      standardPort: 12_469,
      path: '/',
    });
    const acceptsAnyCertificate = data.qradarCommType === 'HTTPS Self Signed Cert';
    await postJson(sending, { to: 'QRadar', url, body: qradarEvent(message), acceptsAnyCertificate });
    return undefined;
  },
};

export default channel;
