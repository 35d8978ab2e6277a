// 1,000 orders paid at a double of Stripe; events come 1 to 5 times, shuffled, while processes are killed: access and documents exactly once, to the cent.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '#test/e2e/server.ts'
import { startPostgres } from '#test/postgres.ts'
import { STRIPE_KEY, StripeDouble } from '#test/stripe.ts'
import { type Engine, onEmbedded, onPostgres, type Run } from './engine.ts'
import { printFigures } from './figures.ts'

const ORDERS = Number(process.env['ORDERS'] ?? 1000)
const KILLS = Number(process.env['KILLS'] ?? 20)
const SENDERS = 8

type Order = { id: string; checkout: string; session: string; amount: number }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-billing-'))
const postgres = await startPostgres()
const figures = []
try {
  figures.push(...(await measure(onEmbedded(path.join(folder, 'embedded')), 1)))
  figures.push(...(await measure(onPostgres(postgres.url, path.join(folder, 'postgres')), 2)))
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = printFigures(figures) ? 0 : 1

async function measure(engine: Engine, processes: number) {
  const double = new StripeDouble()
  await double.start()
  const settings = { ...engine.env, ...double.settings(), OWNER_EMAIL: 'owner@example.com', LOG_LEVEL: 'error', RATE_LIMITS: 'off' }
  await (await startServer(settings)).stop()
  const orders = await makeOrders(double)
  await engine.ask(async (run) => fill(run, orders))
  for (const { session } of orders) double.completeCheckout(session)
  const servers = await Promise.all(Array.from({ length: processes }, () => startServer(settings)))
  await deliverAll(double, servers, settings)
  await untilQuiet(servers, { engine, double, settings })
  await Promise.all(servers.map((server) => server.stop()))
  const found = await judge(engine, double)
  await double.stop()
  const name = `${engine.name}, ${processes === 1 ? 'one process' : `${processes} processes`}, ${KILLS} kills`
  const bar = (what: string, count: number) => ({ what: `${name}: ${what}`, found: String(count), bar: '0', ok: count === 0 })
  return [
    bar(`of ${ORDERS} orders, not paid exactly once`, found.unpaid),
    bar('without access, or with it twice', found.access),
    bar('without their invoice, or with two', found.invoices),
    bar('gaps in the numbers of invoices', found.gaps),
    bar('cents between the ledger and the balance', found.cents),
  ]
}

/** Sessions as the product would have made them at Stripe. */
async function makeOrders(double: StripeDouble): Promise<Order[]> {
  const url = `${double.settings()['STRIPE_API_URL']}/v1/checkout/sessions`
  const orders: Order[] = []
  for (let at = 0; at < ORDERS; at += 1) {
    const order = { id: randomUUID(), checkout: randomUUID(), amount: 1000 + at }
    const body = new URLSearchParams({
      mode: 'payment',
      client_reference_id: order.checkout,
      'line_items[0][price_data][unit_amount]': String(order.amount),
      'line_items[0][price_data][currency]': 'usd',
      'payment_intent_data[metadata][checkoutId]': order.checkout,
      expires_at: String(double.at + 7200),
    })
    const headers = { authorization: `Bearer ${STRIPE_KEY}`, 'idempotency-key': order.checkout }
    const reply = await fetch(url, { method: 'POST', headers, body })
    const session: unknown = await reply.json()
    if (typeof session !== 'object' || !session || !('id' in session)) throw new Error('Stripe made no session.')
    orders.push({ ...order, session: String(session.id) })
  }
  return orders
}

async function fill(run: Run, orders: Order[]): Promise<void> {
  await run(
    `INSERT INTO users (id, email, email_confirmed_at) SELECT gen_random_uuid(), 'user-' || at || '@example.com', now() FROM generate_series(1, 10) AS at`,
  )
  await run(`INSERT INTO data_products (id, slug, position, name, description, category, price_cents, is_free)
    SELECT gen_random_uuid(), 'bench', 1000, 'Bench', 'Bench', 'Bench', 100, false`)
  for (let at = 0; at < orders.length; at += 100) {
    const part = orders.slice(at, at + 100)
    await run(`INSERT INTO orders (id, reference, kind, organization_id, user_id, product_id, title, currency, lines, net, tax, gross, includes)
      SELECT given.id::uuid, 'B-' || left(given.id, 8) || given.at, 'dataset', buyer.id, buyer.id, product.id, 'Bench', 'USD',
        jsonb_build_array(jsonb_build_object('title', 'Bench', 'detail', '', 'quantity', 1000, 'unitAmount', given.amount, 'discount', 0,
          'net', given.amount, 'supply', 'data', 'taxCategory', 'O', 'taxRate', 0)), given.amount, 0, given.amount, 'year'
      FROM (VALUES ${part.map(({ id, amount }, place) => `('${id}', ${amount}, ${at + place})`).join(', ')}) AS given (id, amount, at)
      JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM users WHERE email LIKE 'user-%') AS buyer ON buyer.place = given.at % 10
      CROSS JOIN (SELECT id FROM data_products WHERE slug = 'bench') AS product`)
    await run(
      `UPDATE orders SET tax_parts = jsonb_build_array(jsonb_build_object('category', 'O', 'rate', 0, 'net', net, 'tax', 0, 'reason', 'None')) WHERE title = 'Bench'`,
    )
    await run(`INSERT INTO checkouts (id, order_id, provider, provider_id, amount, currency)
      VALUES ${part.map(({ id, checkout, session, amount }) => `('${checkout}', '${id}', 'stripe', '${session}', ${amount}, 'USD')`).join(', ')}`)
  }
}

/** Sends every event again until a process has taken it, as Stripe does, while one process after the other is killed. */
async function deliverAll(double: StripeDouble, servers: Server[], settings: Record<string, string>): Promise<void> {
  const waiting = double.events.flatMap((event) => Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => event))
  waiting.sort(() => Math.random() - 0.5)
  const killer = async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(200 + Math.random() * 1500)
      const at = kill % servers.length
      await servers[at]?.stop('SIGKILL')
      servers[at] = await startServer(settings)
    }
  }
  const sender = async () => {
    for (let event = waiting.pop(); event; event = waiting.pop()) {
      const { body, headers } = double.sign(event)
      const { url } = servers[Math.floor(Math.random() * servers.length)] ?? { url: '' }
      const reply = await fetch(`${url}/api/payment-events/stripe`, { method: 'POST', headers, body }).catch(() => undefined)
      if (reply?.status !== 204) {
        waiting.unshift(event)
        await sleep(20)
      }
    }
  }
  // The kills go on while the last events are applied.
  await Promise.all([killer(), ...Array.from({ length: SENDERS }, sender)])
}

