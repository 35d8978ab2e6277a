import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { nameOf } from '#app/auth/users/user-name.ts'
import { confirmsWithoutProof, currentAccountRows, currentAccounts } from '#app/auth/users/account.server.ts'
import type { LeadMessage } from '#app/leads/reply/message.ts'
import { readMessages } from '#app/leads/reply/message.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { momentIn } from '#app/platform/time/iso-moment.ts'
import type { TimelineEntry } from './timeline.ts'

const entryRow = {
  id: z.string(),
  kind: z.string(),
  at: z.date(),
  /** With microseconds, which a JavaScript date does not have. */
  position: z.string(),
  reference: z.string(),
  actorId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  noteId: z.string().nullable(),
  messageId: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  authorId: z.string().nullable(),
  updatedAt: z.date().nullable(),
}

type Asked = { contactId: string; scope: 'lead' | 'person'; cursor: string | undefined; limit: number }

/** The timeline of a lead, or of everything from its person, newest first. */
export async function readTimeline({ contactId, scope, cursor, limit }: Asked) {
  const leads =
    scope === 'lead'
      ? sql`SELECT id, reference, created_at FROM contacts WHERE id = ${contactId}::uuid`
      : sql`SELECT id, reference, created_at FROM contacts
          WHERE person_id = (SELECT person_id FROM contacts WHERE id = ${contactId}::uuid) AND quarantined_at IS NULL AND deleted_at IS NULL`
  const before = readPosition(cursor)
  const past = before ? sql`(at, id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql`true`
  const rows = await queryRowsBehind(
    entryRow,
    sql`WITH lead AS MATERIALIZED (${leads}),
      entry AS (
        SELECT * FROM lead CROSS JOIN LATERAL (
          SELECT event.id AS event_id, kind, event.created_at AS at, actor_id, detail, note_id, message_id FROM lead_events AS event
          WHERE event.contact_id = lead.id AND ${before ? sql`event.created_at <= ${before.at}::timestamptz` : sql`true`}
          ORDER BY event.created_at DESC, event.id DESC LIMIT ${limit + 200}) AS events
        UNION ALL SELECT *, id, 'received', created_at, NULL, '{}', NULL, NULL FROM lead
        ${scope === 'person' ? accountEntries({ contactId, before: before?.at, limit }) : sql``})
    SELECT page.id, page.kind, page.at, page.at::text AS position, page.reference, page.actor_id, page.detail, page.message_id, note.id AS note_id, note.text, note.html,
      note.author_id, note.updated_at
    FROM (SELECT * FROM (SELECT event_id AS id, kind, at, reference, actor_id, detail, note_id, message_id FROM entry) AS entries WHERE ${past}
      ORDER BY at DESC, id DESC LIMIT ${limit + 1}) AS page
    LEFT JOIN lead_notes AS note ON note.id = page.note_id ORDER BY page.at DESC, page.id DESC`,
  )
  const shown = rows.slice(0, limit)
  const names = await namesOf(shown.flatMap(({ actorId }) => actorId ?? []))
  const messages = await readMessages(shown.flatMap(({ messageId }) => messageId ?? []))
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { entries: shown.map((row) => toEntry(row, names, messages)), nextCursor: last ? `${last.position}~${last.id}` : null }
}

type AccountAsked = { contactId: string; before: string | undefined; limit: number }

/** The events of the person's accounts. Only an account with a proven address is theirs. Two of them can be in the organization that got access. */
function accountEntries({ contactId, before, limit }: AccountAsked) {
  const past = before ? sql`event.created_at <= ${before}::timestamptz` : sql`true`
  return sql`UNION ALL SELECT DISTINCT own.id, own.reference, own.created_at, done.id, done.kind, done.created_at, NULL::uuid, done.detail, NULL::uuid, NULL::uuid
    FROM contacts AS own CROSS JOIN LATERAL (${accountsOf(sql`own.person_id`)}) AS account CROSS JOIN LATERAL (
      SELECT account.id, 'account_created' AS kind, account.created_at, '{}'::jsonb AS detail
      UNION ALL SELECT * FROM (
        SELECT event.id, event.kind, event.created_at, jsonb_build_object('title', product.name) FROM (
          SELECT id, 'downloaded' AS kind, created_at, product_id FROM downloads WHERE user_id = account.id
          UNION ALL SELECT id, 'access_requested', created_at, product_id FROM product_requests WHERE user_id = account.id
          UNION ALL SELECT entitlements.id, 'access_granted', entitlements.created_at, product_id FROM entitlements
            JOIN organization_members AS member ON member.organization_id = entitlements.organization_id WHERE member.user_id = account.id) AS event
        JOIN data_products AS product ON product.id = event.product_id
        WHERE ${past} ORDER BY event.created_at DESC, event.id DESC LIMIT ${limit + 200}) AS events) AS done
    WHERE own.id = ${contactId}::uuid`
}

/** The accounts of a person: of their address, and of those that were merged into them. */
export function accountsOf(personId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT account.id, account.created_at FROM ${currentAccountRows} AS account
    WHERE ${confirmsWithoutProof ? sql`false` : sql`account.email_proven`} AND account.email IN
      (SELECT people.email FROM people WHERE people.id = ${personId} OR people.merged_into = ${personId})`
}

function toEntry(
  { at, position: _position, noteId, messageId, text, html, authorId, updatedAt, ...row }: z.infer<z.ZodObject<typeof entryRow>>,
  names: Map<string, string>,
  messages: Map<string, LeadMessage>,
): TimelineEntry {
  const isNote = noteId !== null && text !== null && html !== null && updatedAt !== null
  return {
    ...row,
    at: at.toISOString(),
    actorName: (row.actorId && names.get(row.actorId)) ?? null,
    note: isNote ? { id: noteId, text, html, authorId, updatedAt: updatedAt.toISOString() } : null,
    message: (messageId && messages.get(messageId)) || null,
  }
}

async function namesOf(ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await currentAccounts()
    .select(['id', 'email', 'userMetadata'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, email, userMetadata }) => [id, nameOf(userMetadata) ?? email ?? 'No name']))
}

const POSITION = /^([1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00)~([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function readPosition(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = POSITION.exec(cursor) ?? []
  if (!at || !id || !momentIn(at.replace('+00', 'Z'))) return stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  return { at, id }
}
