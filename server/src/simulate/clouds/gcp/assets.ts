import type { Company } from '../../company/company.ts';
import type { CloudObject } from '../cloud-object.ts';
import { asset, created, type ProjectContext, projectContext, projectsOf } from './asset.ts';
import { computeAssets } from './compute.ts';
import { containerAssets } from './containers.ts';
import { dataAssets } from './data.ts';
import { operationAssets } from './operations.ts';

const manager = '//cloudresourcemanager.googleapis.com';

/** The assets of the organization in the form of Cloud Asset Inventory. */
export function* gcpAssets(company: Company, today: number): Generator<CloudObject> {
  yield* organizationAssets(company);
  for (const [index, project] of projectsOf(company).entries()) {
    const context = projectContext(company, project, index, today);
    yield projectAsset(context);
    yield* computeAssets(context);
    yield* containerAssets(context);
    yield* dataAssets(context);
    yield* operationAssets(context);
  }
}

function* organizationAssets(company: Company): Generator<CloudObject> {
  const organization = `organizations/${company.cloud.organizationId}`;
  const administrators = [`group:administrators@${company.domain}`];
  yield asset(
    'cloudresourcemanager.googleapis.com/Organization',
    `${manager}/${organization}`,
    [organization],
    {
      data: { name: organization, displayName: company.domain, state: 'ACTIVE' },
      iamPolicy: {
        bindings: [{ role: 'roles/resourcemanager.organizationAdmin', members: administrators }],
      },
    },
  );
  yield asset(
    'essentialcontacts.googleapis.com/Contact',
    `//essentialcontacts.googleapis.com/${organization}/contacts/1`,
    [organization],
    {
      data: {
        ...{ name: `${organization}/contacts/1`, email: `security@${company.domain}`, languageTag: 'en' },
        notificationCategorySubscriptions: ['LEGAL', 'SECURITY', 'SUSPENSION', 'TECHNICAL'],
        ...{ validationState: 'VALID', validateTime: created },
      },
      parent: `${manager}/${organization}`,
    },
  );
}

function projectAsset({ company, project, one }: ProjectContext): CloudObject {
  const editors = company.people.filter(({ team }) => team === 'data').map(({ email }) => `user:${email}`);
  const types = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'];
  return one(
    'cloudresourcemanager.googleapis.com/Project',
    `${manager}/projects/${project.number}`,
    {
      ...{ projectId: project.id, projectNumber: project.number, name: project.name, createTime: created },
      ...{
        lifecycleState: 'ACTIVE',
        parent: { type: 'organization', id: company.cloud.organizationId },
        labels: { team: 'data' },
      },
    },
    {
      parent: `${manager}/organizations/${company.cloud.organizationId}`,
      iamPolicy: {
        bindings: [{ role: 'roles/editor', members: editors }],
        auditConfigs: [{ service: 'allServices', auditLogConfigs: types.map((logType) => ({ logType })) }],
      },
    },
  );
}
