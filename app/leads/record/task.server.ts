import { sql } from 'kysely'
import { z } from 'zod'
import { notify } from '#app/account/notifications/notification.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { requireOwner } from '#app/leads/lead/desk-fact.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { staffAmong } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { refuseKnown } from './note.server.ts'
import type { AddedTask, LeadTask, TaskChange } from './timeline.ts'

type Person = Actor & { id: string }

/** Adds a task, or one again that was deleted: under its own id, so that a reminder that was told is not told again. */
export async function addTask(contactId: string, body: AddedTask, person: Person): Promise<LeadTask> {
  const task = await transaction(async (trx) => {
    if (body.assigneeId) await requireOwner(trx, body.assigneeId)
    if (body.id !== undefined) await refuseKnown(trx, 'leadTasks', body.id)
    const doneAt = body.isDone ? new Date() : null
    const createdBy = (body.id !== undefined && (await findFormerCreator(trx, contactId, body.id))) || person.id
    const row = { id: body.id ?? newId(), contactId, title: body.title, ...columnsOf(body), doneAt, createdBy }
    const added = await insert(trx, 'leadTasks', row)
    await noteTask(trx, added, 'task_added', person)
    await remind(trx, added)
    return added
  })
  announceLeads()
  return toTask(task)
}

/** Changes a task, finishes it or opens it again. */
export async function changeTask(id: string, change: TaskChange, person: Person): Promise<LeadTask | undefined> {
  const changed = await transaction(async (trx) => {
    const task = await trx.selectFrom('leadTasks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!task) return undefined
    if (change.assigneeId) await requireOwner(trx, change.assigneeId)
    const isDone = change.isDone ?? task.doneAt !== null
    const row = { ...(change.title && { title: change.title }), ...columnsOf(change), doneAt: isDone ? (task.doneAt ?? new Date()) : null }
    const next = await trx.updateTable('leadTasks').set(row).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
    if (isDone !== (task.doneAt !== null)) await noteTask(trx, next, isDone ? 'task_done' : 'task_reopened', person)
    if (next.remindAt?.getTime() !== task.remindAt?.getTime()) await remind(trx, next)
    return next
  })
  if (changed) announceLeads()
  return changed && toTask(changed)
}

/** Returns the task, so that an undo can add it again. */
export async function removeTask(id: string, person: Person): Promise<LeadTask | undefined> {
  const removed = await transaction(async (trx) => {
    const task = await trx.deleteFrom('leadTasks').where('id', '=', id).returningAll().executeTakeFirst()
    if (task) await noteTask(trx, task, 'task_removed', person, { taskId: id, createdBy: task.createdBy })
    return task
  })
  if (removed) announceLeads()
  return removed && toTask(removed)
}

/** An unassigned task is with the person who added it, also after a colleague has deleted it and brought it back. */
async function findFormerCreator(trx: Trx, contactId: string, id: string): Promise<string | null | undefined> {
  const removal = await trx
    .selectFrom('leadEvents')
    .select(sql<string | null>`detail ->> 'createdBy'`.as('createdBy'))
    .where('contactId', '=', contactId)
    .where('kind', '=', 'task_removed')
    .where(condition`detail ->> 'taskId' = ${id.toLowerCase()}`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return removal?.createdBy
}

function columnsOf({ assigneeId, dueAt, remindAt }: TaskChange) {
  const momentOf = (text: string | null) => (text === null ? null : new Date(text))
  return {
    ...(assigneeId !== undefined && { assigneeId }),
    ...(dueAt !== undefined && { dueAt: momentOf(dueAt) }),
    ...(remindAt !== undefined && { remindAt: momentOf(remindAt) }),
  }
}

type TaskEvent = 'task_added' | 'task_done' | 'task_reopened' | 'task_removed'

type TaskRow = Row<'leadTasks'>

async function noteTask(trx: Trx, { contactId, title }: TaskRow, kind: TaskEvent, person: Person, more: object = {}): Promise<void> {
  await noteLeadEvent(trx, { contactId, kind, actorId: person.id, detail: { title, ...more } })
  await audit(trx, 'lead_changed', { ...by(person), subjectId: contactId, detail: { fields: ['task'] } })
}

const JOB = 'leads.remind'

/** An earlier reminder finds another time in the row, and does nothing. */
async function remind(trx: Trx, { id, remindAt }: Row<'leadTasks'>): Promise<void> {
  if (remindAt) await enqueue(trx, { kind: JOB, payload: { taskId: id, at: remindAt.toISOString() }, runAt: remindAt })
}

defineJob(JOB, z.object({ taskId: z.string(), at: z.string() }), async ({ taskId, at }) =>
  transaction(async (trx) => {
    const task = await trx
      .selectFrom('leadTasks')
      .innerJoin('contacts', 'contacts.id', 'leadTasks.contactId')
      .select(['leadTasks.title', 'assigneeId', 'createdBy', 'remindAt', 'reference', 'contacts.id as contactId', 'contacts.name'])
      .where('leadTasks.id', '=', taskId)
      .where('doneAt', 'is', null)
      .where('contacts.deletedAt', 'is', null)
      .executeTakeFirst()
    if (!task || task.remindAt?.toISOString() !== at) return
    const { title, reference, contactId, name } = task
    const to = await staffAmong(trx, [task.assigneeId, task.createdBy])
    const notice = { kind: 'lead' as const, title: `Task: ${title}`.slice(0, 200), body: name.slice(0, 300), link: `/leads/${reference}` }
    await notify(trx, { ...notice, subjectId: contactId, dedupeKey: `task:${taskId}:${at}`, to })
  }),
)

export function toTask({ id, title, assigneeId, dueAt, remindAt, doneAt, createdAt }: Row<'leadTasks'>): LeadTask {
  return {
    id,
    title,
    assigneeId,
    dueAt: dueAt?.toISOString() ?? null,
    remindAt: remindAt?.toISOString() ?? null,
    doneAt: doneAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
