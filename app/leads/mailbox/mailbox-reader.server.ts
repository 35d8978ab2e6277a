import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { db } from '#app/platform/database/db.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { type MailboxAddress, mailboxAddress } from './mailbox-address.server.ts'
import { noteMailboxChecked, noteMailboxFailure } from './mailbox-state.server.ts'
import { HEADER_BYTES, LARGEST_EMAIL, type MailboxPosition, MailboxTaken, receiveEmail } from './receive-email.server.ts'
import { holdTurn, type Turn } from './reading-turn.server.ts'

type Pace = {
  /** Milliseconds between two looks, beside the server's own calls. */
  poll: number
  /** Milliseconds before the first attempt after a failure; each further failure doubles them. */
  retry: number
}

const USUAL: Pace = { poll: 60_000, retry: 1_000 }
const LONGEST_RETRY = 5 * 60_000
/** The first look at a folder goes back so far; older emails are known to their readers. */
const FIRST_DAYS = 30
const DAY_MS = 24 * 3_600_000
/** Emails whose sizes are asked for at once. */
const BATCH = 200

let reader: MailboxReader | undefined

/** Reads the mailbox of `IMAP_URL` from now on. Of several processes, one reads at a time. The database must be open. */
export function startMailbox(pace: Partial<Pace> = {}, address = mailboxAddress()): void {
  if (address) reader ??= new MailboxReader(address, { ...USUAL, ...pace })
}

/** Ends after the email in progress. */
export async function stopMailbox(): Promise<void> {
  await reader?.end()
  reader = undefined
}

class MailboxReader {
  readonly #address: MailboxAddress
  readonly #pace: Pace
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #failures = 0

