import { describeCases } from '../../testing/resource-cases.ts';

await describeCases('azure');
