import { PROTECTED } from './rule.ts'

const isProtectedPath = new RegExp(`^(?:${PROTECTED.join('|').replaceAll('.', String.raw`\.`)})(?:/|$)`, 'i')

/** Ignores case. */
export function isProtected(path: string): boolean {
  return isProtectedPath.test(path)
}
