import { withMember } from '../../inventory/member.ts';
import { defineAwsService } from '../service.ts';
import { withoutUser } from '../stored-config.ts';

export default defineAwsService({
  name: 'SNS',
  prefix: 'sns',
  load: () => import('@aws-sdk/client-sns'),
  client: 'SNSClient',
  regions: 'each',
  // docs.aws.amazon.com/general/latest/gr/sns.html
  rate: { perSecond: 30 },
  reads: [
    {
      kind: 'LW_CFG_AWS_SNS_TOPICS',
      type: 'sns:topic',
      call: 'ListTopics',
      items: 'Topics',
      id: '{TopicArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_SNS_GET_TOPIC_ATTRIBUTES',
          call: 'GetTopicAttributes',
          input: { TopicArn: '{TopicArn}' },
          json: ['Attributes.Policy', 'Attributes.EffectiveDeliveryPolicy', 'Attributes.DeliveryPolicy'],
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_SNS_SUBSCRIPTIONS',
      type: 'sns:subscription',
      call: 'ListSubscriptions',
      items: 'Subscriptions',
      id: '{SubscriptionArn}',
      // The ARN of all that are not confirmed is `PendingConfirmation`.
      key: '{TopicArn} {Protocol} {Endpoint} {SubscriptionArn}',
      urls: ['Endpoint'],
      // The key has it too.
      extend: async (item) => withMember(item, 'Endpoint', withoutUser),
    },
  ],
});
