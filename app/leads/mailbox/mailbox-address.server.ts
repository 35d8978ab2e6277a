import { env } from '#app/platform/env.server.ts'

/** The mailbox of `IMAP_URL`. `name` is how the database knows it; it holds no secret. */
export type MailboxAddress = { host: string; port: number; isSecure: boolean; user: string; password: string; folder: string; name: string }

/** Undefined where no mailbox is connected. */
export function mailboxAddress(): MailboxAddress | undefined {
  return env.IMAP_URL ? mailboxAddressOf(env.IMAP_URL) : undefined
}

/** The parts of a setting that was checked. */
export function mailboxAddressOf(setting: string): MailboxAddress {
  const { protocol, hostname, port: written, username, password, pathname } = new URL(setting)
  const isSecure = protocol === 'imaps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = Number(written || (isSecure ? 993 : 143))
  const user = decodeURIComponent(username)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  return { host, port, isSecure, user, password: decodeURIComponent(password), folder, name: `${user}@${host}:${port}/${folder}` }
}
