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
const profileReply = Type.Object({ data: ProfileRecord });
const shared = {
  family: {
    name: 'AlertTemplates',
    description: 'The individual templates of an alert profile.',
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
  replies: { 201: profileReply },
});
const change = defineRoute({
  ...shared,
  method: 'PATCH',
  path: `${path}/{alertTemplateName}`,
  summary: 'Update an alert template',
  description: 'Omitted members keep their values. The response contains the whole profile.',
  audit: updated,
  params: Type.Object(template),
  body: TemplateChange,
  replies: { 200: profileReply },
});
/** One client uses POST to update and delete templates; for a deletion it sends null. */
const changeOrRemove = defineRoute({
  ...shared,
  method: 'POST',
  path: `${path}/{alertTemplateName}`,
  summary: 'Update or delete an alert template',
  description: 'An object as body has the effect of PATCH; null or no body has the effect of DELETE.',
  audit: updated,
  params: Type.Object(template),
  body: Type.Union([TemplateChange, Type.Null()], {
    description: 'Members to change, or null to delete the template.',
  }),
  replies: { 200: profileReply, 204: empty('The template was deleted.') },
});
const remove = defineRoute({
  ...shared,
  method: 'DELETE',
  path: `${path}/{alertTemplateName}`,
  summary: 'Delete an alert template',
  description: 'A template that a policy uses cannot be deleted.',
  audit: deleted,
  params: Type.Object(template),
  replies: { 204: empty('The template was deleted.') },
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
