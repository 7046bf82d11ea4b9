import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Composer',
  prefix: 'composer',
  group: 'data',
  types: [
    {
      type: 'Environment',
      redact: ['config.softwareConfig.envVariables.*', 'config.softwareConfig.airflowConfigOverrides.*'],
    },
  ],
});
