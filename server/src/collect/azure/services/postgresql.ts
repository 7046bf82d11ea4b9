import { defineAzureService } from '../service.ts';

const flexible = { apiVersion: '2022-12-01', isList: true };
const single = { apiVersion: '2017-12-01', isList: true };

export default defineAzureService({
  name: 'PostgreSQL',
  namespace: 'Microsoft.DBforPostgreSQL',
  types: [
    {
      type: 'Microsoft.DBforPostgreSQL/flexibleServers',
      redact: ['administratorLoginPassword'],
      children: [
        {
          type: 'Microsoft.DBforPostgreSQL/flexibleServers/configurations',
          path: 'configurations',
          ...flexible,
        },
        {
          type: 'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules',
          path: 'firewallRules',
          ...flexible,
        },
      ],
    },
    {
      type: 'Microsoft.DBforPostgreSQL/servers',
      redact: ['administratorLoginPassword'],
      children: [
        { type: 'Microsoft.DBforPostgreSQL/servers/configurations', path: 'configurations', ...single },
        { type: 'Microsoft.DBforPostgreSQL/servers/firewallRules', path: 'firewallRules', ...single },
        { type: 'Microsoft.DBforPostgreSQL/servers/keys', path: 'keys', ...single },
      ],
    },
  ],
});
