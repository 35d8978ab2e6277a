import { timingSafeEqual } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'

/** The id of the version, and 160 bits of a signature. Letters and digits without a break, so that the log of missing pages masks it. */
const TOKEN = /^([\da-f]{32})([\da-f]{40})$/
const SIGNATURE_CHARACTERS = 40

/** The secret in the address of the client's page. Made from the key of the installation, so the database holds no part of it. */
export function proposalToken(id: string): string {
  return `${id.replaceAll('-', '')}${signatureOf(id)}`
}

export function proposalUrl(id: string): string {
  return `${env.SITE_URL}/proposal/${proposalToken(id)}`
}

/** The version that a token names. */
export async function findByToken(token: string): Promise<Row<'proposals'> | undefined> {
  const [, bare = '', signature = ''] = TOKEN.exec(token) ?? []
  if (!bare) return undefined
  const id = bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(id)))) return undefined
  return db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst()
}

function signatureOf(id: string): string {
  return mac('proposal-page', id).toString('hex').slice(0, SIGNATURE_CHARACTERS)
}
