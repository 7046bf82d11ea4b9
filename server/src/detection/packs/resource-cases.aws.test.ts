import { describeCases } from './resource-cases.sample.ts';

await describeCases('aws');
