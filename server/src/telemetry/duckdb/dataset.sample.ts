import type { Fields } from '../../search/dataset.ts';
import type { TelemetryDataset } from '../dataset.ts';

/** A dataset for tests with a member of every type, and below `key` an inner member of every type. */
export const sample: TelemetryDataset = {
  path: 'Samples',
  description: 'Samples.',
  members: {
    id: { type: 'integer', description: 'Identifier.' },
    startTime: { type: 'time', description: 'Start time.' },
    text: { type: 'string', description: 'A string.', optional: true },
    count: { type: 'integer', description: 'An integer.', optional: true },
    size: { type: 'number', description: 'A number.', optional: true },
    isOpen: { type: 'boolean', description: 'True or false.', optional: true },
    key: {
      type: 'json',
      description: 'An object.',
      optional: true,
      inner: {
        text: { type: 'string', description: 'A string.' },
        count: { type: 'integer', description: 'An integer.' },
        size: { type: 'number', description: 'A number.' },
        isOpen: { type: 'boolean', description: 'True or false.' },
        time: { type: 'time', description: 'A timestamp.' },
        list: { type: 'json', description: 'An array.' },
        'deep."a.b"': { type: 'string', description: 'A nested string.' },
      },
    },
  },
  range: { by: 'start' },
  identity: ['id'],
  datasources: [],
};

/** `other` is an undeclared member seen at ingest. */
export const sampleFields: Fields = {
  columns: {
    id: { type: 'number' },
    startTime: { type: 'time' },
    text: { type: 'string' },
    count: { type: 'number' },
    size: { type: 'number' },
    isOpen: { type: 'boolean' },
    key: { type: 'json' },
    other: { type: 'json' },
  },
};
