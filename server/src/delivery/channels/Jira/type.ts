import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, choice, dataUri, destination, requiredString } from '../../../integrations/members.ts';
import { issueGrouping } from '../../issue-grouping.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'Jira',
  description: 'Opens issues in Jira.',
  data: Type.Object({
    jiraType: choice(['JIRA_CLOUD', 'JIRA_SERVER'], 'Edition of Jira.'),
    jiraUrl: destination(requiredString('Host, without a scheme.')),
    issueType: requiredString('Type of the issues, for example Bug.', 200),
    projectId: requiredString('Key of the project.', 200),
    username: requiredString('User that opens the issues.', 320),
    apiToken: Type.Optional(blankSecret('API token, for JIRA_CLOUD.')),
    password: Type.Optional(blankSecret('Password, for JIRA_SERVER.')),
    issueGrouping: Type.Optional(issueGrouping),
    bidirectionalConfig: Type.Optional(
      choice(
        ['Bidirectional', 'Unidirectional'],
        '`Bidirectional`: closing an alert adds a comment to its issue. Defaults to `Unidirectional`.',
      ),
    ),
    customTemplateFile: Type.Optional(dataUri('Template of the issues: JSON as a base64 data URI.')),
  }),
  check: ({ jiraType, apiToken, password }) => {
    const [needed, given] = jiraType === 'JIRA_CLOUD' ? ['apiToken', apiToken] : ['password', password];
    return given === undefined ? `data.${needed} is required with ${jiraType}: add it.` : undefined;
  },
});
