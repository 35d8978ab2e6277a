/** What a second factor is called in a sentence. */
export function nameOfKind(factorType: 'totp' | 'phone'): string {
  return factorType === 'totp' ? 'an authenticator app' : 'a phone number'
}
