import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'App Engine',
  prefix: 'appengine',
  group: 'containers',
  types: [
    { type: 'Application', redact: ['iap.oauth2ClientSecret'] },
    'Service',
    { type: 'Version', redact: ['envVariables.*', 'buildEnvVariables.*', 'betaSettings.*'] },
  ],
});
