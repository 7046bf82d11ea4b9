import type { Fields } from '../../search/dataset.ts';
import type { TelemetryDataset } from '../dataset.ts';

/** A dataset for tests with a member of every type, and below `key` an inner member of every type. */
export const sample: TelemetryDataset = {
  path: 'Samples',
  description: 'Samples.',
  members: {
    id: { type: 'integer', description: 'Which one.' },
    startTime: { type: 'time', description: 'When.' },
    text: { type: 'string', description: 'Text.', optional: true },
    count: { type: 'integer', description: 'An integer.', optional: true },
    size: { type: 'number', description: 'A number.', optional: true },
    isOpen: { type: 'boolean', description: 'True or false.', optional: true },
    key: {
      type: 'json',
      description: 'An object.',
      optional: true,
      inner: {
        text: { type: 'string', description: 'Text.' },
        count: { type: 'integer', description: 'An integer.' },
        size: { type: 'number', description: 'A number.' },
        isOpen: { type: 'boolean', description: 'True or false.' },
        time: { type: 'time', description: 'A moment.' },
        list: { type: 'json', description: 'A list.' },
        'deep."a.b"': { type: 'string', description: 'Text further below.' },
      },
    },
  },
  range: { by: 'start' },
  identity: ['id'],
  datasources: [],
};

/** `other` is not declared, as members are that were seen at ingest. */
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
