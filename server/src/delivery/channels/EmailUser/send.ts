import { type Channel, DeliveryError } from '../../channel.ts';
import alertEmail from './message.ts';

interface Data {
  readonly channelProps: { readonly recipients: readonly string[] };
}

const addressPattern = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;

const channel: Channel = {
  async send({ message, data, transports }) {
    const { recipients } = (data as unknown as Data).channelProps;
    if (!transports.mail)
      throw new DeliveryError(
        'The service has no mail server: its operator must set VEDETTE_SMTP_URL and VEDETTE_MAIL_FROM.',
        { isFinal: true },
      );
    const to = recipients.map((recipient) => recipient.trim());
    const invalid = to.find((address) => !addressPattern.test(address));
    if (invalid !== undefined)
      throw new DeliveryError(
        `data.channelProps.recipients contains '${invalid}', which is not an e-mail address: correct it.`,
        {
          isFinal: true,
        },
      );
    const refused = await transports.mail.send({ id: message.deliveryId, to, ...alertEmail(message) });
    if (refused.length === 0) return undefined;
    const remark = `The mail server refused these recipients: ${refused.slice(0, 10).join(', ')}.`;
    if (message.occasion === 'test') throw new DeliveryError(remark, { isFinal: true });
    // A retry would send the message to the other recipients again.
    return { id: '', link: '', remark };
  },
};

export default channel;
