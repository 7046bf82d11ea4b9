import type { TelemetryDataset } from '../dataset.ts';
import { evidence, window } from '../members.ts';

export const events: TelemetryDataset = {
  path: 'Events',
  description: 'The evidence of alerts.',
  members: {
    id: { type: 'integer', description: 'Number of the alert that it belongs to.' },
    ...window,
    eventType: { type: 'string', description: 'Type of the event, as in the alert.' },
    srcType: { type: 'string', description: 'Kind of the source: AwsResource.' },
    srcEvent: { type: 'json', description: 'Properties of the source.', inner: evidence },
    dstType: { type: 'string', description: 'Kind of the destination.', optional: true },
    dstEvent: {
      type: 'json',
      description: 'Properties of the destination.',
      optional: true,
      inner: evidence,
    },
    eventCount: { type: 'integer', description: 'How many records have this id.' },
  },
  range: { by: 'start' },
  identity: ['id'],
  search: { isPaged: true },
  datasources: [],
};
