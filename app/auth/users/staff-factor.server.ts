import { env } from '#app/platform/env.server.ts'
import type { Role } from './role.ts'

/** Staff have this long to set up two-factor authentication. */
const ENROL_MS = 7 * 24 * 3600 * 1000

type Person = { role: Role; staffSince: Date | null; hasFactor: boolean }

/** After the deadline, staff without two-factor authentication have the rights of a customer until they set it up. */
export function effectiveRole(person: Person): Role {
  return staffRoleOf(person).role
}

/** The same, with the paused role and the deadline. */
export function staffRoleOf(person: Person): { role: Role; pausedRole?: Role; factorDueAt?: string } {
  const dueAt = factorDueAt(person)
  if (!dueAt) return { role: person.role }
  const factorDue = { factorDueAt: dueAt.toISOString() }
  return dueAt > new Date() ? { role: person.role, ...factorDue } : { role: 'customer', pausedRole: person.role, ...factorDue }
}

/** The deadline for staff without two-factor authentication; nothing for everyone else. */
function factorDueAt({ role, staffSince, hasFactor }: Person): Date | undefined {
  if (!env.MFA_REQUIRED_FOR_STAFF || role === 'customer' || hasFactor || !staffSince) return undefined
  return new Date(staffSince.getTime() + ENROL_MS)
}
