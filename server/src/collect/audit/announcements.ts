import { LogFault } from './formats/log-fault.ts';
import type { Announcement, LogObject, QueueMessage } from './source.ts';

/** One announcement for each message; a message in another form is passed to `refuse`. */
export function announcementsIn(
  messages: readonly QueueMessage[],
  refuse: (message: QueueMessage, reason: string) => void,
  objectsIn: (body: string) => readonly LogObject[],
): Announcement[] {
  return messages.flatMap((message) => {
    try {
      return [{ messages: [message], objects: objectsIn(message.body) }];
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      refuse(message, error.message);
      return [];
    }
  });
}
