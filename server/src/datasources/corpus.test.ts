import { analyse } from '@vedette/lql/analyse';
import { corpus } from '@vedette/lql/syntax/corpus.sample';
import { expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasets } from '../telemetry/datasets.ts';
import { DatasourceCatalogue } from './catalogue.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });

/** Outdated queries with names that are not in the catalogue, and their first error. */
const missing: Readonly<Record<string, string>> = {
  'custom-reports-9': 'LW_HA_CONNECTIONS has no column SESS_COUNT_IN.',
  'detc-resources-3':
    "No source has a column example. If a string is meant, write it in quotes: `'example'`.",
  'detc-resources-5': 'LW_HA_SYSCALLS_EXEC has no column KERNEL_COMMAND.',
  'web-agent-9': 'LW_CFG_AWS_SECRETSMANAGER_SECRETS has no column ROTATION_ENABLED.',
  'web-agent-10': 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT has no column MFA_ACTIVE.',
  'web-agent-11': 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT has no column MFA_ACTIVE.',
};

test('published queries are valid, except for names that are not in the catalogue', () => {
  const failed = corpus
    .filter(({ fails }) => fails === undefined)
    .flatMap(({ id, text }) => {
      const errors = analyse(text, catalogue).problems.filter(({ severity }) => severity === 'error');
      return errors.length > 0 ? [[id, errors[0]?.message]] : [];
    });
  expect(Object.fromEntries(failed)).toEqual(missing);
});
