import type { Channel } from '../../channel.ts';
import s3Object from './message.ts';

interface Data {
  readonly s3CrossAccountCredentials: {
    readonly roleArn: string;
    readonly externalId: string;
    readonly bucketArn: string;
  };
}

const channel: Channel = {
  followsClosing: true,
  async send({ message, data, transports }) {
    const { bucketArn, ...role } = (data as unknown as Data).s3CrossAccountCredentials;
    const { key, content } = s3Object(message);
    await transports.s3.put(
      { bucketArn, key, body: `${JSON.stringify(content)}\n`, contentType: 'application/json' },
      role,
    );
    return undefined;
  },
};

export default channel;