  constructor(address: MailboxAddress, pace: Pace) {
    this.#address = address
    this.#pace = pace
    this.#running = this.#run()
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const turn = await holdTurn(this.#address.name, signal).catch((error: unknown) => this.#fail(error))
      if (turn) {
        await this.#read(turn).catch((error: unknown) => this.#fail(error))
        await turn.leave()
      }
      if (this.#failures > 0) await this.#rest(Math.min(this.#pace.retry * 2 ** (this.#failures - 1), LONGEST_RETRY))
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    const withJitter = milliseconds * (0.75 + Math.random() / 2)
    await sleep(withJitter, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined)
  }

  /** The reason is told to staff; a log has only its code, because a server's answer can have anything in it. */
  async #fail(reason: unknown): Promise<undefined> {
    if (this.#ending.signal.aborted) return undefined
    if (!(reason instanceof MailboxTaken)) {
      this.#failures += 1
      log.warn({ code: propertyOf(reason, 'code'), attempt: this.#failures }, 'the mailbox of replies cannot be read now')
      await noteMailboxFailure(this.#address.name, sentenceOf(reason, this.#address)).catch(() => undefined)
    }
    return undefined
  }

  /** One connection, until it ends. */
  async #read(turn: Turn): Promise<void> {
    const client = await clientOf(this.#address)
    // Without a listener, an error would end the process. The next command fails with it.
    client.on('error', () => {})
    const close = () => client.close()
    const signal = AbortSignal.any([this.#ending.signal, turn.lost])
    if (signal.aborted) return
    signal.addEventListener('abort', close)
    try {
      await client.connect()
      // Read only: no email is marked as seen, and the folder stays as it is.
      await client.mailboxOpen(this.#address.folder, { readOnly: true })
      await this.#follow(client, signal)
    } finally {
      signal.removeEventListener('abort', close)
      client.close()
    }
  }

  async #follow(client: ImapFlow, signal: AbortSignal): Promise<void> {
    for (;;) {
      const news = new AbortController()
      const wake = () => news.abort()
      client.on('exists', wake).on('close', wake)
      let position = await positionOf(client, this.#address.name)
      for await (const email of listNew(client, position, signal)) position = await receiveEmail(position, email)
      await noteMailboxChecked(this.#address.name)
      this.#failures = 0
      if (client.usable && !news.signal.aborted) {
        void client.idle().catch(() => undefined)
        await sleep(this.#pace.poll, undefined, { signal: news.signal, ref: false }).catch(() => undefined)
      }
      client.off('exists', wake).off('close', wake)
      if (signal.aborted) return
      if (!client.usable) throw Object.assign(new Error('The connection was lost.'), { code: 'NoConnection' })
    }
  }
}

/** Loads the library here, because most installations have no mailbox. */
async function clientOf({ host, port, isSecure, user, password }: MailboxAddress): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  return new ImapFlow({
    host,
    port,
    secure: isSecure,
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20_000,
    socketTimeout: 120_000,
    maxLineLength: 16 * 1024 * 1024,
    // The longest is one email of the largest size.
    maxLiteralSize: LARGEST_EMAIL + 1024 * 1024,
    maxResponseSize: LARGEST_EMAIL + 20 * 1024 * 1024,
  })
}

/** The position in the open folder. A new folder, or one whose UIDs were reset, is read from some weeks ago. */
async function positionOf(client: ImapFlow, name: string): Promise<MailboxPosition> {
  const folder = client.mailbox
  if (!folder) throw Object.assign(new Error('No folder is open.'), { code: 'NoConnection' })
  const uidValidity = Number(folder.uidValidity)
  const known = await db.selectFrom('mailboxes').selectAll().where('name', '=', name).executeTakeFirst()
  if (known?.uidValidity === uidValidity) return { name, uidValidity, lastUid: known.lastUid }
  const since = new Date((known?.checkedAt?.getTime() ?? Date.now()) - FIRST_DAYS * DAY_MS)
  const recent = (await client.search({ since }, { uid: true })) || []
  const lastUid = (recent.length > 0 ? Math.min(...minima(recent)) : folder.uidNext) - 1
  await db
    .insertInto('mailboxes')
    .values({ name, uidValidity, lastUid })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ uidValidity, lastUid }))
    .execute()
  return { name, uidValidity, lastUid }
}

/** The least of each thousand, because a call takes only so many arguments. */
function minima(numbers: number[]): number[] {
  const parts: number[] = []
  for (let at = 0; at < numbers.length; at += 1000) parts.push(Math.min(...numbers.slice(at, at + 1000)))
  return parts
}

/** The emails after a position, oldest first. Each is in memory alone. */
async function* listNew(client: ImapFlow, { lastUid }: MailboxPosition, signal: AbortSignal) {
  // The server's `*` is its last email, also where that is older.
  const uids = ((await client.search({ uid: `${lastUid + 1}:*` }, { uid: true })) || [])
    .filter((uid) => uid > lastUid)
    .toSorted((one, other) => one - other)
  for (let at = 0; at < uids.length; at += BATCH) {
    const batch = await client.fetchAll(uids.slice(at, at + BATCH), { uid: true, size: true, internalDate: true }, { uid: true })
    for (const { uid, size = 0, internalDate } of batch.toSorted((one, other) => one.uid - other.uid)) {
      if (signal.aborted) return
      const isLarge = size > LARGEST_EMAIL
      const part = { start: 0, maxLength: isLarge ? HEADER_BYTES : LARGEST_EMAIL + 1 }
      const found = await client.fetchOne(String(uid), { source: part }, { uid: true })
      // Deleted meanwhile.
      if (!found || !found.source) continue
      // Some servers tell a size that is not that of the email.
      const whole = isLarge ? size : found.source.length
      const bytes = whole > LARGEST_EMAIL ? found.source.subarray(0, HEADER_BYTES) : found.source
      yield { uid, size: whole, bytes, receivedAt: new Date(internalDate ?? Date.now()) }
    }
  }
}

/** Why the mailbox cannot be read, in a sentence for staff. */
function sentenceOf(error: unknown, { host, folder }: MailboxAddress): string {
  const code = propertyOf(error, 'code')
  if (propertyOf(error, 'authenticationFailed') === 'true') return `${host} refuses the user name or the password of IMAP_URL.`
  if (/^(NONEXISTENT)$/i.test(propertyOf(error, 'serverResponseCode')) || propertyOf(error, 'mailboxMissing') === 'true')
    return `There is no folder ${folder} at ${host}.`
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED/.test(code)) return `The certificate of ${host} cannot be trusted.`
  if (/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|GREETING_TIMEOUT)$/i.test(code))
    return `${host} cannot be reached.`
  return `The connection to ${host} was lost.`
}
