import { timingSafeEqual } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import type { Row } from '#db/tables.ts'

/** The id of the enquiry, and 160 bits of a signature. Letters and digits without a break, so that the log of missing pages masks it. */
const TOKEN = /^([\da-f]{32})([\da-f]{40})$/
const SIGNATURE_CHARACTERS = 40
/** An address works for so long. */
const KEPT_DAYS = 365

/** The version of a new lead's page: the default of the column. */
export const FIRST_PAGE_VERSION = 1

export type PageOf = Pick<Row<'leads'>, 'contactId' | 'pageVersion'>

/** The address of the visitor's own page. Made from the key of the installation, so the database holds no part of it. */
export function pageUrlOf({ contactId, pageVersion }: PageOf): string {
  const id = contactId.replaceAll('-', '')
  return `${env.SITE_URL}/enquiry/${id}${signatureOf(contactId, pageVersion)}`
}

/** The enquiry that a token names, unless it is wrong, revoked or a year old, or the enquiry is deleted. */
export async function findEnquiryId(token: string): Promise<string | undefined> {
  const [, bare = '', signature = ''] = TOKEN.exec(token) ?? []
  if (!bare) return undefined
  const id = bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const lead = await findOpenPage(id)
  if (!lead) return undefined
  const expected = Buffer.from(signatureOf(lead.contactId, lead.pageVersion))
  return timingSafeEqual(Buffer.from(signature), expected) ? lead.contactId : undefined
}

/** The page of an enquiry, unless it is revoked or a year old, or the enquiry is deleted. */
export async function findOpenPage(contactId: string): Promise<PageOf | undefined> {
  return db
    .selectFrom('leads')
    .innerJoin('contacts', 'contacts.id', 'leads.contactId')
    .select(['leads.contactId', 'leads.pageVersion'])
    .where('leads.contactId', '=', contactId)
    .where('leads.pageRevokedAt', 'is', null)
    .where('contacts.deletedAt', 'is', null)
    .where('contacts.createdAt', '>', daysAgo(KEPT_DAYS))
    .executeTakeFirst()
}

function signatureOf(contactId: string, pageVersion: number): string {
  return mac('enquiry-page', `${contactId}:${pageVersion}`).toString('hex').slice(0, SIGNATURE_CHARACTERS)
}
