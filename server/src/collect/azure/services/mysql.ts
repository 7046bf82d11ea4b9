import { defineAzureService } from '../service.ts';

const flexible = { apiVersion: '2021-05-01', isList: true };
const single = { apiVersion: '2017-12-01', isList: true };

export default defineAzureService({
  name: 'MySQL',
  namespace: 'Microsoft.DBforMySQL',
  types: [
    {
      type: 'Microsoft.DBforMySQL/flexibleServers',
      redact: ['administratorLoginPassword'],
      children: [
        { type: 'Microsoft.DBforMySQL/flexibleServers/configurations', path: 'configurations', ...flexible },
        { type: 'Microsoft.DBforMySQL/flexibleServers/firewallRules', path: 'firewallRules', ...flexible },
      ],
    },
    {
      type: 'Microsoft.DBforMySQL/servers',
      redact: ['administratorLoginPassword'],
      children: [
        { type: 'Microsoft.DBforMySQL/servers/firewallRules', path: 'firewallRules', ...single },
        { type: 'Microsoft.DBforMySQL/servers/keys', path: 'keys', ...single },
      ],
    },
  ],
});
