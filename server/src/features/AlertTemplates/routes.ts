import { Type } from 'typebox';
import type { AlertProfiles } from '../../detection/profiles/alert-profiles.ts';
import { ProfileRecord } from '../../detection/profiles/record.ts';
import { AlertTemplate, TemplateChange } from '../../detection/profiles/template.ts';
import { empty } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';

const path = '/api/v2/AlertProfiles/{alertProfileId}/AlertTemplates';
const profile = {
  alertProfileId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifier of the profile (alertProfileId).',
  }),
};
const template = {
  ...profile,
  alertTemplateName: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the template.' }),
};
const whole = Type.Object({ data: ProfileRecord });
const shared = {
  family: {
    name: 'AlertTemplates',
    description: 'The templates of an alert profile, one by one.',
    record: AlertTemplate,
  },
  access: 'write',
  refuses: ['NOT_FOUND', 'CONFLICT'],
} as const;
const [updated, deleted] = ['Alert Template Updated', 'Alert Template Deleted'] as const;

const add = defineRoute({
  ...shared,
  method: 'POST',
  path,
  summary: 'Add a template to an alert profile',
  audit: 'Alert Template Created',
  params: Type.Object(profile),
  body: AlertTemplate,
  replies: { 201: whole },
});
const change = defineRoute({
  ...shared,
  method: 'PATCH',
  path: `${path}/{alertTemplateName}`,
  summary: 'Change members of a template',
  description: 'Members that are left out stay. The answer is the whole profile.',
  audit: updated,
  params: Type.Object(template),
  body: TemplateChange,
  replies: { 200: whole },
});
/** One client changes and deletes templates by POST; to delete one it sends null. */
const changeOrRemove = defineRoute({
  ...shared,
  method: 'POST',
  path: `${path}/{alertTemplateName}`,
  summary: 'Change members of a template, or delete it',
  description: 'With an object the same as PATCH; with null or without a body the same as DELETE.',
  audit: updated,
  params: Type.Object(template),
  body: Type.Union([TemplateChange, Type.Null()], { description: 'Members to change, or null to delete.' }),
  replies: { 200: whole, 204: empty('It is gone.') },
});
const remove = defineRoute({
  ...shared,
  method: 'DELETE',
  path: `${path}/{alertTemplateName}`,
  summary: 'Delete a template',
  description: 'Not while a policy uses it.',
  audit: deleted,
  params: Type.Object(template),
  replies: { 204: empty('It is gone.') },
});

export const alertTemplateRoutes = ({ profiles }: { profiles: AlertProfiles }) => [
  add.handle(async ({ actor, params: { alertProfileId }, body }) => ({
    status: 201,
    body: { data: await profiles.addTemplate(actor, alertProfileId, body) },
  })),
  change.handle(async ({ actor, params: { alertProfileId, alertTemplateName }, body }) => ({
    status: 200,
    body: { data: await profiles.changeTemplate(actor, alertProfileId, alertTemplateName, body) },
  })),
  changeOrRemove.handle(async ({ actor, params: { alertProfileId, alertTemplateName }, body }) => {
    if (body) {
      const data = await profiles.changeTemplate(actor, alertProfileId, alertTemplateName, body);
      return { status: 200, body: { data } };
    }
    await profiles.deleteTemplate({ ...actor, act: deleted }, alertProfileId, alertTemplateName);
    return { status: 204 };
  }),
  remove.handle(async ({ actor, params: { alertProfileId, alertTemplateName } }) => {
    await profiles.deleteTemplate(actor, alertProfileId, alertTemplateName);
    return { status: 204 };
  }),
];
