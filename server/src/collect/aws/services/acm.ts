import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'ACM',
  prefix: 'acm',
  load: () => import('@aws-sdk/client-acm'),
  client: 'ACMClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ACM',
      type: 'acm:certificate',
      call: 'ListCertificates',
      // Without them only RSA keys of two lengths are returned.
      input: {
        MaxItems: 1_000,
        Includes: {
          keyTypes: [
            ...['RSA_1024', 'RSA_2048', 'RSA_3072', 'RSA_4096'],
            ...['EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1'],
          ],
        },
      },
      items: 'CertificateSummaryList',
      id: '{CertificateArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_ACM_DESCRIBE_CERTIFICATE',
          call: 'DescribeCertificate',
          input: { CertificateArn: '{CertificateArn}' },
          config: 'Certificate',
        },
      ],
    },
  ],
});
