import { sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'

/** The newest versions of proposals by their reference, title, and the name or company of their lead. */
export async function findProposals(q: string, limit: number): Promise<{ reference: string; title: string; lead: string }[]> {
  const part = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return queryRows(
    db,
    { reference: z.string(), title: z.string(), lead: z.string() },
    sql`SELECT DISTINCT ON (p.reference) p.reference, p.content->>'title' AS title, contact.reference AS lead
    FROM proposals AS p JOIN contacts AS contact ON contact.id = p.contact_id
    WHERE contact.deleted_at IS NULL AND (p.reference ILIKE ${part} OR p.content->>'title' ILIKE ${part} OR contact.name ILIKE ${part} OR contact.company ILIKE ${part})
    ORDER BY p.reference, p.number DESC LIMIT ${limit}`,
  )
}
