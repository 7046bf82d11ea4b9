import { describeCases } from '../../testing/resource-cases.ts';

await describeCases('gcp');
await describeCases('k8s');
