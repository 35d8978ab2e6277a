/** A name that none of one's authenticators has yet. */
export function freeName(taken: readonly string[]): string {
  const names = ['Authenticator', ...Array.from({ length: taken.length + 1 }, (_, index) => `Authenticator ${index + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? ''
}
