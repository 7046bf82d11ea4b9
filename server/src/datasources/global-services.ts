import type { Provider, ResourceOrigin } from '../telemetry/served-datasource.ts';

/** Services whose resources are in no region, by the names that the list of kinds has for them. */
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

/** Whether resources of this kind are in no region. */
export function isGlobal({ provider, kind }: ResourceOrigin): boolean {
  return kind !== undefined && (globalServices[provider]?.includes(kind.service) ?? false);
}
