import { awsPermissions, type PolicyDocument } from './aws-policy.ts';

/** The longest name of a role that AWS accepts is 64 characters; this is also that of the members' role. */
export const defaultRoleName = 'vedette-collector';

export interface TerraformOptions {
  readonly roleName?: string;
  /** Creates the role in all accounts of the organization, by a stack set of its management account. */
  readonly organization?: boolean;
}

/** Terraform configuration of a role with the least rights, which the service's account may assume with an external id. */
export async function awsTerraform({
  roleName = defaultRoleName,
  organization = false,
}: TerraformOptions): Promise<string> {
  const documents = await awsPermissions();
  const parts = [variables, trust, role(roleName), ...documents.map(policy), outputs];
  if (organization) parts.push(stackSet(roleName, documents));
  return `${parts.join('\n')}`;
}

const variables = `variable "service_account_arn" {
  description = "ARN of the account, role or user that Vedette runs as."
  type        = string
}

variable "external_id" {
  description = "External id of the integration: a secret that is shared with nobody else."
  type        = string
}
`;

const trust = `data "aws_iam_policy_document" "vedette_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "AWS"
      identifiers = [var.service_account_arn]
    }

    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = [var.external_id]
    }
  }
}
`;

function role(name: string): string {
  return `resource "aws_iam_role" "vedette" {
  name               = ${JSON.stringify(name)}
  assume_role_policy = data.aws_iam_policy_document.vedette_trust.json
}
`;
}

function policy(document: PolicyDocument, index: number): string {
  const name = `vedette_collect_${index + 1}`;
  return `resource "aws_iam_policy" "${name}" {
  name = "${name.replaceAll('_', '-')}"
  policy = jsonencode(${JSON.stringify(document, undefined, 2).replaceAll('\n', '\n  ')})
}

resource "aws_iam_role_policy_attachment" "${name}" {
  role       = aws_iam_role.vedette.name
  policy_arn = aws_iam_policy.${name}.arn
}
`;
}

const outputs = `output "vedette_role_arn" {
  description = "roleArn of the integration."
  value       = aws_iam_role.vedette.arn
}
`;

/** Stack sets of the organization create the role in members that join later, too. */
function stackSet(roleName: string, documents: readonly PolicyDocument[]): string {
  const policies = documents.map((document, index) => ({
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: {
      ManagedPolicyName: `vedette-collect-${index + 1}`,
      PolicyDocument: document,
      Roles: [{ Ref: 'Role' }],
    },
  }));
  const template = {
    Parameters: { ServiceAccountArn: { Type: 'String' }, ExternalId: { Type: 'String', NoEcho: true } },
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: roleName,
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Principal: { AWS: { Ref: 'ServiceAccountArn' } },
                Action: 'sts:AssumeRole',
                Condition: { StringEquals: { 'sts:ExternalId': { Ref: 'ExternalId' } } },
              },
            ],
          },
        },
      },
      ...Object.fromEntries(policies.map((resource, index) => [`Policy${index + 1}`, resource])),
    },
  };
  return `data "aws_organizations_organization" "this" {}

resource "aws_cloudformation_stack_set" "vedette" {
  name             = "vedette-collector"
  permission_model = "SERVICE_MANAGED"
  capabilities     = ["CAPABILITY_NAMED_IAM"]

  auto_deployment {
    enabled                          = true
    retain_stacks_on_account_removal = false
  }

  parameters = {
    ServiceAccountArn = var.service_account_arn
    ExternalId        = var.external_id
  }

  template_body = jsonencode(${JSON.stringify(template, undefined, 2).replaceAll('\n', '\n  ')})
}

resource "aws_cloudformation_stack_set_instance" "vedette" {
  stack_set_name = aws_cloudformation_stack_set.vedette.name
  region         = "us-east-1"

  deployment_targets {
    organizational_unit_ids = data.aws_organizations_organization.this.roots[*].id
  }
}
`;
}
