import type { Dataset } from './dataset.ts';

/** What the tests of the search look through: each type of column once, numbers as both stores may keep them. */
export const sample: Dataset = {
  name: 'Things',
  description: 'Made up for the tests.',
  table: 'things',
  columns: {
    id: { type: 'string', column: 'id', description: 'Unique.' },
    name: { type: 'string', column: 'name', description: 'Text.' },
    size: { type: 'number', column: 'size', description: 'Kept as a floating-point number.' },
    count: { type: 'number', column: 'item_count', description: 'Kept as an integer.' },
    enabled: { type: 'boolean', column: 'enabled', description: 'True or false.' },
    seenTime: { type: 'time', column: 'seen_time', description: 'A moment.' },
    props: { type: 'json', column: 'props', description: 'Anything.' },
  },
  time: 'seenTime',
  key: 'id',
};
