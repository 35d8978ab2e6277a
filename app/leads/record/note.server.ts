import { sql } from 'kysely'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import type { AddedNote } from '#app/leads/lead/note.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { notifyMentioned } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { renderNote } from '#app/leads/lead/note-markdown.server.ts'
import type { LeadNote } from './timeline.ts'

type Author = Actor & { id: string }

/** Adds a note, or one again that was deleted: under its own id, so that the people whom it names are not told again. */
export async function addNote(contactId: string, { text, id }: AddedNote, author: Author): Promise<LeadNote> {
  const html = await renderNote(text)
  const note = await transaction(async (trx) => {
    if (id !== undefined) await refuseKnown(trx, 'leadNotes', id)
    const added = await insert(trx, 'leadNotes', { id: id ?? newId(), contactId, authorId: author.id, text, html })
    await noteLeadEvent(trx, { contactId, kind: 'note_added', actorId: author.id, noteId: added.id })
    await notifyMentioned(trx, added, author.id)
    await audit(trx, 'lead_changed', { ...by(author), subjectId: contactId, detail: { fields: ['note'] } })
    return added
  })
  announceLeads()
  return toNote(note)
}

/** Authors edit their own notes. A version that was edited elsewhere meanwhile is a conflict, with the current note. */
export async function changeNote(
  id: string,
  { text, base }: { text: string; base: string },
  author: Author,
): Promise<LeadNote | undefined> {
  const html = await renderNote(text)
  const changed = await transaction(async (trx) => {
    const note = await trx
      .selectFrom('leadNotes')
      .selectAll()
      .where('id', '=', id)
      .where('authorId', '=', author.id)
      .forUpdate()
      .executeTakeFirst()
    if (!note) return undefined
    if (note.updatedAt.toISOString() !== base)
      stop('conflict', 'You have edited this note elsewhere meanwhile.', { code: 'note_changed', current: toNote(note) })
    await audit(trx, 'lead_changed', { ...by(author), subjectId: note.contactId, detail: { fields: ['note'] } })
    await notifyMentioned(trx, { ...note, text }, author.id)
    return trx
      .updateTable('leadNotes')
      .set({ text, html, updatedAt: new Date() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  if (changed) announceLeads()
  return changed && toNote(changed)
}

/** Deletes an own note; its event remains, without the text. Returns the note, so that an undo can add it again. */
export async function removeNote(id: string, author: Author): Promise<LeadNote | undefined> {
  const removed = await transaction(async (trx) => {
    const note = await trx.deleteFrom('leadNotes').where('id', '=', id).where('authorId', '=', author.id).returningAll().executeTakeFirst()
    if (note) await audit(trx, 'lead_changed', { ...by(author), subjectId: note.contactId, detail: { fields: ['note'] } })
    return note
  })
  if (removed) announceLeads()
  return removed && toNote(removed)
}

/** Refuses a row that exists: it was never deleted, or another undo has restored it. Undos at the same moment run one after the other. */
export async function refuseKnown(trx: Trx, table: 'leadNotes' | 'leadTasks', id: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(trx)
  if (await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst())
    stop('conflict', 'It is there already.', { code: 'not_deleted' })
}

function toNote({ id, text, html, authorId, updatedAt }: Row<'leadNotes'>): LeadNote {
  return { id, text, html, authorId, updatedAt: updatedAt.toISOString() }
}
