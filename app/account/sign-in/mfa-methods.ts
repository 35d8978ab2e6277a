/** One of a person's second factors. A phone is shown by the end of its number. */
export type MfaFactor = { id: string; name: string; phoneEnd?: string; isKey?: boolean }

/** Each has its own page: all security keys together, all authenticators together, one phone, or the recovery codes. */
export type MfaMethod =
  | { kind: 'app'; factors: MfaFactor[] }
  | { kind: 'key'; factors: MfaFactor[] }
  | { kind: 'phone'; factor: MfaFactor }
  | { kind: 'recovery' }

/** All methods of a person; the first one is the default. */
export function waysOf(factors: MfaFactor[], hasRecoveryCodes: boolean): MfaMethod[] {
  const keys = factors.filter(({ isKey }) => isKey)
  const apps = factors.filter(({ phoneEnd, isKey }) => phoneEnd === undefined && !isKey)
  const phones = factors.filter(({ phoneEnd }) => phoneEnd !== undefined)
  return [
    ...(keys.length > 0 ? [{ kind: 'key', factors: keys } as const] : []),
    ...(apps.length > 0 ? [{ kind: 'app', factors: apps } as const] : []),
    ...phones.map((factor) => ({ kind: 'phone', factor }) as const),
    ...(hasRecoveryCodes ? [{ kind: 'recovery' } as const] : []),
  ]
}

/** The name of a factor in the URL. */
export function mfaChallengeFor(way: MfaMethod): string {
  return way.kind === 'phone' ? way.factor.id : way.kind
}

/** The text of the link to it. */
export function linkText(way: MfaMethod): string {
  if (way.kind === 'key') return 'Use your security key'
  if (way.kind === 'app') return 'Use your authenticator app'
  return way.kind === 'phone' ? `Use your phone ending in ${way.factor.phoneEnd}` : 'Use a recovery code'
}
