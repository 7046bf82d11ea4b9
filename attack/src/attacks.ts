import type { Attack } from './attack.ts';
import compressedAnswers from './attacks/compressed-answers.ts';
import compressedBombs from './attacks/compressed-bombs.ts';
import endlessJoins from './attacks/endless-joins.ts';
import expensivePolicies from './attacks/expensive-policies.ts';
import filterLists from './attacks/filter-lists.ts';
import fullDisk from './attacks/full-disk.ts';
import idleConnections from './attacks/idle-connections.ts';
import integrationPatterns from './attacks/integration-patterns.ts';
import longQueryTexts from './attacks/long-query-texts.ts';
import maliciousRecords from './attacks/malicious-records.ts';
import nestedBodies from './attacks/nested-bodies.ts';
import pipelinedMetrics from './attacks/pipelined-metrics.ts';
import scannedPatterns from './attacks/scanned-patterns.ts';
import slowSenders from './attacks/slow-senders.ts';
import spilledQueries from './attacks/spilled-queries.ts';
import strangersBodies from './attacks/strangers-bodies.ts';
import unreadAnswers from './attacks/unread-answers.ts';
import wideBodies from './attacks/wide-bodies.ts';
import wrongKeys from './attacks/wrong-keys.ts';

/** In the order in which they run: those without a login first, then those of one account on itself and on others. */
export const attacks: readonly Attack[] = [
  ...[pipelinedMetrics, unreadAnswers, slowSenders, idleConnections, strangersBodies, wrongKeys],
  ...[nestedBodies, wideBodies, filterLists, longQueryTexts, maliciousRecords, compressedBombs],
  ...[compressedAnswers],
  ...[integrationPatterns, scannedPatterns, endlessJoins, expensivePolicies, spilledQueries, fullDisk],
];
