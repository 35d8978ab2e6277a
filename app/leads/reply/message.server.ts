import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { z } from 'zod/mini'
import { db } from '#app/platform/database/db.server.ts'
import { condition, queryRows } from '#app/platform/database/sql.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { type LeadFile, leadMessage, type LeadMessage } from './message.ts'

/** A timeline shows the start of a text, in characters. */
const MOST_SHOWN = 20_000

const messageRow = {
  ...z.omit(leadMessage, { files: true, sendAt: true }).shape,
  sendAt: z.nullable(z.date()),
}

/** Emails with their files, by id. */
export async function readMessages(ids: readonly string[], mostShown = MOST_SHOWN): Promise<Map<string, LeadMessage>> {
  if (ids.length === 0) return new Map()
  const rows = await queryRows(
    db,
    messageRow,
    sql`SELECT id, direction, kind, state, from_name, from_address, reply_to_name, reply_to_address, to_addresses, subject, left(text, ${mostShown}) AS text, length(text) > ${mostShown} AS is_shortened,
        CASE WHEN direction = 'out' THEN html END AS html, direction = 'in' AND html IS NOT NULL AS has_html, has_remote_content, send_at, error
      FROM lead_messages WHERE id = ANY(${[...ids]}::uuid[])`,
  )
  const files = await db
    .selectFrom('leadFiles')
    .selectAll()
    .where(condition`message_id = ANY(${[...ids]}::uuid[])`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const filesOf = (id: string) => files.filter(({ messageId }) => messageId === id).map(toLeadFile)
  return new Map(rows.map(({ sendAt, ...row }) => [row.id, { ...row, sendAt: sendAt?.toISOString() ?? null, files: filesOf(row.id) }]))
}

export function toLeadFile({ id, name, type, size, source, createdAt }: Row<'leadFiles'>): LeadFile {
  return { id, name, type, size, source, createdAt: createdAt.toISOString() }
}

/** Bytes of the attached pictures in one email, each as often as it appears. */
const MOST_PICTURES = 12 * 1024 * 1024

/**
 * The sanitized HTML of a received email, with its attached pictures inside. It loads pictures of other servers only if it has their
 * addresses: a quotation mark is part of no text of an attribute there, so only whole attributes are found.
 */
export async function findMessageHtml(id: string, withRemote: boolean): Promise<string | undefined> {
  const row = await db
    .selectFrom('leadMessages')
    .leftJoin('contacts', 'contacts.id', 'leadMessages.contactId')
    .select('leadMessages.html')
    .where('leadMessages.id', '=', id)
    .where('direction', '=', 'in')
    .where('contacts.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row?.html) return undefined
  const html = await withPictures(id, row.html)
  return withRemote ? html.replaceAll(' data-remote-src="', ' src="') : html
}

const PICTURE = /<img data-inline="([\da-f-]{36})"/g

/** The types were told by the content as the email came; no other one is shown. */
async function withPictures(messageId: string, html: string): Promise<string> {
  const named = [...html.matchAll(PICTURE)].map(([, id = '']) => id)
  if (named.length === 0) return html
  const rows = await db
    .selectFrom('leadFiles')
    .select(['id', 'type', 'size', 'storedAs'])
    .where('messageId', '=', messageId)
    .where('type', 'in', ['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    .where(condition`id = ANY(${named}::uuid[])`)
    .execute()
  let room = MOST_PICTURES
  const sources = new Map<string, string>()
  for (const { id, type, size, storedAs } of rows) {
    const file = (room -= size * named.filter((each) => each === id).length) >= 0 ? await openFile(storedAs) : undefined
    if (file) sources.set(id, `data:${type};base64,${(await buffer(file.stream)).toString('base64')}`)
  }
  return html.replaceAll(PICTURE, (tag, id: string) => (sources.has(id) ? `<img src="${sources.get(id)}"` : tag))
}
