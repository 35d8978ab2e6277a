import { randomUUIDv7 } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { Pool } from 'pg'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'

/**
 * The baseline for intake: a bare Node server that only runs the statements of enquiries, with rows of the same content. It has no checks,
 * limits or logs, and no job runs. `intake.ts` runs it.
 */
type Ask = (statement: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
type Transact = (work: (ask: Ask) => Promise<void>) => Promise<void>
type Body = { name: string; email: string; country: string; problem: string; message: string }
type Receipt = { id: string; reference: string; callUrl: string }

const STORE = `
  WITH person AS (
    INSERT INTO people (id, email, name) VALUES ($1, $2, $3)
    ON CONFLICT (email) DO UPDATE SET updated_at = now() RETURNING coalesce(merged_into, people.id) AS settled_id
  )
  INSERT INTO contacts (email, name, id, reference, country, problem, message, company, country_code, form, spam_score, spam_reasons, person_id)
  VALUES ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, (SELECT settled_id FROM person))
  RETURNING created_at, promised_from,
    (SELECT jsonb_object_agg(clock, breach_instant_of(promised_from, hours)) FROM service_promises) AS deadlines,
    (SELECT accounts.email FROM accounts WHERE is_hosted = $14 AND owns_installation = $15 AND accounts.deleted_at IS NULL
      ORDER BY accounts.created_at LIMIT $16) AS owner,
    EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND $17::text = ANY (events)) AS is_awaited`

const ENQUEUE = `
  INSERT INTO jobs (id, kind, payload, dedupe_key, run_at)
  SELECT id, kind, coalesce(payload, 'null'), dedupe_key, coalesce(run_at, now())
  FROM jsonb_to_recordset($1::jsonb) AS job (id uuid, kind text, payload jsonb, dedupe_key text, run_at timestamptz)
  ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING`

const { DATABASE_URL, DATA_DIR = '', PORT } = process.env
const transact = DATABASE_URL ? onPostgres(DATABASE_URL) : await onEmbedded(DATA_DIR)

createServer((request, reply) => {
  answer(request).then(
    (receipt) => reply.writeHead(receipt ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(receipt ?? null)),
    (error: unknown) => reply.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), '127.0.0.1')

async function answer(request: IncomingMessage): Promise<Receipt | undefined> {
  if (request.method !== 'POST') return undefined
  const body: Body = Object(await json(request))
  return store(body)
}

async function store(body: Body): Promise<Receipt> {
  const row = rowOf(body)
  const { id, reference, name, email, country, problem, message, company, form } = row
  await transact(async (ask) => {
    const values = [randomUUIDv7(), email, name, id, reference, country, problem, message, company, 'GB', form, 0, []]
    const { rows } = await ask(STORE, [...values, false, true, 1, 'lead.created'])
    await ask(ENQUEUE, [JSON.stringify(jobsOf(row, Object(rows[0]?.['deadlines'])))])
  })
  return { id, reference, callUrl: callUrlOf(id) }
}

function rowOf({ name, email, country, problem, message }: Body) {
  const id = randomUUIDv7()
  return { id, reference: `W-${id.slice(-12)}`, name, email, country, problem, message, company: 'example.com', form: 'contact' }
}

/** Two emails and a notification. */
function jobsOf(row: ReturnType<typeof rowOf>, deadlines: Record<string, string>) {
  const { id, reference, name, email, country, problem, message, company, form } = row
  const none = { serviceType: null, budget: null, timeframe: null }
  const moments = { receivedAt: deadlines['response'], promisedFrom: deadlines['response'] }
  const promised = { acknowledgeBy: deadlines['acknowledgement'], answerBy: deadlines['response'] }
  const page = { contactId: id, pageVersion: 1 }
  const sent = { reference, name, ...none, ...moments, ...promised, country, messageLength: message.length, page, callUrl: callUrlOf(id) }
  const toVisitor = { kind: 'acknowledgement', to: email, messageId: `<enquiry.${id}@localhost>`, data: sent }
  const told = { id, reference, name, email, company, country, problem, message, ...none, form }
  const toBusiness = { kind: 'new-lead', to: 'owner@example.com', messageId: `<${randomUUIDv7()}@localhost>`, data: told }
  const link = { link: `/dashboard?contact=${id}`, subjectId: id, dedupeKey: `lead:${id}`, to: { roles: ['staff', 'owner'] } }
  const notice = { kind: 'lead', title: `New enquiry from ${name}`, body: reference, ...link }
  return [
    { id: randomUUIDv7(), kind: 'letter', payload: toVisitor },
    { id: randomUUIDv7(), kind: 'letter', payload: toBusiness },
    { id: randomUUIDv7(), kind: 'notifications.tell', payload: notice, dedupe_key: `notifications.tell:lead:${id}` },
  ]
}

function callUrlOf(id: string): string {
  return `/book?enquiry=${id}.${'x'.repeat(43)}`
}

function onPostgres(connectionString: string): Transact {
  const pool = new Pool({ connectionString, max: 10 })
  return async (work) => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await work((text, values) => client.query(text, values))
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }
}

async function onEmbedded(folder: string): Promise<Transact> {
  const engine = await openEmbedded(folder)
  process.once('SIGTERM', () => void engine.close().then(() => process.exit(0)))
  return (work) => engine.transaction((trx) => work((statement, values) => trx.query<Record<string, unknown>>(statement, values)))
}
