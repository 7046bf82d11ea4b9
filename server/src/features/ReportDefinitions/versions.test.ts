import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSection, DefinitionClient } from '../../testing/report-definitions.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let definitions: DefinitionClient;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  definitions = await DefinitionClient.of(service);
});
afterAll(() => service.stop());

const now = () => new Date(service.clock.now()).toISOString();

describe('each change of a definition', () => {
  test('makes a new version, and keeps the omitted members and the earlier versions', async () => {
    const first = await definitions.create('Versions', {
      reportDefinition: {
        sections: [awsSection],
        overrides: [{ policy: 'lacework-global-31', title: 'Own' }],
      },
    });
    const path = `/${first.reportDefinitionGuid}`;
    service.clock.advance(60_000);
    const renamed = await definitions.request('PATCH', path, { reportName: 'Versions 2' });
    expect([renamed.status, renamed.body.data]).toEqual([
      200,
      {
        ...first,
        ...{ reportName: 'Versions 2', displayName: 'Versions 2', version: 2, updateType: 'Update' },
        createdTime: now(),
      },
    ]);
    const sections = [{ category: '2', title: 'Other', policies: ['lacework-global-1'] }];
    const third = await definitions.request('PATCH', path, {
      ...{ displayName: 'Shown', reportName: null, subReportType: 'AWS', reportDefinition: { sections } },
    });
    expect(third.body.data).toMatchObject({
      ...{ reportName: 'Versions 2', displayName: 'Shown', version: 3 },
      reportDefinition: { sections, overrides: first.reportDefinition.overrides },
    });
    const all = await definitions.request('GET', `${path}?allVersions=true`);
    expect(all.body).toEqual({ data: [third.body.data, renamed.body.data, first] });
    expect((await definitions.request('GET', `${path}?allVersions=false`)).body.data).toEqual(
      third.body.data,
    );
    const cloud = await definitions.request('PATCH', path, { subReportType: 'GCP' });
    expect([cloud.status, cloud.body.message]).toEqual([
      400,
      'subReportType can not change from AWS: create another definition instead.',
    ]);
    const nothing = await definitions.request('PATCH', path);
    expect([nothing.status, nothing.body.message]).toEqual([
      400,
      'A JSON body is required: send the members to change, or revertTo.',
    ]);
    const wrong = await definitions.request('PATCH', path, { reportDefinition: { sections: 7 } });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'reportDefinition.sections must be an array, not 7.',
    ]);
    expect((await definitions.request('DELETE', path)).status).toBe(204);
    const rows = await service.store.read.selectFrom('report_definition_versions').selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('a revert makes a new version with the content of an earlier one', async () => {
    const first = await definitions.create('Reverted', { displayName: 'Title' });
    const path = `/${first.reportDefinitionGuid}`;
    await definitions.request('PATCH', path, {
      reportName: 'Changed',
      reportDefinition: { sections: [{ ...awsSection, title: 'x' }] },
    });
    // The Go client sends an empty JSON string.
    const reverted = await definitions.request('PATCH', `${path}?revertTo=1`, '""');
    expect([reverted.status, reverted.body.data]).toEqual([
      200,
      { ...first, version: 3, updateType: 'Revert', createdTime: now() },
    ]);
    for (const empty of [undefined, '', '{}']) {
      const again = await definitions.request('PATCH', `${path}?revertTo=2`, empty);
      expect([again.status, again.body.data.reportName]).toEqual([200, 'Changed']);
    }
    const same = await definitions.request('PATCH', `${path}?revertTo=6`, '""');
    expect([same.status, same.body.data.version, same.body.data.reportName]).toEqual([200, 7, 'Changed']);
    const unknown = await definitions.request('PATCH', `${path}?revertTo=8`, '""');
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      `Not found: version 8 of the report definition '${first.reportDefinitionGuid}', whose newest version is 7. List its versions with allVersions=true.`,
    ]);
    const both = await definitions.request('PATCH', `${path}?revertTo=1`, { displayName: 'x' });
    expect([both.status, both.body.message]).toEqual([
      400,
      'revertTo can not be combined with a body: send two requests.',
    ]);
    for (const version of ['0', 'x', '1.5', '99999999999'])
      expect((await definitions.request('PATCH', `${path}?revertTo=${version}`, '""')).status).toBe(400);
    const { reportDefinitionGuid: other } = await definitions.create('Reverted');
    const taken = await definitions.request('PATCH', `${path}?revertTo=1`, '""');
    expect([taken.status, taken.body.message]).toEqual([
      409,
      expect.stringContaining("'Reverted' already exists"),
    ]);
    await definitions.request('DELETE', path);
    await definitions.request('DELETE', `/${other}`);
  });

  test('the newest 100 versions are kept', async () => {
    const { reportDefinitionGuid } = await definitions.create('Many');
    const path = `/${reportDefinitionGuid}`;
    for (let version = 2; version <= 102; version++)
      expect(
        (await definitions.request('PATCH', path, { displayName: `${version}` })).body.data.version,
      ).toBe(version);
    const { data } = (await definitions.request('GET', `${path}?allVersions=true`)).body;
    expect(data.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 100 }, (_, at) => 102 - at),
    );
    expect((await definitions.request('PATCH', `${path}?revertTo=2`, '""')).status).toBe(404);
    await definitions.request('DELETE', path);
  });

  test('drops the oldest versions of the definition when those of the account take more than 32 MiB', async () => {
    const { reportDefinitionGuid: guid } = await definitions.create('Large');
    const { reportDefinitionGuid: other } = await definitions.create('Small');
    await definitions.request('PATCH', `/${other}`, { displayName: 'x' });
    for (let version = 2; version <= 4; version++)
      await definitions.request('PATCH', `/${guid}`, { displayName: `${version}` });
    await service.store.housekeeping((tx) =>
      tx
        .updateTable('report_definition_versions')
        .set({ props: JSON.stringify({ engine: 'x'.repeat(17 * 1024 * 1024) }) })
        .where('id', '=', guid)
        .where('version', '<=', 2)
        .execute(),
    );
    await definitions.request('PATCH', `/${guid}`, { displayName: '5' });
    const versionsOf = async (id: string) =>
      (
        await service.store.read
          .selectFrom('report_definition_versions')
          .select('version')
          .where('id', '=', id)
          .orderBy('version')
          .execute()
      ).map(({ version }) => version);
    expect(await versionsOf(guid)).toEqual([2, 3, 4]);
    expect(await versionsOf(other)).toEqual([1]);
    for (const id of [guid, other]) await definitions.request('DELETE', `/${id}`);
  });

  test('is in the audit log', async () => {
    const { reportDefinitionGuid: guid } = await definitions.create('Audited');
    await definitions.request('PATCH', `/${guid}`, { displayName: 'x' });
    await definitions.request('PATCH', `/${guid}?revertTo=1`, '""');
    await definitions.request('DELETE', `/${guid}`);
    const entries = await service.store.read.selectFrom('audit_log').select('event_description').execute();
    const described = entries.map((entry) => entry.event_description).filter((text) => text.includes(guid));
    const by = 'by admin@local';
    expect(described.sort()).toEqual([
      `Report Definition Created ${by}: 'Audited' (${guid})`,
      `Report Definition Deleted ${by}: 'Audited' (${guid})`,
      `Report Definition Updated ${by}: 'Audited' (${guid}), version 2: displayName`,
      `Report Definition Updated ${by}: 'Audited' (${guid}), version 3: displayName`,
    ]);
  });
});
