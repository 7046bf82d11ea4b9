import { placeFacts } from '../../evaluation.ts';
import { inventoryName } from './database-name.ts';

/** In the file of the inventory, because evaluations are derived from it, and restored with it. */
export const evaluationsTable = `${inventoryName}.evaluations`;
export const placesTable = `${inventoryName}.evaluation_places`;
export const evaluatedPoliciesTable = `${inventoryName}.evaluated_policies`;
export const runsTable = `${inventoryName}.evaluation_runs`;

/** The columns of `placeFacts`. */
export const placeColumns = placeFacts.map((fact) => fact.toLowerCase());

/** Characters: queries and clouds write long reasons, and a report may list hundreds of thousands. */
export const maxReason = 1_000;

export const postureCreations = [
  // From `opened_at` to `until` the evaluation had this result; `since` is when the status began. `opened` and `closed` are
  // revisions. `result` is the row of the policy's query, of violations only.
  `create table if not exists ${evaluationsTable} (id bigint not null, account varchar not null,
    policy varchar not null, key varchar not null, urn varchar not null, place varchar not null,
    status varchar not null, reason varchar not null, exception varchar, result varchar, since bigint not null,
    opened_at bigint not null, until bigint, opened bigint not null, closed bigint)`,
  // Where the resources are: few, compared to evaluations.
  `create table if not exists ${placesTable} (account varchar not null, place varchar not null,
    provider varchar not null, cloud_account varchar not null, region varchar not null,
    first_at bigint not null, ${placeColumns.map((column) => `${column} varchar`).join(', ')})`,
  // The last evaluation of each policy, and the position of the inventory that it covers.
  `create table if not exists ${evaluatedPoliciesTable} (account varchar not null, policy varchar not null,
    provider varchar not null, title varchar not null, severity varchar not null, section varchar not null,
    basis varchar not null, revision bigint not null, covers bigint not null, run_at bigint not null)`,
  `create table if not exists ${runsTable} (account varchar not null, policy varchar not null, run_at bigint not null,
    revision bigint not null)`,
];

export const postureTables = [evaluationsTable, placesTable, evaluatedPoliciesTable, runsTable];

/** Delete what ended before `$instant`: results, runs but the last of each policy, deleted policies and places without results. */
export const postureDeletions = [
  `delete from ${evaluationsTable} where until <= $instant`,
  `delete from ${runsTable} r where run_at < $instant and exists (select 1 from ${runsTable} later
    where later.account = r.account and later.policy = r.policy and later.run_at > r.run_at)`,
  `delete from ${evaluatedPoliciesTable} p where basis = '' and run_at < $instant and not exists
    (select 1 from ${evaluationsTable} e where e.account = p.account and e.policy = p.policy)`,
  `delete from ${placesTable} p where first_at < $instant and not exists (select 1 from ${evaluationsTable} e
    where e.account = p.account and e.place = p.place)`,
];
