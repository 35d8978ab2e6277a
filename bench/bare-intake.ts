import { randomUUIDv7 } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { Pool } from 'pg'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'

/**
 * The baseline for intake: a bare Node server that only runs the statements of enquiries, with rows of the same content. It has no checks,
 * limits or logs, and no job runs. With `GROUPS`, up to that many transactions run at the same time, and each takes the enquiries that wait.
 * The product does the same, except that its second transaction waits for a whole group or a slow first one. Without `GROUPS`, each enquiry
 * has a transaction of its own. `intake.ts` runs both.
 */
type Ask = (name: string, statement: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
type Transact = (work: (ask: Ask) => Promise<void>) => Promise<void>
type Body = { name: string; email: string; country: string; problem: string; message: string }
type Receipt = { id: string; reference: string; callUrl: string }
type Waiting = { body: Body; resolve: (receipt: Receipt) => void; reject: (reason: unknown) => void }

const COLUMNS = `budget, company, country, country_code, email, form, id, idempotency_key, message, name, problem, quarantined_at, reference,
  service_type, spam_reasons, spam_score, timeframe`

const STORE = `
  WITH given AS MATERIALIZED (
    SELECT row.* FROM (SELECT set_config('lock_timeout', coalesce($1::text, current_setting('lock_timeout')), true)) AS patience,
      jsonb_populate_recordset(NULL::contacts, $2::jsonb) AS row
  ), person AS (
    INSERT INTO people (id, email, name) SELECT DISTINCT ON (email) person_id, email, name FROM given ORDER BY email, id
    ON CONFLICT (email) DO UPDATE SET updated_at = now() RETURNING coalesce(merged_into, people.id) AS settled_id, email AS address
  )
  INSERT INTO contacts (person_id, ${COLUMNS})
  SELECT settled_id, ${COLUMNS} FROM given JOIN person ON address = email ORDER BY idempotency_key
  RETURNING id, created_at, promised_from,
    (SELECT jsonb_object_agg(clock, breach_instant_of(promised_from, hours)) FROM service_promises) AS deadlines,
    (SELECT accounts.email FROM accounts WHERE is_hosted = $3 AND owns_installation = $4 AND accounts.deleted_at IS NULL
      ORDER BY accounts.created_at LIMIT $5) AS owner,
    EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND $6::text = ANY (events)) AS is_awaited`

const ENQUEUE = `
  INSERT INTO jobs (id, kind, payload, dedupe_key, run_at)
  SELECT id, kind, coalesce(payload, 'null'), dedupe_key, coalesce(run_at, now())
  FROM jsonb_to_recordset($1::jsonb) AS job (id uuid, kind text, payload jsonb, dedupe_key text, run_at timestamptz)
  ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING`

const { DATABASE_URL, DATA_DIR = '', PORT } = process.env
const GROUPS = Number(process.env['GROUPS'] ?? 0)
const MOST_TOGETHER = 16
const transact = DATABASE_URL ? onPostgres(DATABASE_URL) : await onEmbedded(DATA_DIR)
const waiting: Waiting[] = []
let running = 0

createServer((request, reply) => {
  answer(request).then(
    (receipt) => reply.writeHead(receipt ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(receipt ?? null)),
    (error: unknown) => reply.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), '127.0.0.1')

async function answer(request: IncomingMessage): Promise<Receipt | undefined> {
  if (request.method !== 'POST') return undefined
  const body: Body = Object(await json(request))
  if (GROUPS === 0) return (await store([body]))[0]
  return new Promise((resolve, reject) => {
    waiting.push({ body, resolve, reject })
    setImmediate(storeWaiting)
  })
}

function storeWaiting() {
  if (running >= GROUPS || waiting.length === 0) return
  running += 1
  const group = waiting.splice(0, MOST_TOGETHER)
  store(group.map(({ body }) => body))
    .then(
      (receipts) => receipts.forEach((receipt, place) => group[place]?.resolve(receipt)),
      (error: unknown) => group.forEach(({ reject }) => reject(error)),
    )
    .finally(() => {
      running -= 1
      setImmediate(storeWaiting)
    })
}

async function store(bodies: Body[]): Promise<Receipt[]> {
  const rows = bodies.map(rowOf)
  await transact(async (ask) => {
    const patience = rows.length > 1 ? '500ms' : null
    const stored = await ask('store', STORE, [patience, JSON.stringify(rows), false, true, 1, 'lead.created'])
    const deadlines = new Map(stored.rows.map((row) => [row['id'], row['deadlines']]))
    await ask('enqueue', ENQUEUE, [JSON.stringify(rows.flatMap((row) => jobsOf(row, Object(deadlines.get(row.id)))))])
  })
  return rows.map(({ id, reference }) => ({ id, reference, callUrl: callUrlOf(id) }))
}

function rowOf({ name, email, country, problem, message }: Body) {
  const id = randomUUIDv7()
  const reference = `W-${id.slice(-12)}`
  const choices = { budget: null, timeframe: null, service_type: null, company: 'example.com', country_code: 'GB', form: 'contact' }
  const rest = { idempotency_key: null, quarantined_at: null, spam_score: 0, spam_reasons: [] }
  return { id, person_id: randomUUIDv7(), reference, name, email, country, problem, message, ...choices, ...rest }
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
      await work((name, text, values) => client.query({ name, text, values }))
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }
}

async function onEmbedded(folder: string): Promise<Transact> {
  const engine = await openEmbedded(folder)
  process.once('SIGTERM', () => void engine.close().then(() => process.exit(0)))
  return (work) => engine.transaction((trx) => work((_name, statement, values) => trx.query<Record<string, unknown>>(statement, values)))
}
