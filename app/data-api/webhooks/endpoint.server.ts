import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { isPublicAddress, transportTo } from '#app/platform/http/fetch-public.server.ts'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import {
  type EndpointBody,
  type EndpointChange,
  type EndpointWithSecret,
  MOST_ENDPOINTS,
  ROTATION_HOURS,
  type WebhookEndpoint,
} from './webhook.ts'

type EndpointRow = Row<'webhookEndpoints'>
type Owner = Actor & { id: string }

const URL_PURPOSE = 'webhook-url'
const SECRET_PURPOSE = 'webhook-secret'

/** All endpoints, oldest first. */
export async function listWebhookEndpoints(): Promise<WebhookEndpoint[]> {
  // Before the endpoints: a page that sees no pending deliveries does not ask again, so it must see their results.
  const counts = await countUnsettled()
  const rows = await db.selectFrom('webhookEndpoints').selectAll().orderBy('id').execute()
  return rows.map((row) => toEndpoint(row, counts.get(row.id)))
}

export async function findWebhookEndpoint(id: string): Promise<WebhookEndpoint | undefined> {
  return (await listWebhookEndpoints()).find((endpoint) => endpoint.id === id)
}

/** Creates an endpoint. Only this returns its secret. */
export async function createWebhookEndpoint(body: EndpointBody, owner: Owner): Promise<EndpointWithSecret> {
  refuseUnreachable(body.url)
  const id = newId()
  const secret = newSecret()
  const row = await transaction(async (trx) => {
    // Two at the same time would both find room.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('webhook-endpoints', 0))`.execute(trx)
    const known = await trx.selectFrom('webhookEndpoints').select('id').execute()
    if (known.length >= MOST_ENDPOINTS)
      stop('conflict', `There can be at most ${MOST_ENDPOINTS} endpoints.`, { code: 'too_many_endpoints' })
    await audit(trx, 'webhook_created', { ...by(owner), subjectId: id, detail: { label: body.label, events: body.events } })
    return insert(trx, 'webhookEndpoints', {
      id,
      label: body.label,
      format: body.format,
      urlSealed: seal(URL_PURPOSE, id, body.url),
      events: [...new Set(body.events)],
      secretSealed: seal(SECRET_PURPOSE, id, secret),
      createdBy: owner.id,
    })
  })
  return { ...toEndpoint(row), secret }
}

/** Changes an endpoint, or enables and disables it. Enabling begins without a history of failures. */
export async function changeEndpoint(id: string, { label, url, events, enabled }: EndpointChange, owner: Owner): Promise<boolean> {
  if (url !== undefined) refuseUnreachable(url)
  return transaction(async (trx) => {
    const before = await lockEndpoint(trx, id)
    if (!before) return false
    const change = {
      ...(label !== undefined && { label }),
      ...(url !== undefined && { urlSealed: seal(URL_PURPOSE, id, url) }),
      ...(events && { events: [...new Set(events)] }),
      ...(enabled === true && { disabledAt: null, disabledBecause: null, failingSince: null, lastFailureAt: null }),
      ...(enabled === false && !before.disabledAt && { disabledAt: new Date(), disabledBecause: 'owner' as const }),
    }
    if (Object.keys(change).length > 0) await trx.updateTable('webhookEndpoints').set(change).where('id', '=', id).execute()
    const detail = { label: label ?? before.label, ...(events && { events }), ...(enabled !== undefined && { enabled }) }
    await audit(trx, 'webhook_changed', { ...by(owner), subjectId: id, detail })
    return true
  })
}

