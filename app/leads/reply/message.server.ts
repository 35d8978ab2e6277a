import { sql } from 'kysely'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import type { LeadFile, LeadMessage } from './message.ts'

/** A timeline shows the start of a text. */
const MOST_SHOWN = 20_000

const columns = [
  'id',
  'direction',
  'kind',
  'state',
  'fromName',
  'fromAddress',
  'toAddresses',
  'subject',
  'hasRemoteContent',
  'sendAt',
  'error',
] as const

/** Emails with their files, by id. */
export async function readMessages(ids: readonly string[], connection: typeof db | Trx = db): Promise<Map<string, LeadMessage>> {
  if (ids.length === 0) return new Map()
  const rows = await connection
    .selectFrom('leadMessages')
    .select(columns)
    .select([
      sql<string>`left(text, ${MOST_SHOWN})`.as('text'),
      sql<string | null>`CASE WHEN direction = 'out' THEN html END`.as('html'),
      sql<boolean>`direction = 'in' AND html IS NOT NULL`.as('hasHtml'),
    ])
    .where(condition`id = ANY(${[...ids]}::uuid[])`)
    .execute()
  const files = await connection
    .selectFrom('leadFiles')
    .selectAll()
    .where(condition`message_id = ANY(${[...ids]}::uuid[])`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return new Map(
    rows.map(({ sendAt, ...row }) => [
      row.id,
      { ...row, sendAt: sendAt?.toISOString() ?? null, files: files.filter(({ messageId }) => messageId === row.id).map(toLeadFile) },
    ]),
  )
}

export function toLeadFile({ id, name, type, size, source, createdAt }: Row<'leadFiles'>): LeadFile {
  return { id, name, type, size, source, createdAt: createdAt.toISOString() }
}

/** The sanitized HTML of a received email. */
export async function findMessageHtml(id: string): Promise<string | undefined> {
  const row = await db.selectFrom('leadMessages').select('html').where('id', '=', id).where('direction', '=', 'in').executeTakeFirst()
  return row?.html ?? undefined
}
