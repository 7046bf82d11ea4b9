import { Random } from '../random.ts';
import { type Cloud, openCloud } from './cloud.ts';
import { type Image, publishImages } from './image.ts';
import { build, type Machine } from './machine.ts';
import { hire, type Person } from './people.ts';

const firstWords = [
  'Amber',
  'Birch',
  'Copper',
  'Elder',
  'Fern',
  'Harbour',
  'Juniper',
  'Linden',
  'Quarry',
  'Tide',
];
const secondWords = ['field', 'gate', 'hill', 'light', 'mill', 'stone', 'water', 'wood'];

export interface CompanySize {
  readonly hosts: number;
  readonly seed: number;
}

/** A shop on the internet: who works there and what runs. It is the same for the same seed and number of hosts. */
export interface Company extends CompanySize {
  readonly name: string;
  readonly domain: string;
  readonly people: readonly Person[];
  readonly cloud: Cloud;
  readonly images: readonly Image[];
  readonly machines: readonly Machine[];
}

export function foundCompany({ hosts, seed }: CompanySize): Company {
  const random = new Random('company', seed, hosts);
  const name = `${random.pick(firstWords)}${random.pick(secondWords)}`;
  const domain = `${name.toLowerCase()}.example`;
  const people = hire(hosts, domain, random);
  const cloud = openCloud(name.toLowerCase(), random);
  const images = publishImages(domain);
  const machines = Array.from({ length: hosts }, (_, index) =>
    build(index, { domain, cloud, images, people }, new Random('machine', seed, hosts, index)),
  );
  return { hosts, seed, name, domain, people, cloud, images, machines };
}

/** A machine of the role, or any when the company is too small to have one. */
export function machineOf({ machines }: Company, role: Machine['role']['name'], random: Random): Machine {
  const fitting = machines.filter((machine) => machine.role.name === role);
  return random.pick(fitting.length > 0 ? fitting : machines);
}
