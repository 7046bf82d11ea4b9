const organizationRoles = ['orgAdmin', 'orgUser'] as const;
export const accountRoles = ['accountAdmin', 'accountUser'] as const;
export const roles = [...organizationRoles, ...accountRoles] as const;

export type OrganizationRole = (typeof organizationRoles)[number];
export type AccountRole = (typeof accountRoles)[number];
export type Role = (typeof roles)[number];

export function isOrganizationRole(role: string): role is OrganizationRole {
  return organizationRoles.some((candidate) => candidate === role);
}

export function isRole(role: string): role is Role {
  return roles.some((candidate) => candidate === role);
}
