import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ResourceSection } from '../../datasources/resource-section.ts';
import { shippedPacks } from '../../detection/packs/pack.ts';
import { azureServices } from './catalogue.ts';
import { describeAzure } from './description.ts';
import { azurePermissions, plainAzurePermissions, terraformAzurePermissions } from './permissions.ts';
import { subscriptionReadings, tenantReadings } from './plan.ts';
import { AzureScope } from './scope.ts';
import { AzureSession } from './session.ts';

const kinds = await describeAzure();
const names = kinds.map(({ kind }) => kind);
const section = new ResourceSection(new URL('datasources/resources.tsv', shippedPacks()));

describe('the kinds of Azure', () => {
  test('are datasources, each filled once', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => section.find(name) === undefined)).toEqual([]);
    expect(names.length).toBeGreaterThan(390);
  });

  test('are those of the readings of a subscription and of a tenant', () => {
    const scope = new AzureScope({ id: 'tenant', name: '' });
    const session = new AzureSession(undefined as never, scope);
    const readings = [
      ...subscriptionReadings(session, azureServices),
      ...tenantReadings(session, azureServices),
    ];
    expect(readings.flatMap((reading) => reading.kinds).sort()).toEqual([...names].sort());
    expect(new Set(readings.map(({ id }) => id)).size).toBe(readings.length);
    expect(new Set(readings.map(({ region }) => region))).toEqual(new Set(['global']));
  });

  test('include every datasource that a built-in policy or query reads', () => {
    const packs = shippedPacks();
    const files = readdirSync(packs, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(yaml|lql)$/.test(file),
    );
    const read = files
      .filter((file) => !file.startsWith('profiles'))
      .flatMap(
        (file) => readFileSync(new URL(file, packs), 'utf8').match(/\bLW_CFG_AZURE_[A-Z0-9_]+/g) ?? [],
      );
    expect(files.length).toBeGreaterThan(20);
    const others = ['LW_CFG_AZURE_ALL', 'LW_CFG_AZURE_DEFAULT_PROFILE'];
    expect(read.filter((name) => !others.includes(name) && !names.includes(name))).toEqual([]);
  });

  test('of the first wave are all there', () => {
    const firstWave = [
      ...[
        'STORAGE_STORAGEACCOUNTS',
        'STORAGE_STORAGEACCOUNTS_BLOBSERVICES',
        'STORAGE_STORAGEACCOUNTS_FILESERVICES',
      ],
      ...['STORAGE_STORAGEACCOUNTS_BLOBSERVICES_CONTAINERS', 'COMPUTE_VIRTUALMACHINES', 'COMPUTE_DISKS'],
      ...['COMPUTE_VIRTUALMACHINES_EXTENSIONS', 'NETWORK_NETWORKSECURITYGROUPS', 'NETWORK_VIRTUALNETWORKS'],
      ...['NETWORK_NETWORKINTERFACES', 'NETWORK_PUBLICIPADDRESSES', 'NETWORK_NETWORKWATCHERS'],
      ...[
        'NETWORK_NETWORKWATCHERS_FLOWLOGS',
        'NETWORK_BASTIONHOSTS',
        'SQL_SERVERS',
        'SQL_SERVERS_ADMINISTRATORS',
      ],
      ...['SQL_SERVERS_ADVANCEDTHREATPROTECTIONSETTINGS', 'SQL_SERVERS_ENCRYPTIONPROTECTOR'],
      ...[
        'SQL_SERVERS_FIREWALLRULES',
        'SQL_SERVERS_VULNERABILITY_ASSESSMENTS',
        'SQL_SERVERS_AUDITINGSETTINGS',
      ],
      ...['SQL_SERVERS_SECURITYALERTPOLICIES', 'SQL_SERVERS_DATABASES'],
      ...['SQL_SERVERS_DATABASES_TRANSPARENTDATAENCRYPTION', 'DBFORPOSTGRESQL_FLEXIBLESERVERS'],
      ...['DBFORPOSTGRESQL_FLEXIBLESERVERS_CONFIGURATIONS', 'DBFORPOSTGRESQL_FLEXIBLESERVERS_FIREWALLRULES'],
      ...['DBFORPOSTGRESQL_SERVERS', 'DBFORPOSTGRESQL_SERVERS_CONFIGURATIONS', 'DBFORMYSQL_FLEXIBLESERVERS'],
      ...['DBFORMYSQL_FLEXIBLESERVERS_CONFIGURATIONS', 'DBFORMYSQL_SERVERS', 'DOCUMENTDB_DATABASEACCOUNTS'],
      ...[
        'KEYVAULT_VAULTS',
        'KEYVAULT_VAULTS_KEYS',
        'KEYVAULT_VAULTS_SECRETS',
        'WEB_SITES',
        'WEB_SITES_CONFIG',
      ],
      ...['CONTAINERSERVICE_MANAGEDCLUSTERS', 'CONTAINERREGISTRY_REGISTRIES', 'SECURITY_PRICINGS'],
      ...['SECURITY_ASSESSMENTS', 'SECURITY_SECURITYCONTACTS', 'SECURITY_SETTINGS'],
      ...['SECURITY_AUTOPROVISIONINGSETTINGS', 'INSIGHTS_ACTIVITYLOGALERTS', 'INSIGHTS_DIAGNOSTICSETTINGS'],
      ...[
        'AUTHORIZATION_ROLEASSIGNMENTS',
        'AUTHORIZATION_ROLEDEFINITIONS',
        'AUTHORIZATION_POLICYASSIGNMENTS',
      ],
      ...['AUTHORIZATION_LOCKS', 'INSIGHTS_COMPONENTS', 'INSIGHTS_LOGPROFILES', 'GRAPH_USER'],
      ...['GRAPH_DIRECTORYROLE', 'GRAPH_AUTHORIZATIONPOLICY', 'GRAPH_CONDITIONALACCESSPOLICY'],
      ...[
        'GRAPH_NAMEDLOCATION',
        'GRAPH_IDENTITYSECURITYDEFAULTSENFORCEMENTPOLICY',
        'RESOURCES_SUBSCRIPTIONS',
      ],
    ];
    expect(firstWave.filter((name) => !names.includes(`LW_CFG_AZURE_${name}`))).toEqual([]);
  });

  test('are declared by every file of the services', () => {
    const folder = new URL('services/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
    // One file declares the types that have nothing but a row, of many namespaces.
    const ownFiles = azureServices.filter(({ namespace }) => namespace.startsWith('Microsoft.'));
    expect(files).toHaveLength(ownFiles.length + 1);
    const types = kinds
      .map(({ resourceType }) => resourceType)
      .filter((type) => !/^microsoft\.[a-z0-9]+\/[a-z0-9/]+$/.test(type));
    expect(types).toEqual([]);
  });
});

