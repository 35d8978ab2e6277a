export type FactorKind = 'totp' | 'phone' | 'webauthn'

const names = { totp: 'an authenticator app', phone: 'a phone number', webauthn: 'a security key' }

/** What a second factor is called in a sentence. */
export function nameOfKind(factorType: FactorKind): string {
  return names[factorType]
}
