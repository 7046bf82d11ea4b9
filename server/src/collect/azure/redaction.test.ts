import { describe, expect, test } from 'vitest';
import { row } from '../../testing/azure.ts';
import { redacted } from '../inventory/redacted.ts';
import { azureServices } from './catalogue.ts';
import { importAzureGraph } from './graph-import.ts';
import { storedConfig } from './redaction.ts';

const stored = (config: object, ...paths: string[]) => JSON.parse(storedConfig(config, paths, 'x'));

describe('a secret', () => {
  test('is replaced at its declared path, whatever the case of its members', () => {
    const config = {
      siteConfig: {
        AppSettings: [
          { name: 'A', value: 'canary' },
          { name: 'B', value: null },
        ],
      },
    };
    expect(stored(config, 'siteConfig.appSettings.*.value')).toEqual({
      siteConfig: {
        AppSettings: [
          { name: 'A', value: redacted },
          { name: 'B', value: null },
        ],
      },
    });
    expect(stored({ a: { one: 'canary', two: { three: 'canary' } } }, 'a.*')).toEqual({
      a: { one: redacted, two: redacted },
    });
  });

  test.each([
    ...[
      'adminPassword',
      'clientSecret',
      'primaryKey',
      'connectionString',
      'AccountKey',
      'sharedKey',
      'customData',
    ],
    ...['secureValue', 'storageAccountKey', 'instrumentationKey', 'sasToken', 'userData'],
  ])('in a member called %s is replaced anywhere', (name) => {
    expect(stored({ deep: [{ [name]: 'canary' }] })).toEqual({ deep: [{ [name]: redacted }] });
  });

  test('is not what settings about secrets say', () => {
    const config = {
      disablePasswordAuthentication: true,
      keyVaultSecretUrl: 'https://v',
      adminPassword: '',
      keySource: 'x',
    };
    expect(stored(config)).toEqual(config);
  });

  test('of every declared path is not stored', async () => {
    const types = azureServices.flatMap(({ types = [] }) => types).filter(({ redact }) => redact);
    expect(types.length).toBeGreaterThan(25);
    for (const { type, redact = [] } of types)
      for (const path of redact) {
        const { kinds } = await importAzureGraph([row(type, 'one', withCanary(path) as object)]);
        const [resource] = kinds.flatMap(({ resources }) => resources);
        expect(resource?.config, `${type} ${path}`).toContain(redacted);
        expect(resource?.config, `${type} ${path}`).not.toContain('canary');
      }
  });
});

/** An object with a secret at a path; `*` is an element of an array. */
function withCanary(path: string): unknown {
  return path
    .split('.')
    .reverse()
    .reduce<unknown>((value, name) => (name === '*' ? [value] : { [name]: value }), 'canary');
}