/** Until nothing is left to apply. The embedded database can be asked only while no process has it. */
async function untilQuiet(
  servers: Server[],
  { engine, double, settings }: { engine: Engine; double: StripeDouble; settings: Record<string, string> },
) {
  for (const end = Date.now() + 600_000; Date.now() < end;) {
    let calls = -1
    while (calls !== double.calls.length) {
      calls = double.calls.length
      await sleep(5000)
    }
    if (!engine.url) await Promise.all(servers.map((server) => server.stop()))
    let left = 1
    await engine.ask(async (run) => {
      const [row] = await run(`SELECT count(*)::integer AS left FROM payment_events WHERE applied_at IS NULL`)
      left = Number(row?.['left'])
    })
    if (left === 0) return
    // A job of a killed process is held by its lease for a while.
    if (!engine.url) servers[0] = await startServer(settings)
    await sleep(20_000)
  }
}

async function judge(engine: Engine, double: StripeDouble) {
  const found = { unpaid: 0, access: 0, invoices: 0, gaps: 0, cents: 0 }
  await engine.ask(async (run) => {
    const count = async (statement: string) => Number((await run(statement))[0]?.['count'])
    found.unpaid =
      ORDERS -
      (await count(`SELECT count(*) FROM orders WHERE title = 'Bench' AND state = 'paid'
      AND (SELECT count(*) FROM payment_allocations WHERE order_id = orders.id) = 1`))
    found.access =
      ORDERS -
      (await count(`SELECT count(*) FROM orders WHERE title = 'Bench'
      AND (SELECT count(*) FROM entitlements WHERE order_id = orders.id AND revoked_at IS NULL) = 1`))
    found.invoices =
      ORDERS -
      (await count(`SELECT count(*) FROM orders WHERE title = 'Bench' AND (SELECT count(*) FROM invoices WHERE order_id = orders.id) = 1`))
    found.gaps = await count(
      `SELECT coalesce(sum(gaps), 0) AS count FROM (SELECT max(serial) - count(*) AS gaps FROM invoices GROUP BY series, year) AS of`,
    )
    const cash = await count(`SELECT sum(amount) AS count FROM ledger_entries WHERE account = 'cash'`)
    const moved = double.list('balance_transaction').reduce((sum, move) => sum + Number(move['net']), 0)
    found.cents = Math.abs(cash - moved)
  })
  return found
}
