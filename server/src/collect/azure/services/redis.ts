import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Cache for Redis',
  namespace: 'Microsoft.Cache',
  types: [
    {
      type: 'Microsoft.Cache/redis',
      redact: [
        'accessKeys.*',
        'redisConfiguration.rdb-storage-connection-string',
        'redisConfiguration.aof-storage-connection-string-0',
        'redisConfiguration.aof-storage-connection-string-1',
      ],
    },
    { type: 'Microsoft.Cache/redisEnterprise' },
  ],
});
