import { sql } from 'kysely'
import { z } from 'zod'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { emitWebhook, isWanted, webhookJob } from '#app/platform/jobs/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import type { LeadEventKind } from './lead-event.ts'

export const NEW_LEAD = 'lead.created'

type NewLead = Pick<Row<'contacts'>, 'id' | 'reference' | 'name' | 'email' | 'company' | 'serviceType' | 'country' | 'createdAt'>

/** The job that tells other programs, which want it, of a new enquiry. Its text stays here: the link leads to it. */
export function newLeadJob(contact: NewLead): NewJob {
  const { id, name, email, company, serviceType, country, createdAt } = contact
  const person = { name, email, company, country }
  const data = { ...headOf(contact), ...person, service: serviceType, createdAt: createdAt.toISOString() }
  return webhookJob(NEW_LEAD, { subjectId: id, data })
}

type LeadEvent = { contactId: string; kind: LeadEventKind; detail: Record<string, unknown> }
type Moved = { contactId: string; reference: string; detail: Record<string, unknown> }

/** Tells other programs of an event of the timeline that they may want: a stage change, or a reply that staff gave elsewhere. */
export async function emitLeadEvent(trx: Trx, { contactId, kind, detail }: LeadEvent): Promise<void> {
  if (kind === 'stage_changed')
    await emitWebhook(trx, 'lead.stage_changed', async () =>
      describeMoves(trx, [{ contactId, detail, ...(await referenceOf(trx, contactId)) }]),
    )
  if (kind === 'answered' && detail['by'] !== BY_EMAIL) await emitReplied(trx, contactId)
}

/** In the detail of `answered`: an email of ours has ended the clocks. That email has told of itself. */
export const BY_EMAIL = 'email'

/** Tells other programs of a reply to a lead, the first or a later one. */
export async function emitReplied(trx: Trx, contactId: string): Promise<void> {
  await emitWebhook(trx, 'lead.replied', async () => [
    { subjectId: contactId, data: headOf({ id: contactId, ...(await referenceOf(trx, contactId)) }) },
  ])
}

async function referenceOf(trx: Trx, contactId: string): Promise<{ reference: string }> {
  return trx.selectFrom('contacts').select('reference').where('id', '=', contactId).executeTakeFirstOrThrow()
}

/** With the names of the stages, as they are called now. */
async function describeMoves(trx: Trx, moves: Moved[]) {
  const stages = await trx.selectFrom('leadStages').select(['id', 'name']).execute()
  const nameOf = (id: unknown) => stages.find((stage) => stage.id === id)?.name ?? null
  return moves.map(({ contactId, reference, detail }) => ({
    subjectId: contactId,
    data: { ...headOf({ id: contactId, reference }), from: nameOf(detail['from']), to: nameOf(detail['to']) },
  }))
}

function headOf({ id, reference }: { id: string; reference: string }) {
  return { id, reference, url: new URL(`/leads/${reference}`, env.SITE_URL).href }
}

const JOB = 'leads.emit-batch'
const AT_ONCE = 500

const batchJob = z.object({ batchId: z.string(), isUndo: z.boolean(), after: z.string() })

/** Tells of the stage changes of a bulk change. Ten thousand events would hold up the change itself, so jobs emit them in pages. */
export async function emitBatch(trx: Trx, batchId: string, { isUndo = false } = {}): Promise<void> {
  if (!(await isWanted(trx, 'lead.stage_changed'))) return
  const payload = { batchId, isUndo, after: '00000000-0000-0000-0000-000000000000' }
  await enqueue(trx, { kind: JOB, payload, dedupeKey: keyOf(payload) })
}

function keyOf({ batchId, isUndo, after }: z.infer<typeof batchJob>): string {
  return `${JOB}:${batchId}:${isUndo}:${after}`
}

defineJob(JOB, batchJob, async (page) =>
  transaction(async (trx) => {
    const { batchId, isUndo, after } = page
    // The events of an undo have no batch: they are the reverse of those of the batch, from the time of the undo.
    const events = isUndo
      ? sql`lead_events AS done JOIN lead_batches ON lead_batches.id = done.batch_id AND done.batch_id = ${batchId}::uuid
          JOIN lead_events AS event ON event.contact_id = done.contact_id AND event.created_at > undone_at - interval '1 minute'
          AND event.batch_id IS NULL AND event.detail->'from' = done.detail->'to' AND event.detail->'to' = done.detail->'from'`
      : sql`lead_events AS event`
    const rows = await queryRows(
      trx,
      { id: z.string(), contactId: z.string(), reference: z.string(), detail: z.record(z.string(), z.unknown()) },
      sql`SELECT event.id, event.contact_id, reference, event.detail FROM ${events} JOIN contacts ON contacts.id = event.contact_id
        WHERE event.kind = 'stage_changed' AND event.id > ${after}::uuid ${isUndo ? sql`` : sql`AND event.batch_id = ${batchId}::uuid`}
        ORDER BY event.id LIMIT ${AT_ONCE}`,
    )
    await emitWebhook(trx, 'lead.stage_changed', () => describeMoves(trx, rows))
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    const next = { ...page, after: last.id }
    await enqueue(trx, { kind: JOB, payload: next, dedupeKey: keyOf(next) })
  }),
)
