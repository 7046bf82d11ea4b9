import { table } from '../../telemetry/markdown.ts';
import type { BuiltInPolicy } from './policy.ts';

const section = /(?<=<!-- policies -->\n)[\s\S]*(?=<!-- end of policies -->)/;

/** Updates the list of policies in the page. */
export function updatedList(page: string, policies: readonly BuiltInPolicy[]): string {
  const rows = policies.map(
    ({ number, title, severity, policyType, folder, enabled }) =>
      `| ${number} | ${enabled ? '•' : ''} | ${title} | ${severity} | ${policyType} | \`${folder}\` |`,
  );
  const list = table('| lacework-global- | on | policy | severity | type | folder |', rows);
  return page.replace(section, () => `\n${list}\n`);
}
