/** The hosts of one Azure cloud. Tokens are issued for the two APIs. */
export interface AzureEndpoints {
  readonly login: string;
  readonly management: string;
  readonly graph: string;
}

export type AzureApiName = 'management' | 'graph';

export const azureClouds = {
  public: {
    login: 'https://login.microsoftonline.com',
    management: 'https://management.azure.com',
    graph: 'https://graph.microsoft.com',
  },
  usgovernment: {
    login: 'https://login.microsoftonline.us',
    management: 'https://management.usgovcloudapi.net',
    graph: 'https://graph.microsoft.us',
  },
  china: {
    login: 'https://login.partner.microsoftonline.cn',
    management: 'https://management.chinacloudapi.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
  },
} as const satisfies Record<string, AzureEndpoints>;

export type AzureCloudName = keyof typeof azureClouds;

/** The variables by which the tools of Azure are told their cloud, and the values that name each one. */
const cloudOfValue: Readonly<Record<string, AzureCloudName>> = {
  azureusgovernment: 'usgovernment',
  usgovernment: 'usgovernment',
  'login.microsoftonline.us': 'usgovernment',
  azurechinacloud: 'china',
  china: 'china',
  'login.chinacloudapi.cn': 'china',
  'login.partner.microsoftonline.cn': 'china',
};

/** The cloud that AZURE_AUTHORITY_HOST or AZURE_ENVIRONMENT names, or else the public one. */
export function azureCloudIn(environment: NodeJS.ProcessEnv): AzureCloudName {
  const { AZURE_AUTHORITY_HOST = '', AZURE_ENVIRONMENT = '' } = environment;
  const host = AZURE_AUTHORITY_HOST.replace(/^https:\/\//, '').replace(/\/.*$/, '');
  return cloudOfValue[(host || AZURE_ENVIRONMENT).toLowerCase()] ?? 'public';
}
