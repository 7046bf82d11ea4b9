import type { Provider, ResourceOrigin } from '../telemetry/served-datasource.ts';

/** Services without regions, by their names in the list of kinds. */
const globalServices: Readonly<Partial<Record<Provider, readonly string[]>>> = {
  aws: [
    ...['Account', 'Accounts', 'Budgets', 'CloudFront', 'Cost Explorer', 'Cost Optimization Hub'],
    ...['Free Tier', 'IAM', 'Organizations', 'Route 53', 'Route 53 Domains', 'WAF'],
  ],
  gcp: [
    ...['Cloud Billing', 'Cloud Resource Manager', 'Essential Contact', 'Identity and Access Management'],
    ...['Organization Policy', 'Service Usage'],
  ],
  oci: ['IAM'],
};

/** Whether resources of this kind have no region. */
export function isGlobal({ provider, kind }: ResourceOrigin): boolean {
  return kind !== undefined && (globalServices[provider]?.includes(kind.service) ?? false);
}
