import { readFileSync } from 'node:fs';
import { YamlFile } from '../../platform/yaml-file.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { patched } from './merge-patch.ts';

/** A typical record of each dataset, so that a case only states relevant members. */
export class RecordTemplates {
  readonly #folder: URL;
  readonly #read = new Map<TelemetryDataset, unknown>();

  /** Reads the folder `records` of the packs: one file per dataset, named by its path. */
  constructor(packs: URL) {
    this.#folder = new URL('records/', packs);
  }

  /** The template with the changes merged in order; `number` distinguishes the records of a case. */
  record(dataset: TelemetryDataset, number: number, ...changes: readonly unknown[]): unknown {
    return changes.reduce(patched, numbered(this.#template(dataset), number));
  }

  #template(dataset: TelemetryDataset): unknown {
    let template = this.#read.get(dataset);
    if (template === undefined) {
      const file = `${dataset.path}.yaml`;
      template = new YamlFile(`packs/records/${file}`, readFileSync(new URL(file, this.#folder), 'utf8'))
        .value;
      this.#read.set(dataset, template);
    }
    return template;
  }
}

const mark = '{n}';

/** Replaces the number mark in strings; a string of the mark alone becomes a number. */
export function numbered(value: unknown, number: number): unknown {
  if (value === mark) return number;
  if (typeof value === 'string') return value.replaceAll(mark, String(number));
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbered(inner, number)]));
}
