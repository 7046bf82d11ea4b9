import { membersOf, stringOf, type TrailEvent } from '../evaluation/trail-event.ts';
import { awsPhrases } from './aws-phrases.ts';
import { enumerate, fillPhrase, inline, lastSegment, pastTense, withArticle, wordsOf } from './phrase.ts';

type Members = Readonly<Record<string, unknown>>;

const denied = /AccessDenied|Unauthorized/;

/** `zoe stopped trail main in account 123456789012 (eu-west-1) from 203.0.113.7`. */
export function awsCall(event: TrailEvent): string {
  const { account, region, address } = event;
  const where =
    account === '' ? '' : ` in account ${inline(account)}${region === '' ? '' : ` (${inline(region)})`}`;
  // Calls by AWS services have a service name in place of an address.
  const from = /^[\d.]+$|:/.test(address) ? ` from ${inline(address)}` : '';
  const through = from === '' && address.endsWith('.amazonaws.com') ? ` through ${inline(address)}` : '';
  return `${actorOf(event)} ${actionOf(event)}${where}${from}${through}`;
}

function actorOf({ userName, identityType }: TrailEvent): string {
  if (identityType === 'Root') return 'the root user';
  return inline(userName) || 'an unknown caller';
}

function actionOf(event: TrailEvent): string {
  const { api, service, errorCode, raw } = event;
  const call = `${service.split('.')[0]}:${api}`;
  if (denied.test(errorCode)) return `was denied ${inline(call)} (${inline(errorCode)})`;
  if (stringOf(membersOf(raw.responseElements).ConsoleLogin) === 'Failure')
    return 'failed to sign in to the AWS console';
  if (errorCode !== '') return `called ${inline(call)}, which failed with ${inline(errorCode)}`;
  const phrase = Object.hasOwn(awsPhrases, api) ? awsPhrases[api] : undefined;
  if (phrase === undefined) return byName(event) ?? `called ${inline(call)}`;
  return fillPhrase(phrase, (path) => (path.startsWith('$') ? derived(path, event) : parameter(raw, path)));
}

/** `DeleteNetworkAcl` of `acl-1`: deleted network ACL acl-1. */
function byName({ api, resources }: TrailEvent): string | undefined {
  const [verb = '', ...object] = wordsOf(api);
  const did = pastTense(verb.toLowerCase());
  if (did === undefined || object.length === 0) return undefined;
  const [resource] = resources;
  const noun = object.join(' ');
  if (resource) return `${did} ${noun} ${inline(lastSegment(resource.value))}`;
  return `${did} ${/s$/.test(noun) ? noun : withArticle(noun)}`;
}

function parameter({ requestParameters }: Members, path: string): string {
  const value = path.split('.').reduce<unknown>((inner, name) => membersOf(inner)[name], requestParameters);
  return inline(lastSegment(stringOf(value)));
}

function derived(name: string, { raw, mfa }: TrailEvent): string {
  const parameters = membersOf(raw.requestParameters);
  if (name === '$mfa') return mfa ? 'with MFA' : 'without MFA';
  if (name === '$switched') return parameters.enable === false ? 'disabled' : 'changed';
  if (name === '$sharing') return sharedWith(parameters) === '' ? 'changed the sharing of' : 'shared';
  if (name === '$shared') return sharedWith(parameters);
  const permissions = itemsOf(parameters.ipPermissions).map(membersOf);
  if (name === '$ports') return enumerate([...new Set(permissions.map(portsOf))].filter(Boolean));
  return enumerate(
    [...new Set([...permissions.flatMap(rangesOf), stringOf(parameters.cidrIp)])].filter(Boolean),
  );
}

function portsOf({ ipProtocol, fromPort, toPort }: Members): string {
  const [protocol, from, to] = [inline(ipProtocol, 20), inline(fromPort, 20), inline(toPort, 20)];
  if (protocol === '-1') return 'all ports';
  if (from === '' || from === '-1') return protocol === '' ? '' : `all ${protocol.toUpperCase()} ports`;
  return from === to || to === '' ? `port ${from}` : `ports ${from}-${to}`;
}

function rangesOf({ ipRanges, ipv6Ranges }: Members): string[] {
  const ranges = [...itemsOf(ipRanges), ...itemsOf(ipv6Ranges)].map(membersOf);
  return ranges.map(({ cidrIp, cidrIpv6 }) => inline(cidrIp) || inline(cidrIpv6));
}

function sharedWith({ createVolumePermission, launchPermission, valuesToAdd }: Members): string {
  const added = [createVolumePermission, launchPermission].flatMap((each) => itemsOf(membersOf(each).add));
  const names = [
    ...added.map(membersOf).map(({ group, userId }) => inline(group) || inline(userId)),
    ...(Array.isArray(valuesToAdd) ? valuesToAdd.map((value) => inline(value)) : []),
  ].filter(Boolean);
  return names.includes('all') ? 'everyone' : enumerate(names.map((name) => `account ${name}`));
}

function itemsOf(value: unknown): unknown[] {
  const { items } = membersOf(value);
  return Array.isArray(items) ? items.slice(0, 50) : [];
}
