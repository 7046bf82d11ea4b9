import type { Format } from './format.ts';
import { jsonFormat } from './json.ts';
import { junitFormat } from './junit.ts';
import { ocsfFormat } from './ocsf.ts';
import { sarifFormat } from './sarif.ts';
import { textFormat } from './text.ts';

/** By the option that selects it. */
export const formats = {
  ...{ text: textFormat, json: jsonFormat, sarif: sarifFormat, ocsf: ocsfFormat, junit: junitFormat },
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof formats;
