import type { Cloud, KindDescription } from './inventory/cloud.ts';

/** Loads the declarations of each cloud when they are asked for, without the clients of the providers. */
const described: Readonly<Record<Cloud, () => Promise<KindDescription[]>>> = {
  aws: async () => (await import('./aws/catalogue.ts')).describeAws(),
  gcp: async () => (await import('./gcp/description.ts')).describeGcp(),
  azure: async () => (await import('./azure/description.ts')).describeAzure(),
  k8s: async () => (await import('./k8s/describe.ts')).describeK8s(),
};

/** The kinds that are collected of a cloud, from the declarations of its services, sorted. */
export async function describeCloud(cloud: Cloud): Promise<KindDescription[]> {
  return (await described[cloud]()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}
