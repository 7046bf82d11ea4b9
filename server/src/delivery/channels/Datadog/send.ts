import type { DataOf } from '../../../integrations/declaration.ts';
import type { Channel, External, Sending } from '../../channel.ts';
import { credential } from '../../credential.ts';
import { postJson } from '../../post-json.ts';
import { jsonIn } from '../../reason.ts';
import datadogBody, { formatOf } from './message.ts';
import type declaration from './type.ts';

type Data = DataOf<typeof declaration>;

const channel: Channel = {
  async send(sending: Sending<Data>) {
    const { message, data } = sending;
    const key = credential('apiKey', data.apiKey);
    const { text } = await postJson(sending, {
      to: 'Datadog',
      url: intakeOf(data),
      headers: { 'dd-api-key': key },
      body: datadogBody(message, data),
    });
    return externalIn(text);
  },
};

function intakeOf(data: Data): string {
  const site = `datadoghq.${data.datadogSite ?? 'com'}`;
  return formatOf(data) === 'Events Summary'
    ? `https://api.${site}/api/v1/events`
    : `https://http-intake.logs.${site}/api/v2/logs`;
}

/** Replies to events contain a URL, those to logs do not. */
function externalIn(text: string): External | undefined {
  const reply = jsonIn(text) as
    | { event?: { id_str?: unknown; id?: unknown; url?: unknown } }
    | null
    | undefined;
  const { id_str, id, url } = reply?.event ?? {};
  return typeof url === 'string' ? { id: String(id_str ?? id ?? ''), link: url } : undefined;
}

export default channel;
