// Who may do what. Roles are no ladder: a cashier sells and does not see the till's books, a viewer sees them and sells nothing.

export const ROLES = ['viewer', 'cashier', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** What a page or action asks for: `anyone` who is signed in, or a role. */
export type Access = 'anyone' | Role

const ALLOWED: Readonly<Record<Access, readonly Role[]>> = {
  anyone: ROLES,
  viewer: ['viewer', 'operator'],
  cashier: ['cashier', 'operator'],
  operator: ['operator'],
}

/** Whether a person of this role passes. */
export const isAllowed = (role: Role, least: Access): boolean => ALLOWED[least].includes(role)
