import { Random } from '../random.ts';
import { type Cloud, createCloud } from './cloud.ts';
import { createImages, type Image } from './image.ts';
import { createMachine, type Machine } from './machine.ts';
import { createPeople, type Person } from './people.ts';

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

/** A simulated online shop: its staff and infrastructure. Deterministic by seed and number of hosts. */
export interface Company extends CompanySize {
  readonly name: string;
  readonly domain: string;
  readonly people: readonly Person[];
  readonly cloud: Cloud;
  readonly images: readonly Image[];
  readonly machines: readonly Machine[];
}

export function createCompany({ hosts, seed }: CompanySize): Company {
  const random = new Random('company', seed, hosts);
  const name = `${random.pick(firstWords)}${random.pick(secondWords)}`;
  const domain = `${name.toLowerCase()}.example`;
  const people = createPeople(hosts, domain, random);
  const cloud = createCloud(name.toLowerCase(), random);
  const images = createImages(cloud);
  const machines = Array.from({ length: hosts }, (_, index) =>
    createMachine(index, { domain, cloud, images, people }, new Random('machine', seed, hosts, index)),
  );
  return { hosts, seed, name, domain, people, cloud, images, machines };
}

/** A host of the role, or any host if the company has none. */
export function machineOf({ machines }: Company, role: Machine['role']['name'], random: Random): Machine {
  const ofRole = machines.filter((machine) => machine.role.name === role);
  return random.pick(ofRole.length > 0 ? ofRole : machines);
}