/** Makes a new secret. The former one signs as well for a day, so that no receiver has to change at the same moment. */
export async function rotateSecret(id: string, owner: Owner): Promise<string | undefined> {
  const secret = newSecret()
  return transaction(async (trx) => {
    const before = await lockEndpoint(trx, id)
    if (!before) return undefined
    await trx
      .updateTable('webhookEndpoints')
      .set({
        secretSealed: seal(SECRET_PURPOSE, id, secret),
        formerSecretSealed: before.secretSealed,
        formerUntil: new Date(Date.now() + ROTATION_HOURS * 3_600_000),
      })
      .where('id', '=', id)
      .execute()
    await audit(trx, 'webhook_secret_rotated', { ...by(owner), subjectId: id })
    return secret
  })
}

/** Deletes an endpoint with its log. */
export async function removeEndpoint(id: string, owner: Owner): Promise<boolean> {
  return transaction(async (trx) => {
    const removed = await trx.deleteFrom('webhookEndpoints').where('id', '=', id).returning('label').executeTakeFirst()
    if (removed) await audit(trx, 'webhook_removed', { ...by(owner), subjectId: id, detail: { label: removed.label } })
    return removed !== undefined
  })
}

export async function lockEndpoint(trx: Trx, id: string): Promise<EndpointRow | undefined> {
  return trx.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function addressOfEndpoint({ id, urlSealed }: Pick<EndpointRow, 'id' | 'urlSealed'>): string {
  return unseal(URL_PURPOSE, id, urlSealed).toString()
}

/** The secrets that sign now, the current one first. */
export function signingSecrets({ id, secretSealed, formerSecretSealed, formerUntil }: EndpointRow): string[] {
  const former = formerSecretSealed && formerUntil && formerUntil.getTime() > Date.now() ? [formerSecretSealed] : []
  return [secretSealed, ...former].map((sealed) => unseal(SECRET_PURPOSE, id, sealed).toString())
}

/** 32 bytes: the specification asks for 24 to 64. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Refuses an address that cannot work, at its field. The connection checks again, after it has resolved the name. */
function refuseUnreachable(address: string): void {
  const refuse = (sentence: string) => stop('unprocessable', sentence, { code: 'validation_failed', errors: { url: sentence } })
  const url = URL.parse(address)
  if (!url) return refuse('Enter an address that begins with https://.')
  const { protocol, isAllowed } = transportTo(address)
  if (url.protocol !== protocol) return refuse('Enter an address that begins with https://.')
  if (url.username || url.password) return refuse('Enter the address without a user name and password. Receivers check the signature.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isNumber = isIP(host) !== 0
  if ((isNumber && !isAllowed(host)) || (host === 'localhost' && isAllowed === isPublicAddress))
    return refuse('Enter an address on the internet: this one leads into a private network.')
}

/** Empty after the installation has lost its keys: the owner can still delete the endpoint, or enter the address again. */
function readableAddress(row: EndpointRow): string {
  try {
    return addressOfEndpoint(row)
  } catch {
    return ''
  }
}

type Counts = { failed: number; pending: number }

async function countUnsettled(): Promise<Map<string, Counts>> {
  const rows = await queryRows(
    db,
    { endpointId: z.string(), failed: z.number(), pending: z.number() },
    sql`SELECT endpoint_id, (count(*) FILTER (WHERE state = 'failed'))::int AS failed, (count(*) FILTER (WHERE state = 'pending'))::int AS pending
      FROM webhook_deliveries WHERE state <> 'delivered' GROUP BY endpoint_id`,
  )
  return new Map(rows.map(({ endpointId, ...counts }) => [endpointId, counts]))
}

function toEndpoint(row: EndpointRow, { failed, pending }: Counts = { failed: 0, pending: 0 }): WebhookEndpoint {
  const { id, label, format, events, disabledAt, disabledBecause, failingSince, lastSuccessAt, createdAt } = row
  return {
    id,
    label,
    format,
    url: readableAddress(row),
    events,
    state: disabledAt ? 'disabled' : failingSince ? 'failing' : 'enabled',
    disabledBecause,
    failingSince: failingSince?.toISOString() ?? null,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    failed,
    pending,
    createdAt: createdAt.toISOString(),
  }
}
