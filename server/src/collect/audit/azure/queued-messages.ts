import { xmlElement } from '../../../outbound/aws/xml.ts';
import type { QueueMessage } from '../source.ts';

/** The messages of a storage queue, in the XML of its service. */
export function queuedMessages(xml: string): QueueMessage[] {
  return xml
    .split('<QueueMessage>')
    .slice(1)
    .map((message) => ({
      id: xmlElement(message, 'MessageId') ?? '',
      receipt: xmlElement(message, 'PopReceipt') ?? '',
      body: decoded(xmlElement(message, 'MessageText') ?? ''),
    }));
}

/** Event Grid encodes notices with base64; other senders may not. */
function decoded(text: string): string {
  return /^[\w+/=\s]+$/.test(text) ? Buffer.from(text, 'base64').toString() : text;
}
