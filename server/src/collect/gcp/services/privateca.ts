import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Certificate Authority Service',
  prefix: 'privateca',
  group: 'security',
  types: [
    'CaPool',
    'Certificate',
    'CertificateAuthority',
    'CertificateRevocationList',
    'CertificateTemplate',
  ],
});
