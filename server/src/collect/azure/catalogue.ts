import type { AzureService } from './service.ts';
import apiManagement from './services/api-management.ts';
import authorization from './services/authorization.ts';
import automation from './services/automation.ts';
import batch from './services/batch.ts';
import compute from './services/compute.ts';
import containerApps from './services/container-apps.ts';
import containerInstances from './services/container-instances.ts';
import containerRegistry from './services/container-registry.ts';
import containerService from './services/container-service.ts';
import cosmosDb from './services/cosmos-db.ts';
import dataFactory from './services/data-factory.ts';
import dataLake from './services/data-lake.ts';
import directory from './services/directory.ts';
import guestConfiguration from './services/guest-configuration.ts';
import hdinsight from './services/hdinsight.ts';
import iot from './services/iot.ts';
import keyVault from './services/key-vault.ts';
import kubernetes from './services/kubernetes.ts';
import logic from './services/logic.ts';
import messaging from './services/messaging.ts';
import monitor from './services/monitor.ts';
import mysql from './services/mysql.ts';
import network from './services/network.ts';
import postgresql from './services/postgresql.ts';
import recoveryServices from './services/recovery-services.ts';
import redis from './services/redis.ts';
import resources from './services/resources.ts';
import search from './services/search.ts';
import security from './services/security.ts';
import signalr from './services/signalr.ts';
import sql from './services/sql.ts';
import storage from './services/storage.ts';
import storageCache from './services/storage-cache.ts';
import streamAnalytics from './services/stream-analytics.ts';
import subscription from './services/subscription.ts';
import synapse from './services/synapse.ts';
import trackedTypes from './services/tracked-types.ts';
import web from './services/web.ts';

/** Everything that is collected of Azure. Loaded when a collection runs. */
export const azureServices: readonly AzureService[] = [
  apiManagement,
  authorization,
  automation,
  batch,
  compute,
  containerApps,
  containerInstances,
  containerRegistry,
  containerService,
  cosmosDb,
  dataFactory,
  dataLake,
  directory,
  guestConfiguration,
  hdinsight,
  iot,
  keyVault,
  kubernetes,
  logic,
  messaging,
  monitor,
  mysql,
  network,
  postgresql,
  recoveryServices,
  redis,
  resources,
  search,
  security,
  signalr,
  sql,
  storage,
  storageCache,
  streamAnalytics,
  subscription,
  synapse,
  web,
  ...trackedTypes,
];
