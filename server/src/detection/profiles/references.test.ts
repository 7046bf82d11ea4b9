import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';
import { shippedPacks } from '../packs/pack.ts';
import { AlertProfiles } from './alert-profiles.ts';
import { ProfileCatalogue } from './catalogue.ts';
import { ProfileReferences } from './references.ts';

let service: TestService;
let token: string;
let ownerId: string;
const catalogue = ProfileCatalogue.load(shippedPacks());
const references = new ProfileReferences(catalogue);

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  const account = await service.store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  ownerId = account.id;
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/AlertProfiles${path}`, { token, body });
const template = (name: string, subject = 'own') => ({ name, eventName: 'e', description: '', subject });

async function make(id: string, names: string[], base = 'LW_HE_FILES_DEFAULT_PROFILE') {
  const alerts = names.map((name) => template(name));
  const { status } = await ask('POST', '', { alertProfileId: id, extends: base, alerts });
  expect(status).toBe(201);
}

/** Stores a reference from a policy to a profile, as policies do. */
function refer(policyId: string, reference: string, beforeWriting = async () => {}) {
  return service.store.housekeeping(async (tx) => {
    await references.requireProfile(tx, ownerId, reference);
    await beforeWriting();
    const text = { policy_type: 'Violation', query_id: 'Q', title: '', description: '', remediation: '' };
    const settings = {
      severity: 'low',
      enabled: 1,
      alert_enabled: 1,
      row_limit: 1,
      eval_frequency: 'Hourly',
    };
    const json = { tags: '[]', exception_configuration: '{}', evaluator_id: null };
    const audit = { created_by: 'a', updated_at: 1, updated_by: 'a' };
    await tx
      .insertInto('policies')
      .values({
        id: policyId,
        owner_id: ownerId,
        alert_profile: reference,
        ...text,
        ...settings,
        ...json,
        ...audit,
      } as never)
      .execute();
  });
}
const deletePolicy = (policyId: string) =>
  service.store.housekeeping((tx) => tx.deleteFrom('policies').where('id', '=', policyId).execute());

describe('a reference to a profile', () => {
  test('resolves to the named template, own before inherited, or else to the first one', async () => {
    await make('Own', ['Mine', 'HE_File_PolicyChanged']);
    await make('Empty', []);
    const resolve = async (reference: string) => {
      const resolved = await references.resolveTemplate(service.store.read, ownerId, reference);
      return (
        resolved && [
          resolved.profileId,
          resolved.template.name,
          resolved.template.subject === 'own',
          resolved.fields.length,
        ]
      );
    };
    const fields = catalogue.find('LW_HE_FILES_DEFAULT_PROFILE')?.fields.length;
    expect(await resolve('Own')).toEqual(['Own', 'Mine', true, fields]);
    expect(await resolve('Own.HE_File_PolicyChanged')).toEqual([
      'Own',
      'HE_File_PolicyChanged',
      true,
      fields,
    ]);
    expect(await resolve('Own.HE_File_NewViolation')).toEqual(['Own', 'HE_File_NewViolation', false, fields]);
    expect(await resolve('Empty')).toEqual(['Empty', 'HE_File_Violation', false, fields]);
    expect(await resolve('LW_CloudTrail_Alerts')).toEqual([
      ...['LW_CloudTrail_Alerts', 'CloudTrailDefaultAlert_AwsResource', false, 19],
    ]);
    for (const dangling of ['Own.Nope', 'Nope', 'LW_LPP_BaseProfile', '', '.', 'Own.']) {
      expect(await resolve(dangling), dangling).toBeUndefined();
    }
    const elsewhere = await references.resolveTemplate(service.store.read, 'other', 'Own');
    expect(elsewhere).toBeUndefined();
  });

  test.each([
    ['Referred', undefined],
    ['Referred.Mine', undefined],
    ['Referred.HE_File_Violation', undefined],
    ['LW_CloudTrail_Alerts', undefined],
    ['Refered', "alertProfile 'Refered' does not exist. Did you mean Referred"],
    ['LW_CloudTrail_Alert', 'Did you mean LW_CloudTrail_Alerts'],
    ['qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', 'GET /api/v2/AlertProfiles lists'],
    ['Referred.Mime', 'is not a template of the profile. Did you mean Mine'],
    ['LW_CloudTrail_Alerts.x', 'The profile has CloudTrailDefaultAlert_AwsResource.'],
    ['LW_LPP_BaseProfile', 'has no templates'],
    ['LW_LPP_BaseProfile.x', 'The profile has none.'],
  ])('%s is accepted or rejected with 400', async (reference, message) => {
    await ask('POST', '', {
      ...{ alertProfileId: 'Referred', extends: 'LW_HE_FILES_DEFAULT_PROFILE', alerts: [template('Mine')] },
    });
    const result = service.store.housekeeping((tx) => references.requireProfile(tx, ownerId, reference));
    if (message === undefined) return expect(await result).toBeUndefined();
    await expect(result).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', message: expect.stringContaining(message) },
    });
  });
});

describe('a profile in use by policies', () => {
  const expectConflict = async (method: string, path: string, body: unknown, named: string) => {
    const response = await ask(method, path, body);
    expect([response.status, response.body?.code]).toEqual([409, 'CONFLICT']);
    expect(response.body.message).toContain(named);
  };

  test('cannot be deleted, nor can a template in use; the 409 error names the policies', async () => {
    await make('Used', ['A', 'B']);
    await make('Used_more', ['A']);
    await refer('local-one-1', 'Used');
    await refer('local-two-2', 'Used.A');
    await refer('local-three-3', 'Used_more');
    await expectConflict(
      'DELETE',
      '/Used',
      undefined,
      "The profile 'Used' is used by local-one-1, local-two-2: change alertProfile",
    );
    const named = "The template 'A' of the profile 'Used' is used by local-two-2: change alertProfile";
    await expectConflict('DELETE', '/Used/AlertTemplates/A', undefined, named);
    await expectConflict('POST', '/Used/AlertTemplates/A', 'null', named);
    await expectConflict('PATCH', '/Used', { alerts: [{ name: 'B' }] }, named);
    await expectConflict('PATCH', '/Used', { alerts: [template('A2'), { name: 'B' }] }, named);
    expect((await ask('GET', '/Used')).body.data.alerts).toEqual([template('A'), template('B')]);
    expect((await ask('PATCH', '/Used/AlertTemplates/A', { subject: 'x' })).status).toBe(200);
    expect((await ask('DELETE', '/Used/AlertTemplates/B')).status).toBe(204);
    await deletePolicy('local-two-2');
    expect((await ask('DELETE', '/Used/AlertTemplates/A')).status).toBe(204);
    await expectConflict('DELETE', '/Used', undefined, 'local-one-1');
    await deletePolicy('local-one-1');
    expect((await ask('DELETE', '/Used')).status).toBe(204);
  });

  test('keeps a template that a reference to the profile alone may resolve to', async () => {
    await make('Last', ['A', 'B'], 'LW_LPP_BaseProfile');
    await refer('local-last-1', 'Last');
    expect((await ask('DELETE', '/Last/AlertTemplates/A')).status).toBe(204);
    await expectConflict('DELETE', '/Last/AlertTemplates/B', undefined, 'local-last-1');
    await expectConflict('PATCH', '/Last', { alerts: [] }, 'local-last-1');
  });

  test('is reported with ten policies and the number of further ones', async () => {
    await make('Popular', []);
    for (let n = 10; n < 22; n++) await refer(`local-many-${n}`, 'Popular');
    await expectConflict('DELETE', '/Popular', undefined, 'local-many-19 and 2 more:');
  });

  /** Concurrently in the same process as the policy write, as in the service. */
  const remove = (id: string) => {
    const actor = { userName: 'a', ownerId, accountName: 'local', act: 'Alert Profile Deleted' };
    return new AlertProfiles(service.store, catalogue).delete(actor, id);
  };

  test('cannot be deleted while a policy that refers to it is being written', async () => {
    await make('Raced', ['A']);
    let deletion: Promise<unknown> | undefined;
    await refer('local-race-1', 'Raced.A', async () => {
      deletion = remove('Raced').catch((error) => error.message);
      await ask('GET', '/Raced');
    });
    expect(await deletion).toContain("The profile 'Raced' is used by local-race-1");
    expect((await ask('GET', '/Raced')).status).toBe(200);
  });

  test('is either kept or the policy is rejected, for any order of requests', async () => {
    for (let round = 0; round < 10; round++) {
      const id = `Round_${round}`;
      await make(id, ['A']);
      const policy = () => refer(`local-r-${round}`, id);
      const both = round % 2 ? [policy(), remove(id)] : [remove(id), policy()];
      const [first, second] = await Promise.allSettled(both);
      expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
      const referring = round % 2 ? first : second;
      expect((await ask('GET', `/${id}`)).status).toBe(referring?.status === 'fulfilled' ? 200 : 404);
    }
  });
});
