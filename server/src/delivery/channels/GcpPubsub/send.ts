import type { GoogleServiceAccount } from '../../../outbound/google/service-account.ts';
import { type Channel, DeliveryError, type Sending } from '../../channel.ts';
import { postJson } from '../../post-json.ts';
import pubsubMessages from './message.ts';

const scope = 'https://www.googleapis.com/auth/pubsub';

const channel: Channel = {
  followsClosing: true,
  async send(sending) {
    try {
      await publish(sending);
    } catch (error) {
      // A token may be revoked before it expires.
      if (!(error instanceof DeliveryError) || error.status !== 401) throw error;
      sending.transports.google.forget(accountIn(sending), scope);
      await publish(sending);
    }
    return undefined;
  },
};

async function publish(sending: Sending): Promise<void> {
  const { message, data, transports } = sending;
  const token = await transports.google.get(accountIn(sending), scope);
  const [project, topic] = [data.projectId, data.topicId].map((part) => encodeURIComponent(String(part)));
  const messages = pubsubMessages(message, data).map(({ data: content, attributes }) => ({
    data: Buffer.from(JSON.stringify(content)).toString('base64'),
    attributes,
  }));
  await postJson(sending, {
    to: 'Pub/Sub',
    url: `https://pubsub.googleapis.com/v1/projects/${project}/topics/${topic}:publish`,
    headers: { authorization: `Bearer ${token}` },
    body: { messages },
  });
}

function accountIn({ data }: Sending): GoogleServiceAccount {
  return data.credentials as GoogleServiceAccount;
}

export default channel;
