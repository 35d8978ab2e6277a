import { checkVAT, countries } from 'jsvat'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { notify } from '#app/account/notifications/notification.server.ts'
import { invoiceLink } from '#app/billing/orders/invoice-link.ts'
import { billing } from '#app/content/billing.server.ts'
import { taxModes } from '#app/content/settings/sections.server.ts'
import { listAdminIds } from '#app/organizations/members/member.server.ts'
import { VAT_CHECK } from '#app/organizations/organization/organization.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { postPublic } from '#app/platform/http/fetch-public.server.ts'
import { defineJob, JobFailure } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { isInEu } from './tax.ts'

/** The register of the EU. */
const VIES = 'https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number'
const BOUNDS = { ms: 15_000, bytes: 64 * 1024 }
/** Hours for which a confirmed number counts at an order. */
const FRESH_HOURS = 24

type Answer = { state: 'valid' | 'invalid'; consultation: string } | { state: 'not_checked'; failure: string }

const answer = z.object({ valid: z.boolean(), requestIdentifier: z.string().nullish() })

/** Tests put a double in its place. */
export const vies = { ask: askVies }

/** Our own number as the requester makes VIES return a consultation number, which proves that we have asked. */
async function askVies(vatNumber: string): Promise<Answer> {
  const own = billing.vatNumber?.replaceAll(/\W/g, '')
  const body = {
    countryCode: vatNumber.slice(0, 2),
    vatNumber: vatNumber.slice(2),
    ...(own && { requesterMemberStateCode: own.slice(0, 2), requesterNumber: own.slice(2) }),
  }
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const { status, text } = await postPublic(VIES, { headers, body: JSON.stringify(body) }, BOUNDS)
    const read = answer.safeParse(status === 200 ? JSON.parse(text) : undefined)
    // It reports that a member state is down with status 200 as well, without a verdict.
    if (!read.success) return { state: 'not_checked', failure: 'The register of the EU has no answer now.' }
    return { state: read.data.valid ? 'valid' : 'invalid', consultation: read.data.requestIdentifier ?? '' }
  } catch {
    return { state: 'not_checked', failure: 'The register of the EU cannot be reached.' }
  }
}

/** A number whose form or check digits are wrong needs no question. */
function hasVatForm(vatNumber: string): boolean {
  return checkVAT(vatNumber, countries).isValid
}

/**
 * Checks the VAT number of an organization, and keeps every answer. Without an answer, what was known stays. `invoiceId` is the invoice that relies
 * on it. Returns the state from now on.
 */
export async function checkVatNumber(organizationId: string, invoiceId?: string): Promise<Row<'organizations'>['vatState']> {
  const asked = await db
    .selectFrom('organizations')
    .select(['name', 'vatNumber', 'vatState'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!asked?.vatNumber) return 'not_checked'
  const { vatNumber } = asked
  const told: Answer = hasVatForm(vatNumber) ? await vies.ask(vatNumber) : { state: 'invalid', consultation: '' }
  await transaction(async (trx) => {
    await insert(trx, 'vatChecks', { organizationId, vatNumber, invoiceId: invoiceId ?? null, ...told })
    if (told.state === 'not_checked') return
    await trx
      .updateTable('organizations')
      .set({ vatState: told.state, vatCheckedAt: now, vatConsultation: told.consultation || null })
      .where('id', '=', organizationId)
      .where('vatNumber', '=', vatNumber)
      .execute()
    if (told.state === 'invalid' && asked.vatState !== 'invalid') await tellInvalid(trx, organizationId, asked)
  })
  return told.state === 'not_checked' ? asked.vatState : told.state
}

/** The admins learn it when it happens, and not from the tax on their next invoice. */
async function tellInvalid(trx: Trx, organizationId: string, { name, vatNumber }: { name: string; vatNumber: string }): Promise<void> {
  const notice = {
    kind: 'organization' as const,
    title: `The VAT number ${vatNumber}${name && ` of ${name}`} is not valid`.slice(0, 200),
    body: 'The register of the EU does not confirm it. Correct it in the details, or write to us if it is right.',
    link: '/account/organization#facts',
    subjectId: organizationId,
    dedupeKey: `organization_vat:${organizationId}:${vatNumber}:${new Date().toISOString().slice(0, 10)}`,
    to: { userIds: await listAdminIds(trx, organizationId) },
  }
  await notify(trx, notice)
}

/** Whether the tax of an order depends on a confirmed number: a seller of the EU with VAT, and no test. */
function isAsked(): boolean {
  return (billing.mode === taxModes.vat || billing.mode === taxModes.provider) && isInEu(billing.country) && !env.PAYMENTS.includes('test')
}

const learned = new LRUCache<string, 'valid' | 'invalid'>({ max: 1000, ttl: FRESH_HOURS * 3_600_000 })

/** Checks the number of a company that is not here yet, before it orders for the first time. */
export async function learnVatNumber(vatNumber: string): Promise<void> {
  if (!vatNumber || learned.has(vatNumber) || !isAsked()) return
  const told: Answer = hasVatForm(vatNumber) ? await vies.ask(vatNumber) : { state: 'invalid', consultation: '' }
  if (told.state !== 'not_checked') learned.set(vatNumber, told.state)
}

/** The result of a check of this number within the last day. */
export function learnedVatState(vatNumber: string): Row<'organizations'>['vatState'] {
  return learned.get(vatNumber) ?? 'not_checked'
}

/** Checks the number before an order, unless it was confirmed within a day. */
export async function refreshVatNumber(organizationId: string): Promise<void> {
  if (!isAsked()) return
  const fresh = new Date(Date.now() - FRESH_HOURS * 3_600_000)
  const known = await db
    .selectFrom('organizations')
    .select(['vatNumber', 'vatState', 'vatCheckedAt'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!known?.vatNumber) return
  if (known.vatState !== 'not_checked' && known.vatCheckedAt && known.vatCheckedAt > fresh) return
  await checkVatNumber(organizationId)
}

/** An invoice without tax relies on the number, so it is asked about once more. Staff are told where it is no longer valid. */
export async function proveVatNumber(invoice: Pick<Row<'invoices'>, 'id' | 'number' | 'organizationId'>): Promise<void> {
  if ((await checkVatNumber(invoice.organizationId, invoice.id)) !== 'invalid') return
  await notify(db, {
    kind: 'payment_problem',
    title: `The VAT number behind ${invoice.number} is not valid`,
    body: 'The invoice has no tax because of it. Ask the customer, and correct the invoice where needed.',
    link: invoiceLink(invoice.number),
    dedupeKey: `vat-invalid:${invoice.id}`,
    to: { roles: ['owner', 'staff'] },
  })
}

defineJob(VAT_CHECK, z.object({ organizationId: z.string() }), async ({ organizationId }) => {
  const known = await db.selectFrom('organizations').select('vatNumber').where('id', '=', organizationId).executeTakeFirst()
  if (!known?.vatNumber) return
  if ((await checkVatNumber(organizationId)) === 'not_checked') throw new JobFailure('The register of VAT numbers has no answer now.')
})
