import { describe, expect, test } from 'vitest';
import { machineDetails } from '../telemetry/datasets/MachineDetails.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { TelemetrySection } from './telemetry-section.ts';

const section = new TelemetrySection(datasets);
const find = (name: string) => section.find(name) as ServedDatasource;
const relations = (name: string) =>
  find(name).relationships.map(({ to, cardinality, on }) => [
    to,
    cardinality,
    on.map(({ from, to: other }) => [from.column, other.column].join('=')).join(),
  ]);

describe('the datasources of telemetry', () => {
  test('are those declared by the datasets, with their columns', () => {
    const declared = datasets.flatMap((dataset) => dataset.datasources.map(({ name }) => name));
    expect([...section.names()]).toEqual(declared);
    expect(find('LW_HE_USERS')).toMatchObject({
      name: 'LW_HE_USERS',
      description: expect.stringMatching(/\.$/),
      columns: [
        { name: 'BATCH_START_TIME', type: 'Timestamp' },
        { name: 'BATCH_END_TIME', type: 'Timestamp' },
        { name: 'RECORD_CREATED_TIME', type: 'Timestamp' },
        { name: 'MID', type: 'Number', description: expect.stringMatching(/\.$/) },
        { name: 'USERNAME', type: 'String' },
        { name: 'PRIMARY_GROUP_NAME', type: 'String' },
        { name: 'OTHER_GROUP_NAMES', type: 'Json' },
        { name: 'HOME_DIR', type: 'String' },
      ],
    });
  });

  test('have a declaration of a dataset as origin', () => {
    expect(find('LW_HE_MACHINES').origin).toEqual({
      from: 'telemetry',
      dataset: machineDetails,
      declaration: machineDetails.datasources[0],
    });
  });

  test('relate everything with a host id to the host, and back', () => {
    expect(relations('LW_HA_SSH_LOGINS')).toEqual([['LW_HE_MACHINES', 'ONE', 'MID=MID']]);
    const back = relations('LW_HE_MACHINES');
    expect(back).toContainEqual(['LW_HE_PROCESSES', 'MANY', 'MID=MID']);
    expect(back.map(([to]) => to)).not.toContain('LW_HE_MACHINES');
    const withMachine = [...section.names()].filter((name) =>
      find(name).columns.some((column) => column.name === 'MID'),
    );
    // A connection names its source host in a Json column.
    expect(relations('LW_HA_CONNECTION_SUMMARY')).toEqual([['LW_HE_MACHINES', 'ONE', 'SRC_ENTITY_ID=MID']]);
    expect(back.length).toBe(withMachine.length);
  });

  test('relate changes to files, processes to users and containers to images, and back', () => {
    expect(relations('LW_HA_FILE_CHANGES')).toEqual([
      ['LW_HE_FILES', 'ONE', 'MID=MID,PATH=PATH'],
      ['LW_HE_MACHINES', 'ONE', 'MID=MID'],
    ]);
    expect(relations('LW_HE_FILES')[0]).toEqual(['LW_HA_FILE_CHANGES', 'MANY', 'MID=MID,PATH=PATH']);
    expect(relations('LW_HE_PROCESSES')[0]).toEqual(['LW_HE_USERS', 'ONE', 'MID=MID,USERNAME=USERNAME']);
    expect(relations('LW_HE_CONTAINERS')[0]).toEqual(['LW_HE_IMAGES', 'ONE', 'MID=MID,IMAGE_ID=IMAGE_ID']);
  });

  test('of activity logs have no relationships, and names are case-sensitive', () => {
    for (const name of ['CloudTrailRawEvents', 'LW_ACT_K8S_AUDIT']) expect(relations(name)).toEqual([]);
    expect(section.find('lw_he_users')).toBeUndefined();
  });
});
