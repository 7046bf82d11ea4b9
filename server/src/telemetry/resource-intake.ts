import { Checks } from '../platform/checks.ts';
import { maxProblems, Refusal } from '../platform/errors.ts';
import { deepestJson } from '../platform/json-structure.ts';
import { TimeSlices } from '../platform/time-slices.ts';
import { Validator } from '../platform/validator.ts';
import { parseRecord } from './parsed-record.ts';
import { refuseOversized } from './record-bounds.ts';
import { recordStrings } from './record-strings.ts';
import type { ResourceFacts } from './resource.ts';
import { knownOf, ResourceForm, resourceLimits, resourceOf, unreadOf } from './resource-form.ts';
import type { SnapshotPart } from './snapshot.ts';

/** Resources in one part. */
const maxResources = 5_000;
/** A configuration in a string is escaped, which may double it. */
const limits = { characters: 2 * resourceLimits.config + 100_000, depth: deepestJson, values: 100_000 };
/** Characters validated in one time slice: about two milliseconds. */
const chunkLength = 100_000;

export interface PartRequest {
  readonly account: string;
  readonly form: 'array' | 'lines';
  readonly body: string;
  readonly number: number;
  /** Facts of all resources, unless they have their own. */
  readonly common: ResourceFacts;
}

/** Validates the parts of snapshots, in slices of the event loop. */
export class ResourceIntake {
  readonly #validator = new Validator(ResourceForm, 'body');
  readonly #slices = new TimeSlices();

  async read({ account, form, body, number, common }: PartRequest): Promise<SnapshotPart> {
    const strings = await recordStrings(form, body);
    if (strings.length > maxResources)
      throw new Refusal(
        'INVALID_INPUT',
        `The body has more than ${maxResources} resources: send smaller parts.`,
      );
    const forms: ResourceForm[] = [];
    const checks = new Checks();
    let characters = Number.POSITIVE_INFINITY;
    for (const [index, json] of strings.entries()) {
      characters += json.length;
      if (characters > chunkLength) {
        await this.#slices.next(account);
        characters = json.length;
      }
      const checked = checks.run(() => this.#parse(json, index));
      if (checks.problems.length >= maxProblems) break;
      if (checked) forms.push(checked);
    }
    checks.finish();
    return {
      number,
      resources: forms.filter((one) => !one.status && !knownOf(one)).map((one) => resourceOf(one, common)),
      unread: forms.flatMap((one) => unreadOf(one) ?? []),
      known: forms.flatMap((one) => (one.status ? [] : (knownOf(one) ?? []))),
    };
  }

  #parse(json: string, index: number): ResourceForm {
    refuseOversized(json, index, limits);
    const value = parseRecord(json, index);
    this.#validator.check(value, `records[${index}]`);
    return value as ResourceForm;
  }
}
