import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import type { ListedTask, TaskQuery } from './my-tasks.ts'

const SHOWN = 200

const taskRow = {
  id: z.string(),
  kind: z.enum(['task', 'step']),
  title: z.string().nullable(),
  assigneeId: z.string().nullable(),
  dueAt: z.date().nullable(),
  remindAt: z.date().nullable(),
  doneAt: z.date().nullable(),
  reference: z.string(),
  name: z.string(),
  company: z.string().nullable(),
}

/** The tasks of a person, or of everyone. A task without an assignee is that of whoever added it. */
export async function listTasks({ who, state }: TaskQuery, userId: string): Promise<{ tasks: ListedTask[]; hasMore: boolean }> {
  const person = who === 'me' ? userId : who
  const isTheirs = (column: RawBuilder<unknown>) => (who === 'all' ? sql`true` : sql`${column} = ${person}::uuid`)
  const assignee = sql`coalesce(task.assignee_id, task.created_by)`
  const tasks = (isDone: boolean) => sql`
    SELECT task.id, 'task' AS kind, task.title, ${assignee} AS assignee_id, task.due_at, task.remind_at, task.done_at, task.contact_id
    FROM lead_tasks AS task JOIN leads AS lead ON lead.contact_id = task.contact_id AND lead.is_listed
    WHERE ${isDone ? sql`task.done_at IS NOT NULL` : sql`task.done_at IS NULL`} AND ${isTheirs(assignee)}`
  // The next step of a lead that is won or lost is no longer one.
  const steps = sql`
    SELECT lead.contact_id AS id, 'step' AS kind, lead.next_step AS title, lead.owner_id AS assignee_id, lead.next_step_at AS due_at,
      NULL::timestamptz AS remind_at, NULL::timestamptz AS done_at, lead.contact_id
    FROM leads AS lead JOIN lead_stages AS stage ON stage.id = lead.stage_id AND stage.outcome = 'open'
    WHERE lead.is_listed AND (lead.next_step IS NOT NULL OR lead.next_step_at IS NOT NULL) AND ${isTheirs(sql`lead.owner_id`)}`
  const [all, order] =
    state === 'open'
      ? [sql`${tasks(false)} UNION ALL ${steps}`, sql`found.due_at NULLS LAST, found.title, found.id`]
      : [tasks(true), sql`found.done_at DESC, found.id`]
  const rows = await queryRows(
    db,
    taskRow,
    sql`SELECT found.*, contact.reference, contact.name, contact.company
      FROM (SELECT * FROM (${all}) AS found ORDER BY ${order} LIMIT ${SHOWN + 1}) AS found
      JOIN contacts AS contact ON contact.id = found.contact_id ORDER BY ${order}`,
  )
  return { tasks: rows.slice(0, SHOWN).map(toListed), hasMore: rows.length > SHOWN }
}

function toListed({ dueAt, remindAt, doneAt, ...row }: z.infer<z.ZodObject<typeof taskRow>>): ListedTask {
  const text = (at: Date | null) => at?.toISOString() ?? null
  return { ...row, dueAt: text(dueAt), remindAt: text(remindAt), doneAt: text(doneAt) }
}
