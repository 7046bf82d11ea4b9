import { defineAwsService } from '../service.ts';

const loadBalancer = { LoadBalancerArn: '{LoadBalancerArn}' };

export default defineAwsService({
  name: 'ELBv2',
  prefix: 'elbv2',
  iamPrefix: 'elasticloadbalancing',
  load: () => import('@aws-sdk/client-elastic-load-balancing-v2'),
  client: 'ElasticLoadBalancingV2Client',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ELBV2',
      type: 'elbv2:load-balancer',
      call: 'DescribeLoadBalancers',
      input: { PageSize: 400 },
      items: 'LoadBalancers',
      id: '{LoadBalancerName}',
      arn: '{LoadBalancerArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_ELBV2_DESCRIBE_ATTRIBUTES',
          call: 'DescribeLoadBalancerAttributes',
          input: loadBalancer,
        },
        {
          kind: 'LW_CFG_AWS_ELBV2_DESCRIBE_LISTENERS',
          type: 'elbv2:listener',
          call: 'DescribeListeners',
          input: loadBalancer,
          items: 'Listeners',
          // Queries join it to its load balancer.
          key: '{ListenerArn}',
          redact: ['DefaultActions.*.AuthenticateOidcConfig.ClientSecret'],
        },
      ],
    },
  ],
});
