import { expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { QueryLanguage } from '../../querying/language.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { shippedPacks } from '../packs/pack.ts';
import { subjectOf } from './subject.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const language = new QueryLanguage(catalogue);
const subject = (text: string) => subjectOf(language.read(text));
const all = (name: string) => {
  const column = catalogue.find(name)?.columns[0]?.name;
  return subject(`{ source { ${name} } return distinct { ${column} } }`);
};

test.each([
  ['CloudTrailRawEvents', 'Cloud Activity', 'AWS', ['CloudTrailRawEvents'], false],
  ['LW_ACT_GCP_ACTIVITY', 'Cloud Activity', 'GCP', ['LW_ACT_GCP_ACTIVITY'], false],
  ['LW_ACT_AZURE_ACTIVITY', 'Cloud Activity', 'Azure', ['LW_ACT_AZURE_ACTIVITY'], false],
  ['LW_ACT_K8S_AUDIT', 'Kubernetes Activity', 'K8s', ['LW_ACT_K8S_AUDIT'], false],
  ['LW_HA_SYSCALLS_EXEC', 'SystemCall', 'Agent', ['LW_HA_SYSCALLS_EXEC'], false],
  ['LW_HA_FILE_CHANGES', 'File', 'Agent', ['Activities/ChangedFiles'], false],
  ['LW_HA_USER_LOGINS', 'User', 'Agent', ['Activities/UserLogins'], false],
  ['LW_HA_DNS_REQUESTS', 'Application', 'Agent', ['Activities/DNSs'], false],
  ['LW_HE_FILES', 'File', 'Agent', [], false],
  ['LW_HE_MACHINES', 'Machine', 'Agent', [], false],
  ['LW_HE_USERS', 'User', 'Agent', [], false],
  ['LW_HE_PROCESSES', 'Application', 'Agent', [], false],
  ['LW_HE_CONTAINERS', 'Application', 'Agent', [], false],
  ['LW_CFG_AWS_S3', 'Compliance', 'AWS', [], true],
])('%s has subcategory %s and source %s', (name, subCategory, source, streams, isInventory) => {
  expect(all(name)).toMatchObject({ datasource: name, subCategory, source, streams, isInventory });
});

test('every datasource of hosts and clouds has a category of alert rules', () => {
  for (const name of catalogue.names()) {
    const { subCategory, source, streams } = all(name);
    if (/^LW_(?:ACT|HA)_/.test(name)) expect([name, streams.length]).toEqual([name, 1]);
    if (/^LW_(?:ACT|HA|HE|CFG)_/.test(name)) expect([name, source !== '']).toEqual([name, true]);
    expect(subCategory).not.toBe('');
  }
});

test('a union of a stream and a state is evaluated as a state', () => {
  const text = `union { { source { LW_HA_DNS_REQUESTS } return { HOSTNAME as X } },
    { source { LW_HE_MACHINES } return { HOSTNAME as X } } }`;
  expect(subject(text).streams).toEqual([]);
});
