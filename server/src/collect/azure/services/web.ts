import { defineAzureService } from '../service.ts';

const secrets = [
  'appSettings.*.value',
  'connectionStrings.*.connectionString',
  'azureStorageAccounts.*.accessKey',
  'metadata.*.value',
  'publishingPassword',
  'machineKey',
];

const siteConfig = {
  type: 'Microsoft.Web/sites/config',
  path: ['config/web', 'config/authsettingsV2'],
  apiVersion: '2023-12-01',
  redact: secrets,
};
const redact = secrets.map((path) => `siteConfig.${path}`);

export default defineAzureService({
  name: 'App Service',
  namespace: 'Microsoft.Web',
  types: [
    { type: 'Microsoft.Web/sites', diagnostics: [''], redact, children: [siteConfig] },
    { type: 'Microsoft.Web/sites/slots', redact },
    { type: 'Microsoft.Web/hostingEnvironments' },
    { type: 'Microsoft.Web/serverFarms' },
    { type: 'Microsoft.Web/staticSites', redact: ['repositoryToken'] },
    { type: 'Microsoft.Web/certificates', redact: ['password', 'pfxBlob', 'cerBlob'] },
    { type: 'Microsoft.Web/connections', redact: ['parameterValues.*', 'customParameterValues.*'] },
  ],
});
