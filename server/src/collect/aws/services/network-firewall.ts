import { defineAwsService } from '../service.ts';

const firewall = { FirewallArn: '{FirewallArn}' };

export default defineAwsService({
  name: 'Network Firewall',
  prefix: 'network-firewall',
  load: () => import('@aws-sdk/client-network-firewall'),
  client: 'NetworkFirewallClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_NETWORK_FIREWALL_FIREWALLS',
      type: 'network-firewall:firewall',
      call: 'ListFirewalls',
      items: 'Firewalls',
      id: '{FirewallName}',
      arn: '{FirewallArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_NETWORK_FIREWALL_DESCRIBE_FIREWALL',
          call: 'DescribeFirewall',
          input: firewall,
          config: 'Firewall',
          tags: 'Firewall.Tags',
        },
        {
          kind: 'LW_CFG_AWS_NETWORK_FIREWALL_DESCRIBE_LOGGING_CONFIGURATION',
          call: 'DescribeLoggingConfiguration',
          input: firewall,
        },
      ],
    },
  ],
});
