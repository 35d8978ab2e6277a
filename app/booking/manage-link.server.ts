import { createHash } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'

/** The form of a token: 192 bits. */
export const MANAGE_TOKEN = /^[\w-]{32}$/

/** Made from the key of the installation, so that each email can repeat it while the database holds only its hash. */
export function manageToken({ id, manageVersion }: Pick<Row<'bookings'>, 'id' | 'manageVersion'>): string {
  return macText('booking-manage', `${id}:${manageVersion}`).slice(0, 32)
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Shows that staff have proposed a time for a booking as it is now, so that its guest may agree to it, also outside of the hours. */
export function proposalProof({ id, sequence }: Pick<Row<'bookings'>, 'id' | 'sequence'>, startsAt: Date): string {
  return macText('booking-proposal', `${id}:${sequence}:${startsAt.toISOString()}`).slice(0, 32)
}

/** The address at which a guest changes or cancels. */
export function manageUrl(booking: Pick<Row<'bookings'>, 'id' | 'manageVersion'>): string {
  return `${env.SITE_URL}/book/manage/${manageToken(booking)}`
}
