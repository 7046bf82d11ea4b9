import type { Dataset } from './dataset.ts';

/** What the tests of the search look through: each type of column once, numbers as both stores may keep them. */
export const sample: Dataset = {
  name: 'Things',
  description: 'Made up for the tests.',
  table: 'things',
  columns: {
    id: { type: 'string', column: 'id', description: 'Unique.' },
    name: { type: 'string', column: 'name', description: 'Text.', optional: true },
    size: { type: 'number', column: 'size', description: 'Kept as a floating-point number.', optional: true },
    count: { type: 'number', column: 'item_count', description: 'Kept as an integer.', optional: true },
    enabled: { type: 'boolean', column: 'enabled', description: 'True or false.', optional: true },
    seenTime: { type: 'time', column: 'seen_time', description: 'A moment.', optional: true },
    props: { type: 'json', column: 'props', description: 'Anything.', optional: true },
  },
  time: 'seenTime',
  key: 'id',
};
