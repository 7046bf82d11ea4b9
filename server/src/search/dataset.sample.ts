import type { Dataset } from './dataset.ts';

/** Dataset of the search tests: each column type once, numbers in both storage formats. */
export const sample: Dataset = {
  name: 'Things',
  description: 'Sample records of the tests.',
  table: 'things',
  columns: {
    id: { type: 'string', column: 'id', description: 'Unique.' },
    name: { type: 'string', column: 'name', description: 'A string.', optional: true },
    size: {
      type: 'number',
      column: 'size',
      description: 'Stored as a floating-point number.',
      optional: true,
    },
    count: { type: 'number', column: 'item_count', description: 'Stored as an integer.', optional: true },
    enabled: { type: 'boolean', column: 'enabled', description: 'True or false.', optional: true },
    seenTime: { type: 'time', column: 'seen_time', description: 'A timestamp.', optional: true },
    props: { type: 'json', column: 'props', description: 'Anything.', optional: true },
  },
  time: 'seenTime',
  key: 'id',
};
