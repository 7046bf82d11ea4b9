import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfiguration, type SettingName, settings, variableOf } from './configuration.ts';
import { nodeOptions } from './install/node-options.ts';
import { version } from './version.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const variables = Object.keys(settings).map((name) => variableOf(name as SettingName));

test('the image runs the agent with its options and settings that exist', () => {
  const image = read('agent/Dockerfile');
  const command = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '[]');
  expect(command.slice(0, -1)).toEqual(['node', ...nodeOptions]);
  expect(image).toContain(`COPY dist/vedette-agent.mjs ${command.at(-1).replace(/[^/]*$/, '')}`);
  for (const [, name] of image.matchAll(/^ENV (\w+)=/gm)) expect(variables).toContain(name);
});

test('the DaemonSet gives the agent settings that exist, and mounts what they name', () => {
  const documents = parseAllDocuments(read('deploy/agent/daemonset.yaml')).map((one) => one.toJS());
  const { spec } = documents.find(({ kind }) => kind === 'DaemonSet').spec.template;
  const [{ env, image, volumeMounts }] = spec.containers;
  expect(image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
  const environment = Object.fromEntries(
    env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  for (const name of Object.keys(environment)) expect(variables).toContain(name);
  const token = { VEDETTE_AGENT_TOKEN: 'a1' };
  const { hostRoot, stateDirectory } = readConfiguration({
    options: {},
    environment: { ...environment, ...token },
  });
  const places = new Map(
    volumeMounts.map(({ mountPath, name }: { mountPath: string; name: string }) => [mountPath, name]),
  );
  const tokenPlace = environment.VEDETTE_AGENT_TOKEN_FILE.replace(/\/[^/]*$/, '');
  expect([hostRoot, stateDirectory, tokenPlace].map((place) => places.get(place))).toEqual([
    'host',
    'state',
    'token',
  ]);
  expect(spec.volumes.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'host',
    'state',
    'token',
  ]);
});
