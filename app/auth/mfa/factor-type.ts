export type FactorType = 'totp' | 'phone' | 'webauthn'

const names = { totp: 'an authenticator app', phone: 'a phone number', webauthn: 'a security key' }

/** The name of a second factor within a sentence. */
export function nameOfKind(factorType: FactorType): string {
  return names[factorType]
}
