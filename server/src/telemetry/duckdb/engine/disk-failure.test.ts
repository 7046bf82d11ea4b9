import { expect, test } from 'vitest';
import { diskFullReason, isDiskFailure, isInvalidated } from './disk-failure.ts';

const wal = 'Failed to commit: Could not write file "2026-03-01.duckdb.wal"';

test.each([
  [`TransactionContext Error: ${wal}: No space left on device`, true, 'No space left on device'],
  ['IO Error: Could not write file "x": Disk quota exceeded', true, 'Disk quota exceeded'],
  ['IO Error: Could not read from file "x": Input/output error', true, undefined],
  ['FATAL Error: fsync failed!', true, undefined],
  // The memory limit, to which smaller batches are the remedy.
  ['TransactionContext Error: Failed to commit: could not allocate (1.0 MiB/1.0 MiB used)', false, undefined],
  ['Out of Memory Error: could not allocate block of size 256.0 KiB', false, undefined],
  ['Conversion Error: Could not convert string "x" to INT64', false, undefined],
])('%s: disk failure %j, disk full %j', (message, isFailure, full) => {
  const error = new Error(message);
  expect([isDiskFailure(error), diskFullReason(error)]).toEqual([isFailure, full]);
});

test('an invalidated file or engine is recognized', () => {
  const file =
    'IO Error: Database "x" has been invalidated because checkpointing failed. Detach and reattach it.';
  const engine = 'FATAL Error: Failed: database has been invalidated because of a previous fatal error.';
  expect([file, engine, 'IO Error: x'].map((message) => isInvalidated(new Error(message)))).toEqual([
    true,
    true,
    false,
  ]);
});