describe('the permissions', () => {
  test('are the read actions of all types, and those of the directory', async () => {
    const { actions, graph } = await azurePermissions();
    expect(actions.filter((action) => !action.endsWith('/read'))).toEqual([]);
    expect(actions).toEqual(
      expect.arrayContaining([
        'Microsoft.Authorization/permissions/read',
        'Microsoft.Insights/diagnosticSettings/read',
        'Microsoft.ResourceGraph/resources/read',
        'Microsoft.Storage/storageAccounts/blobServices/containers/read',
        'Microsoft.Storage/storageAccounts/read',
      ]),
    );
    expect(graph).toEqual([
      ...[
        'AccessReview.Read.All',
        'AdministrativeUnit.Read.All',
        'Application.Read.All',
        'AuditLog.Read.All',
      ],
      ...[
        'Directory.Read.All',
        'Domain.Read.All',
        'Group.Read.All',
        'Organization.Read.All',
        'Policy.Read.All',
      ],
      ...['RoleManagement.Read.Directory', 'User.Read.All'],
    ]);
  });

  test('are printed for people and for Terraform', async () => {
    const permissions = await azurePermissions();
    const plain = plainAzurePermissions(permissions);
    for (const name of [...permissions.actions, ...permissions.graph]) expect(plain).toContain(`  ${name}\n`);
    const terraform = terraformAzurePermissions(permissions);
    for (const name of permissions.graph) expect(terraform).toContain(`    "${name}",\n`);
    expect(terraform).toContain('role_definition_name = "Reader"');
    expect(terraform.split('{').length).toBe(terraform.split('}').length);
  });
});
