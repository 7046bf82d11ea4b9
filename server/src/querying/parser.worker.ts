import { workerData } from 'node:worker_threads';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { serve } from '../platform/pool-worker.ts';
import { datasets } from '../telemetry/datasets.ts';
import { detach } from './detached-query.ts';
import { QueryLanguage } from './language.ts';

const { packs } = workerData as { packs: string };
const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: new URL(packs) }));

serve((text: string) => ({ result: detach(language.read(text)) }));
