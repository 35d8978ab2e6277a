import { PROTECTED } from './rule.ts'

const isProtectedPath = new RegExp(`^(?:${PROTECTED.join('|').replaceAll('.', String.raw`\.`)})(?:/|$)`, 'i')

/** Whether no redirect may answer for a path, in whatever case it is written. */
export function isProtected(path: string): boolean {
  return isProtectedPath.test(path)
}
