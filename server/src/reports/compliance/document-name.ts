import type { DocumentFormat } from './document-request.ts';

/** The name under which a document is saved: letters, digits and a few signs only, as the id is the client's. */
export function documentName(
  reportType: string,
  cloudAccount: string,
  format: DocumentFormat,
  day = '',
): string {
  const words = [reportType, cloudAccount, ...(day && [day])].join('-');
  return `${words.replaceAll(/[^\w.-]+/g, '_').slice(-150)}.${format}`;
}
