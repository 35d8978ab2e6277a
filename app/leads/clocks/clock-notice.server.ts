import { sql } from 'kysely'
import { z } from 'zod'
import { listAccountIds } from '#app/auth/users/account.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { hourAndMinute } from '#app/platform/time/clock.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRow, queryRows } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { clockLabels, clockName } from '#app/leads/lead/promises.ts'
import { CLOCK_LOCK } from '#app/leads/lead/service-hours.server.ts'

const JOB = 'leads.clock-notices'
const WARNING_MINUTES = 15
/** At most so many leads per run; the next run tells the rest. */
const BATCH = 200
/** Longer than the time until the next run. */
const LOOK_AHEAD_MS = 120_000

const warning = sql`${WARNING_MINUTES} * interval '1 minute'`

const toldClock = {
  contactId: z.string(),
  clock: clockName,
  dueAt: z.date(),
  name: z.string(),
  reference: z.string(),
  ownerId: z.nullable(z.string()),
}
type Told = z.infer<z.ZodObject<typeof toldClock>>

/**
 * Tells staff about each running clock once 15 minutes before its breach, and once at the breach. The mark on the clock and the notice are
 * one transaction: several processes, or a killed one, tell it exactly once.
 */
export async function tellClocks(now = new Date()): Promise<void> {
  const staff = await listAccountIds(['staff', 'owner'], { isEffective: true })
  const count = await transaction(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock_shared(${CLOCK_LOCK})`.execute(trx)
    const broken = await mark(trx, now, 'breach')
    const near = await mark(trx, now, 'warning')
    const jobs = [...noticesOf(broken, 'breach', staff), ...noticesOf(near, 'warning', staff)]
    if (jobs.length > 0) await enqueue(trx, ...jobs)
    return Math.max(broken.length, near.length)
  })
  await planNext(now, count >= BATCH)
}

type NoticeKind = 'warning' | 'breach'

/** Marks due clocks. Another process waits for the rows, and then finds them marked. A breach makes its warning pointless. */
async function mark(trx: Trx, now: Date, kind: NoticeKind): Promise<Told[]> {
  const isDue =
    kind === 'breach'
      ? sql`breach_told_at IS NULL AND due_at <= ${now}`
      : sql`breach_told_at IS NULL AND warned_at IS NULL AND due_at > ${now} AND due_at <= ${now}::timestamptz + ${warning}`
  const marks =
    kind === 'breach' ? sql`breach_told_at = ${now}, warned_at = coalesce(lead_clocks.warned_at, ${now})` : sql`warned_at = ${now}`
  return queryRows(
    trx,
    toldClock,
    sql`WITH due AS (SELECT contact_id, clock FROM lead_clocks WHERE state = 'running' AND ${isDue}
        ORDER BY due_at, contact_id, clock LIMIT ${BATCH} FOR UPDATE),
      marked AS (UPDATE lead_clocks SET ${marks} FROM due
        WHERE lead_clocks.contact_id = due.contact_id AND lead_clocks.clock = due.clock
        RETURNING lead_clocks.contact_id, lead_clocks.clock, lead_clocks.due_at)
      SELECT marked.contact_id, marked.clock, marked.due_at, contacts.name, contacts.reference, leads.owner_id
      FROM marked JOIN contacts ON contacts.id = marked.contact_id JOIN leads ON leads.contact_id = marked.contact_id
      ORDER BY marked.due_at, marked.contact_id, marked.clock`,
  )
}

/** One notice for the clocks of a lead that end at the same instant. */
function noticesOf(told: readonly Told[], kind: NoticeKind, staff: readonly string[]): NewJob[] {
  const groups = Map.groupBy(told, ({ contactId, dueAt }) => `${contactId}:${dueAt.toISOString()}`)
  return [...groups].flatMap(([key, group]) => {
    const [first] = group
    if (!first) return []
    const { contactId, name, reference, ownerId, dueAt } = first
    const clocks = clockName.options.filter((name) => group.some(({ clock }) => clock === name))
    const [label = '', ...others] = clocks.map((clock) => clockLabels[clock])
    const labels = [label, ...others.map((other) => other.toLowerCase())].join(' and ')
    const isOwned = kind === 'warning' && ownerId !== null && staff.includes(ownerId)
    return notificationJob({
      kind: 'clock',
      title: `${labels} ${kind === 'breach' ? 'overdue' : `due in ${WARNING_MINUTES} minutes`}: ${name}`.slice(0, 200),
      body: `${kind === 'breach' ? 'Was due' : 'Due'} ${atUtc(dueAt)} · ${reference}`,
      link: `/leads/${reference}`,
      subjectId: contactId,
      dedupeKey: `clock:${kind}:${key}:${clocks.join('+')}`,
      to: isOwned ? { userIds: [ownerId] } : { roles: ['staff', 'owner'] },
    })
  })
}

function atUtc(moment: Date): string {
  const options = { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric', ...hourAndMinute } as const
  return `${new Intl.DateTimeFormat(writtenForm().locale, options).format(moment)} UTC`
}

/** A run at the very instant of the next notice, if it comes before the run of the next minute. */
async function planNext(now: Date, isMore: boolean): Promise<void> {
  const { next } = await queryRow(
    db,
    { next: z.nullable(z.date()) },
    sql`SELECT least(
      (SELECT min(due_at) FROM lead_clocks WHERE state = 'running' AND breach_told_at IS NULL AND due_at > ${now}),
      (SELECT min(due_at) FROM lead_clocks WHERE state = 'running' AND breach_told_at IS NULL AND warned_at IS NULL
        AND due_at > ${now}::timestamptz + ${warning}) - ${warning}) AS next`,
  )
  // The database counts microseconds, which a Date cuts off: a millisecond later the clock is due for sure.
  const runAt = isMore ? now : next && new Date(next.getTime() + 1)
  if (!runAt || runAt.getTime() - now.getTime() > LOOK_AHEAD_MS) return
  await enqueue(db, { kind: JOB, payload: null, dedupeKey: `${JOB}:at:${runAt.toISOString()}${isMore ? ':more' : ''}`, runAt })
}

defineJob(JOB, z.unknown(), () => tellClocks(), { every: 'minute', keepDays: 1 })
