import { describe, expect, test } from 'vitest';
import { awsActions, awsPermissions, organizationPermissions } from './aws-policy.ts';
import { awsTerraform } from './terraform.ts';

/** Actions that return values of secrets, code or data, or that change something. */
const forbidden =
  /:(Create|Put|Update|Delete|Modify|Start|Stop|Run|Invoke|Attach|Detach|Decrypt|Encrypt|Assume|Pass)|:\*|secretsmanager:Get|ssm:GetParameter|s3:GetObject$|lambda:GetFunction$|dynamodb:(Scan|Query|GetItem)|kms:Decrypt|logs:(Get|Filter)LogEvents|ec2:DescribeInstanceAttribute/;

describe('the permissions of AWS collections', () => {
  test('are sorted, unique, and do not include actions that change something or return secrets', async () => {
    const actions = await awsActions();
    expect(actions).toEqual([...new Set(actions)].sort());
    expect(actions.length).toBeGreaterThan(100);
    expect(actions).toEqual(expect.arrayContaining(['ec2:DescribeRegions', 's3:GetEncryptionConfiguration']));
    expect(
      actions.filter((action) => forbidden.test(action) || !/^[a-z0-9-]+:[A-Za-z0-9]+$/.test(action)),
    ).toEqual([]);
  });

  test('are managed policies below the size limit of AWS', async () => {
    const documents = await awsPermissions();
    for (const document of documents) expect(JSON.stringify(document).length).toBeLessThan(6_144);
    const actions = documents.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
    expect(actions).toEqual(await awsActions());
    expect(documents[0]).toMatchObject({
      Version: '2012-10-17',
      Statement: [{ Sid: 'VedetteCollect', Effect: 'Allow', Resource: '*' }],
    });
  });

  test('of an organization are its accounts and the role in each member', () => {
    expect(organizationPermissions('reader', 'aws-us-gov').Statement).toEqual([
      {
        Sid: 'VedetteOrganization',
        Effect: 'Allow',
        Action: ['organizations:ListAccounts', 'organizations:DescribeOrganization'],
        Resource: '*',
      },
      {
        Sid: 'VedetteMembers',
        Effect: 'Allow',
        Action: ['sts:AssumeRole'],
        Resource: 'arn:aws-us-gov:iam::*:role/reader',
      },
    ]);
  });

  test('as Terraform have a role with an external id, and in organizations a stack set', async () => {
    const single = await awsTerraform({});
    expect(single).toContain('variable "sts:ExternalId"'.replace('variable ', 'variable = '));
    expect(single).toContain('resource "aws_iam_role" "vedette"');
    for (const action of await awsActions()) expect(single).toContain(`"${action}"`);
    expect(single).not.toContain('stack_set');
    const all = await awsTerraform({ organization: true, roleName: 'reader' });
    expect(all).toContain('name               = "reader"');
    expect(all).toContain('"RoleName": "reader"');
    expect(all).toContain('permission_model = "SERVICE_MANAGED"');
    // No action was left out of the template of members.
    for (const action of await awsActions()) expect(all.split(`"${action}"`)).toHaveLength(3);
  });
});
