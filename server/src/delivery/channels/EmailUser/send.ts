import type { Email } from '../../../outbound/mail/mail.ts';
import { type Channel, DeliveryError, type External, type Sending } from '../../channel.ts';
import alertEmail from './message.ts';
import { reportEmail } from './report.ts';

interface Data {
  readonly channelProps: { readonly recipients: readonly string[] };
}

const addressPattern = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;

const channel: Channel = {
  async send({ message, ...sending }) {
    const refused = await sendTo(sending, { id: message.deliveryId, ...alertEmail(message) });
    if (refused && message.occasion === 'test') throw new DeliveryError(refused, { isFinal: true });
    return externalOf(refused);
  },
  async sendReport({ deliveryId, report, ...sending }) {
    return externalOf(await sendTo(sending, { id: deliveryId, ...reportEmail(report, deliveryId) }));
  },
};

/** Returns which recipients the server refused. */
async function sendTo(
  { data, transports }: Pick<Sending, 'data' | 'transports'>,
  email: Omit<Email, 'to'>,
): Promise<string | undefined> {
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
      { isFinal: true },
    );
  const refused = await transports.mail.send({ ...email, to });
  if (refused.length === 0) return undefined;
  return `The mail server refused these recipients: ${refused.slice(0, 10).join(', ')}.`;
}

/** A remark only: a retry would send the message to the other recipients again. */
function externalOf(remark: string | undefined): External | undefined {
  return remark === undefined ? undefined : { id: '', link: '', remark };
}

export default channel;
