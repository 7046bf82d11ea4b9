import { readFileSync } from 'node:fs';
import { YamlFile } from '../../platform/yaml-file.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { patched } from './merge-patch.ts';

/** An ordinary record of each dataset, so that a case shows only what matters to it. */
export class RecordTemplates {
  readonly #folder: URL;
  readonly #read = new Map<TelemetryDataset, unknown>();

  /** From the folder `records` of the packs: a file for each dataset, named by its path. */
  constructor(packs: URL) {
    this.#folder = new URL('records/', packs);
  }

  /** The record with these changes, one upon the other; `number` tells it from others of its case. */
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

/** Texts with the number in place of its mark; the mark alone is the number itself. */
function numbered(value: unknown, number: number): unknown {
  if (value === mark) return number;
  if (typeof value === 'string') return value.replaceAll(mark, String(number));
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbered(inner, number)]));
}
