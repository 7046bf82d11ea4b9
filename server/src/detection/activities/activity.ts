import { createHash } from 'node:crypto';
import { severityNumbers } from '../../alerts/alert-message.ts';
import type { Tables } from '../../control/tables.ts';
import { formatInstant } from '../../platform/instant.ts';
import { titleCase } from '../evaluation/alert-text.ts';
import type { ActivityStream, CloudEvent } from './activity-stream.ts';

/** The key of an aggregate: one caller, one API call, one hour. */
export interface ActivityKey {
  readonly hour: number;
  readonly api: string;
  readonly service: string;
  readonly userName: string;
  readonly userAccount: string;
}

/** A policy that one of the events violated. */
export interface TriggeredRule
  extends Pick<Tables['policies'], 'id' | 'title' | 'description' | 'severity'> {}

const hourLength = 3_600_000;
const maxValues = 50;

export function activityKeyOf(event: CloudEvent, at: number): ActivityKey {
  const { api, service, userName, userAccount } = event;
  return { hour: Math.floor(at / hourLength) * hourLength, api, service, userName, userAccount };
}

/** Aggregates the events of one key in constant memory. */
export class Activity {
  readonly key: ActivityKey;
  readonly #regions = new Set<string>();
  readonly #accounts = new Set<string>();
  readonly #addresses = new Set<string>();
  readonly #resources = new Map<string, CloudEvent['resources'][number]>();
  readonly #numbers: string[] = [];
  /** The lowest rank of its events. */
  #severity = Infinity;
  #principalId = '';
  #mfa = 0;

  readonly #stream: ActivityStream;

  constructor(stream: ActivityStream, key: ActivityKey) {
    this.#stream = stream;
    this.key = key;
  }

  /** The ids of its first events, which violations have as keys. */
  get numbers(): readonly string[] {
    return this.#numbers;
  }

  add(event: CloudEvent, number: string): void {
    this.#severity = Math.min(this.#severity, event.rank);
    this.#principalId ||= event.principalId;
    if (event.mfa) this.#mfa = 1;
    note(this.#regions, event.region);
    note(this.#accounts, event.account);
    note(this.#addresses, event.address);
    for (const resource of event.resources) {
      if (this.#resources.size < maxValues)
        this.#resources.set(`${resource.name} ${resource.value}`, resource);
    }
    if (this.#numbers.length < maxValues) this.#numbers.push(number);
  }

  /** The CloudActivities record; `run` distinguishes it from a later record of the same key. */
  record(run: string, rules: readonly TriggeredRule[]): object {
    const { hour, api, service, userName, userAccount } = this.key;
    const eventType = this.#stream.typeAt(this.#severity);
    const addresses = [...this.#addresses].sort();
    const accounts = [...this.#accounts].sort();
    return {
      startTime: formatInstant(hour),
      endTime: formatInstant(hour + hourLength),
      eventId: numberOf(JSON.stringify([run, this.key])),
      eventType,
      eventModel: this.#stream.modelOf(eventType),
      eventActor: this.#stream.actor,
      entityMap: {
        API: [
          { KEY: { api, service }, PROPS: { source_ip_address_list: addresses, user_list: list(userName) } },
        ],
        CT_User: [
          {
            KEY: {
              account: userAccount,
              mfa: this.#mfa,
              principalId: this.#principalId,
              username: userName,
            },
            PROPS: { api_list: [api], region_list: [...this.#regions].sort() },
          },
        ],
        Region: [...this.#regions].sort().map((region) => ({
          KEY: { region },
          PROPS: { account_list: accounts },
        })),
        Resource: [...this.#resources.values()].map((resource) => ({ KEY: resource })),
        RulesTriggered: rules.map((rule) => ({
          KEY: { triggered_rule_id: rule.id },
          PROPS: {
            rule_id: rule.id,
            rule_title: rule.title,
            rule_description: rule.description.slice(0, 2_000),
            rule_severity: severityNumbers[titleCase(rule.severity)],
          },
        })),
        SourceIpAddress: addresses.map((address) => ({
          KEY: { ip_addr: address },
          PROPS: { api_list: [api] },
        })),
      },
    };
  }
}

/** A safe integer derived from the string. */
function numberOf(text: string): number {
  return Number(createHash('sha256').update(text).digest().readBigUInt64BE() >> 12n);
}

function note(set: Set<string>, value: string): void {
  if (value !== '' && set.size < maxValues) set.add(value);
}

function list(value: string): string[] {
  return value === '' ? [] : [value];
}
