import type { ResourceFacts } from '../../telemetry/resource.ts';
import type { Asset } from './asset.ts';

/** The asset types of which projects, folders and organizations are. */
export const hierarchyTypes = ['Project', 'Folder', 'Organization'].map(
  (type) => `cloudresourcemanager.googleapis.com/${type}`,
);

interface Project {
  readonly id: string;
  readonly name: string;
}

/** Ids and names of projects, folders and organizations: assets refer to them by number. */
export class Hierarchy {
  readonly #projects = new Map<string, Project>();
  /** Display names by `folders/<number>` and `organizations/<number>`. */
  readonly #names = new Map<string, string>();

  /** Ignores assets of other types. */
  add({ assetType, name, resource }: Asset): void {
    if (!resource || !hierarchyTypes.includes(assetType)) return;
    const own = name.split('/').slice(-2).join('/');
    const data = resource.data as Readonly<Record<string, unknown>>;
    if (!own.startsWith('projects/')) this.#names.set(own, stringIn(data.displayName));
    else if (typeof data.projectId === 'string')
      // `name` is the display name in version 1 of the data, and the resource name in version 3.
      this.#projects.set(numberIn(data.projectNumber) ?? own.slice('projects/'.length), {
        id: data.projectId,
        name: stringIn(data.displayName) || stringIn(data.name),
      });
  }

  projectId(number: string): string | undefined {
    return this.#projects.get(number)?.id;
  }

  /** The facts that follow from where an asset is. */
  factsOf({ name, ancestors }: Asset): ResourceFacts {
    const number = idsIn(ancestors, 'projects')[0];
    const project = number === undefined ? undefined : this.#projects.get(number);
    const projectId = project?.id ?? projectInName(name);
    const [organization] = idsIn(ancestors, 'organizations');
    const organizationName = this.#names.get(`organizations/${organization}`);
    const folders = idsIn(ancestors, 'folders');
    const folderNames = folders.flatMap((folder) => this.#names.get(`folders/${folder}`) || []);
    return {
      ...(organization && { ORGANIZATION_ID: organization }),
      ...(organizationName && { ORGANIZATION_NAME: organizationName }),
      ...(number && { PROJECT_NUMBER: number }),
      ...(projectId && { PROJECT_ID: projectId }),
      ...(project?.name && { PROJECT_NAME: project.name }),
      ...(folders.length > 0 && { FOLDER_IDS: JSON.stringify(folders) }),
      ...(folderNames.length > 0 && { FOLDER_NAMES: JSON.stringify(folderNames) }),
    };
  }
}

/** The numbers of a collection among the ancestors, from the closest upwards. */
function idsIn(ancestors: readonly string[], collection: string): string[] {
  return ancestors.flatMap((ancestor) => {
    const [first, id = ''] = ancestor.split('/');
    return first === collection && isNumber(id) ? [id] : [];
  });
}

/** Many names have the project's id, where the project itself is not among the assets. */
function projectInName(name: string): string | undefined {
  const id = /\/projects\/([^/]+)/.exec(name)?.[1];
  return id === undefined || isNumber(id) ? undefined : id;
}

function numberIn(value: unknown): string | undefined {
  const number = String(value);
  return isNumber(number) ? number : undefined;
}

function isNumber(id: string): boolean {
  return /^\d{1,19}$/.test(id);
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
