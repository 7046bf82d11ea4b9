import type { Attack } from './attack.ts';
import compressedBombs from './attacks/compressed-bombs.ts';
import compressedResponses from './attacks/compressed-responses.ts';
import endlessJoins from './attacks/endless-joins.ts';
import expensivePolicies from './attacks/expensive-policies.ts';
import filterArrays from './attacks/filter-arrays.ts';
import fullDisk from './attacks/full-disk.ts';
import idleConnections from './attacks/idle-connections.ts';
import integrationPatterns from './attacks/integration-patterns.ts';
import longQueries from './attacks/long-queries.ts';
import maliciousRecords from './attacks/malicious-records.ts';
import nestedBodies from './attacks/nested-bodies.ts';
import pipelinedMetrics from './attacks/pipelined-metrics.ts';
import scannedPatterns from './attacks/scanned-patterns.ts';
import slowSenders from './attacks/slow-senders.ts';
import spilledQueries from './attacks/spilled-queries.ts';
import unauthenticatedBodies from './attacks/unauthenticated-bodies.ts';
import unfinishedSnapshots from './attacks/unfinished-snapshots.ts';
import unreadResponses from './attacks/unread-responses.ts';
import wideBodies from './attacks/wide-bodies.ts';
import wrongKeys from './attacks/wrong-keys.ts';

/** In execution order: unauthenticated attacks first, then those of one account on itself and on others. */
export const attacks: readonly Attack[] = [
  ...[pipelinedMetrics, unreadResponses, slowSenders, idleConnections, unauthenticatedBodies, wrongKeys],
  ...[nestedBodies, wideBodies, filterArrays, longQueries, maliciousRecords, compressedBombs],
  ...[compressedResponses],
  ...[integrationPatterns, scannedPatterns, endlessJoins, expensivePolicies, unfinishedSnapshots],
  ...[spilledQueries, fullDisk],
];
