import { describeCases } from './resource-cases.sample.ts';

await describeCases('gcp');
await describeCases('k8s');
