import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { ReplyTemplate, TemplateBody } from './reply.ts'

const MOST_TEMPLATES = 200

/** In the order that staff have given them. */
export async function listTemplates(): Promise<ReplyTemplate[]> {
  const rows = await db.selectFrom('leadTemplates').selectAll().orderBy('position').orderBy('id').limit(MOST_TEMPLATES).execute()
  return rows.map(toTemplate)
}

/** A new template is the last. */
export async function addTemplate(given: TemplateBody, actor: Actor & { id: string }): Promise<ReplyTemplate> {
  return orNameTaken(async () =>
    transaction(async (trx) => {
      const { last } = await trx
        .selectFrom('leadTemplates')
        .select(({ fn }) => fn.max('position').as('last'))
        .executeTakeFirstOrThrow()
      const added = await insert(trx, 'leadTemplates', { ...given, position: (last ?? 0) + 1, updatedBy: actor.id })
      await audit(trx, 'lead_templates_changed', { ...by(actor), detail: { template: added.id, change: 'added' } })
      return toTemplate(added)
    }),
  )
}

/** Nothing is stored where someone else changed the template meanwhile: a conflict with the current one. */
export async function changeTemplate(
  id: string,
  { base, ...given }: TemplateBody & { base: string },
  actor: Actor & { id: string },
): Promise<ReplyTemplate | undefined> {
  return orNameTaken(async () =>
    transaction(async (trx) => {
      const before = await trx.selectFrom('leadTemplates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (!before) return undefined
      if (before.updatedAt.toISOString() !== base)
        stop('conflict', 'Someone else has changed this template meanwhile.', { code: 'template_changed', current: toTemplate(before) })
      const changed = await trx
        .updateTable('leadTemplates')
        .set({ ...given, updatedBy: actor.id, updatedAt: new Date() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await audit(trx, 'lead_templates_changed', { ...by(actor), detail: { template: id, change: 'changed' } })
      return toTemplate(changed)
    }),
  )
}

/** Returns the deleted template, so that an undo can add it again. */
export async function removeTemplate(id: string, actor: Actor): Promise<ReplyTemplate | undefined> {
  return transaction(async (trx) => {
    const removed = await trx.deleteFrom('leadTemplates').where('id', '=', id).returningAll().executeTakeFirst()
    if (removed) await audit(trx, 'lead_templates_changed', { ...by(actor), detail: { template: id, change: 'removed' } })
    return removed && toTemplate(removed)
  })
}

/** Templates that are not named keep their order behind the others. */
export async function orderTemplates(ids: string[], actor: Actor): Promise<ReplyTemplate[]> {
  await transaction(async (trx) => {
    const known = await trx.selectFrom('leadTemplates').select('id').orderBy('position').orderBy('id').forUpdate().execute()
    const rest = known.map(({ id }) => id).filter((id) => !ids.includes(id))
    for (const [at, id] of [...new Set(ids), ...rest].entries())
      await trx
        .updateTable('leadTemplates')
        .set({ position: at + 1 })
        .where('id', '=', id)
        .execute()
    await audit(trx, 'lead_templates_changed', { ...by(actor), detail: { change: 'ordered' } })
  })
  return listTemplates()
}

/** The Markdown at the end of a person's replies; empty without one. */
export async function readSignature(userId: string): Promise<string> {
  const row = await db.selectFrom('leadSignatures').select('text').where('userId', '=', userId).executeTakeFirst()
  return row?.text ?? ''
}

export async function saveSignature(userId: string, text: string): Promise<void> {
  const updatedAt = new Date()
  await db
    .insertInto('leadSignatures')
    .values({ userId, text, updatedAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ text, updatedAt }))
    .execute()
}

async function orNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!breaks(error, 'lead_templates_name_key')) throw error
    const sentence = 'Another template has this name.'
    return stop('unprocessable', sentence, { code: 'validation_failed', errors: { name: sentence } })
  }
}

function toTemplate({ id, name, subject, text, updatedAt }: Row<'leadTemplates'>): ReplyTemplate {
  return { id, name, subject, text, updatedAt: updatedAt.toISOString() }
}
