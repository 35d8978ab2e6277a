import type { OwnPasskey } from './account.ts'
import type { OwnFactor } from '#app/account/session/own-factor.ts'

type StoredFactor = { id: string; name: string | null | undefined; type: string; phone: string | null | undefined; createdAt: string }
type StoredPasskey = { id: string; name: string | null | undefined; createdAt: string; lastUsedAt: string | null; isSynced: boolean }

const names = { app: 'Authenticator', phone: 'Phone', key: 'Security key' }

/** A verified second factor as its owner sees it, with a name also where none was given. */
export function toOwnFactor({ id, name, type, phone, createdAt }: StoredFactor): OwnFactor {
  const kind = kindOf(type)
  return { id, name: name || names[kind], createdAt, kind, phone: phone ? `+${phone.replace('+', '')}` : null }
}

/** A passkey as its owner sees it. */
export function toOwnPasskey({ name, ...passkey }: StoredPasskey): OwnPasskey {
  return { ...passkey, name: name || 'Passkey' }
}

function kindOf(type: string): OwnFactor['kind'] {
  if (type === 'webauthn') return 'key'
  return type === 'phone' ? 'phone' : 'app'
}
