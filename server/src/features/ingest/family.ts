export const family = {
  name: 'Ingest',
  description: 'Ingestion of records from agents and cloud collectors.',
};
