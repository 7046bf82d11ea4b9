import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

const loadBalancer = { LoadBalancerName: '{LoadBalancerName}' };

export default defineAwsService({
  name: 'ELB',
  prefix: 'elb',
  iamPrefix: 'elasticloadbalancing',
  load: () => import('@aws-sdk/client-elastic-load-balancing'),
  client: 'ElasticLoadBalancingClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ELB',
      type: 'elb:load-balancer',
      call: 'DescribeLoadBalancers',
      input: { PageSize: 400 },
      items: 'LoadBalancerDescriptions',
      id: '{LoadBalancerName}',
      arn: arnOf('elasticloadbalancing', 'loadbalancer/{LoadBalancerName}'),
      each: [
        {
          kind: 'LW_CFG_AWS_ELB_DESCRIBE_LOAD_BALANCER_ATTRIBUTES',
          call: 'DescribeLoadBalancerAttributes',
          input: loadBalancer,
          config: 'LoadBalancerAttributes',
        },
        {
          kind: 'LW_CFG_AWS_ELB_DESCRIBE_POLICIES',
          call: 'DescribeLoadBalancerPolicies',
          input: loadBalancer,
          items: 'PolicyDescriptions',
          key: arnOf('elasticloadbalancing', 'loadbalancer/{^LoadBalancerName}/policy/{PolicyName}'),
        },
      ],
    },
  ],
});
