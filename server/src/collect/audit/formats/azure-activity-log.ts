import { azureActivity } from '../../../telemetry/datasets/LW_ACT_AZURE_ACTIVITY.ts';
import { recordLimits } from '../../../telemetry/record-bounds.ts';
import type { LogFormat } from './log-format.ts';
import { defined, type Members, membersOf, nonEmpty } from './members.ts';

/** The activity log as Azure exports it: a line per record, or one object with all of them. */
export const azureActivityLog: LogFormat = {
  dataset: azureActivity,
  arrayIn: (head) => (/^\s*\{\s*"records"\s*:\s*\[/.test(head) ? 'records' : undefined),
  maxLength: recordLimits.characters,
  records(value) {
    const record = membersOf(JSON.parse(value));
    const additions = Object.entries(additionsOf(record)).filter(([name]) => !Object.hasOwn(record, name));
    // Appended, not parsed and written again, so that all other members stay as they are.
    const members = additions.map(([name, added]) => `,${JSON.stringify(name)}:${JSON.stringify(added)}`);
    return [`${value.slice(0, -1)}${members.join('')}}`];
  },
};

function additionsOf({ resourceId, operationName, identity }: Members): Members {
  return defined({
    subscriptionId: /^\/subscriptions\/([^/]+)/i.exec(String(resourceId ?? ''))?.[1]?.toLowerCase(),
    resourceProvider: /^([^/]+)\//.exec(String(operationName ?? ''))?.[1]?.toLowerCase(),
    caller: callerOf(membersOf(membersOf(identity).claims)),
  });
}

const callerClaims = [
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  'upn',
  'name',
  'appid',
];

/** A person by name, an application by its id. */
function callerOf(claims: Members): string | undefined {
  return callerClaims.map((name) => nonEmpty(claims[name])).find((value) => value !== undefined);
}
