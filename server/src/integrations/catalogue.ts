import { readdirSync } from 'node:fs';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import type { IntegrationData, IntegrationFamily, IntegrationType } from './declaration.ts';
import { nameOf } from './declaration.ts';

/** Each subfolder defines one type, so a new type needs no registration. */
export async function loadIntegrationTypes(folder: URL): Promise<IntegrationType[]> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const modules = await Promise.all(names.map((name) => import(new URL(`${name}/type.js`, folder).href)));
  return modules.map((module) => module.default as IntegrationType);
}

/** The integration types that this server supports. */
export class IntegrationCatalogue {
  readonly #types: readonly IntegrationType[];

  constructor(types: readonly IntegrationType[]) {
    this.#types = types;
  }

  of(family: IntegrationFamily): IntegrationType[] {
    return this.#types.filter((candidate) => candidate.family === family);
  }

  /** Whether a path segment is a type name rather than the id of an integration; the two never collide. */
  isType(family: IntegrationFamily, name: string): boolean {
    return this.of(family).some(({ type }) => type === name);
  }

  find(family: IntegrationFamily, type: string, data: IntegrationData): IntegrationType {
    const candidates = this.of(family).filter((candidate) => candidate.type === type);
    if (candidates.length === 0) {
      const names = [...new Set(this.of(family).map((candidate) => candidate.type))].join(', ');
      throw new Refusal('INVALID_INPUT', `type must be one of ${names}, not ${quoted(type)}.`);
    }
    const match = candidates.find(({ subtype }) => subtype === undefined || subtype === data.registryType);
    if (match) return match;
    const names = candidates.map(nameOf).join(', ');
    throw new Refusal('INVALID_INPUT', `data.registryType must be one of ${names}.`);
  }

  /** The type of a stored integration. */
  get(family: IntegrationFamily, type: string, subtype: string | null): IntegrationType {
    return this.find(family, type, { registryType: subtype });
  }
}
