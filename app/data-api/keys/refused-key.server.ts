import { noteRefusal } from '#app/auth/users/refused.server.ts'
import { visitorKey } from '#app/platform/guard/limits.server.ts'
import type { Row } from '#db/tables.ts'

type Refused = { key: Row<'apiKeys'>; address: string; reason: string; path?: string | undefined }

/** Records what an API key was refused. The key names the account; another person may be using it. */
export function noteRefusedKey({ key, address, reason, path }: Refused): void {
  noteRefusal({
    action: 'access_refused',
    account: `key:${key.countedAs}`,
    subjectId: key.userId,
    address,
    detail: { key: key.id, prefix: key.prefix, reason, ...(path && { path }) },
  })
}

/** Records a well-formed key that does not exist. It names no account, so it counts by network address. */
export function noteUnknownKey(address: string): void {
  noteRefusal({ action: 'access_refused', account: `key:${visitorKey(address)}`, address, detail: { reason: 'invalid_key' } })
}
