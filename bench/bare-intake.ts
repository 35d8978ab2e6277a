import { randomUUIDv7 } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { Pool } from 'pg'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'

/**
 * The baseline for intake: a bare Node server that only runs the statements of one enquiry in one transaction. It has no checks, limits or
 * logs. `intake.ts` runs it.
 */
type Ask = (statement: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
type Transact = (work: (ask: Ask) => Promise<void>) => Promise<void>
type Body = { name: string; email: string; country: string; problem: string; message: string }

const { DATABASE_URL, DATA_DIR = '', PORT } = process.env
const transact = DATABASE_URL ? onPostgres(DATABASE_URL) : await onEmbedded(DATA_DIR)

createServer((request, reply) => {
  keep(request).then(
    (receipt) => reply.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(receipt)),
    (error: unknown) => reply.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), '127.0.0.1')

async function keep(request: IncomingMessage) {
  if (request.method !== 'POST') return { status: 'ready' }
  const body: Body = Object(await json(request))
  const id = randomUUIDv7()
  const reference = `W-${id.slice(-12)}`
  await transact(async (ask) => {
    const person = await ask(
      `INSERT INTO people (id, email, name) VALUES ($1, $2, $3) ON CONFLICT (email) DO UPDATE SET updated_at = $4
       RETURNING id, (SELECT users.email FROM installation INNER JOIN users ON users.id = installation.owner_id) AS owner_email`,
      [randomUUIDv7(), body.email, body.name, new Date()],
    )
    await ask(
      `INSERT INTO contacts (id, form, name, email, country, problem, message, reference, spam_score, spam_reasons, person_id)
       VALUES ($1, 'contact', $2, $3, $4, $5, $6, $7, 0, '{}', $8) RETURNING *`,
      [id, body.name, body.email, body.country, body.problem, body.message, reference, person.rows[0]?.['id']],
    )
    await ask(
      `SELECT leads.contact_id, page_version, clock, due_at,
         EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND $1::text = ANY (events)) AS is_awaited
       FROM leads LEFT JOIN lead_clocks ON lead_clocks.contact_id = leads.contact_id WHERE leads.contact_id = $2`,
      ['lead.created', id],
    )
    const notice = JSON.stringify({ kind: 'lead', title: `New enquiry from ${body.name}`, link: `/dashboard?contact=${id}`, subjectId: id })
    const email = (to: string) => JSON.stringify({ to, data: body, kind: 'email', messageId: `<${randomUUIDv7()}@localhost>` })
    await ask(
      `INSERT INTO jobs (id, kind, payload, dedupe_key) VALUES ($1, 'email', $2, NULL), ($3, 'email', $4, NULL), ($5, 'notice', $6, $7)
       ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING`,
      [randomUUIDv7(), email(body.email), randomUUIDv7(), email('owner@example.com'), randomUUIDv7(), notice, `notice:${id}`],
    )
  })
  return { id, reference }
}

function onPostgres(connectionString: string): Transact {
  const pool = new Pool({ connectionString, max: 10 })
  return async (work) => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await work((statement, values) => client.query(statement, values))
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
