/** What someone can take the second step with, beside a recovery code. A phone is shown by the end of its number. */
export type SecondStepFactor = { id: string; name: string; phoneEnd?: string; isKey?: boolean }

/** One page for each: all security keys together, all authenticators together, one phone, or the codes that were laid by. */
export type Way =
  | { kind: 'app'; factors: SecondStepFactor[] }
  | { kind: 'key'; factors: SecondStepFactor[] }
  | { kind: 'phone'; factor: SecondStepFactor }
  | { kind: 'recovery' }

/** All ways that someone has; the first one is shown unless another is wished for. */
export function waysOf(factors: SecondStepFactor[], hasRecoveryCodes: boolean): Way[] {
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

/** What an address calls a way. */
export function wishFor(way: Way): string {
  return way.kind === 'phone' ? way.factor.id : way.kind
}

/** The words of the link that leads to it. */
export function linkText(way: Way): string {
  if (way.kind === 'key') return 'Use your security key'
  if (way.kind === 'app') return 'Use your authenticator app'
  return way.kind === 'phone' ? `Use your phone that ends in ${way.factor.phoneEnd}` : 'Use a recovery code'
}
