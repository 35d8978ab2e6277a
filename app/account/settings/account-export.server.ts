import { sql } from 'kysely'
import { z } from 'zod'
import type { ExportPart } from '#app/account/account-kind.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { provenAddress } from '#app/auth/users/account.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** Rows per batch, so the longest history is never in memory as a whole. */
const BATCH = 500

/** Sorts before every id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Everything that this installation stores about a person, as one JSON object in pieces: their account, and, once their address is proven,
 * their enquiries. It contains no secrets: those are stored as hashes, or the person already has them.
 */
export async function* exportAccount(userId: string): AsyncGenerator<string> {
  const account = (await accounts.exportAccount(userId)) ?? stop('notFound', 'This account no longer exists.')
  const { profile, deletion, parts } = account
  const email = await provenAddress(userId)
  yield `{"exportedAt":${JSON.stringify(new Date())},"profile":${JSON.stringify(profile)}`
  yield `,"picture":${JSON.stringify(await pictureOf(userId))}`
  if (deletion !== undefined) yield `,"deletion":${JSON.stringify(deletion)}`
  for (const part of [...parts, ...partsOf(userId), ...(email ? partsOfAddress(email) : [])]) yield* write(part)
  yield '}\n'
}

async function pictureOf(userId: string): Promise<object | null> {
  const picture = await db.selectFrom('avatars').select(['id', 'picture', 'createdAt']).where('userId', '=', userId).executeTakeFirst()
  return picture ? { ...picture, picture: Buffer.from(picture.picture).toString('base64') } : null
}

/** Recorded before the first byte is sent, so every export is traceable. */
export async function noteExport(userId: string): Promise<void> {
  await transaction((trx) => audit(trx, 'account_exported', { actorId: userId, subjectId: userId }))
}

const rowsWithId = z.array(z.looseObject({ id: z.string() }))

async function* write([name, rows]: ExportPart): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`
  let after = BEFORE_ALL
  for (;;) {
    const { rows: found } = await sql`SELECT * FROM (${rows}) AS part WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`.execute(db)
    const batch = rowsWithId.parse(found)
    const last = batch.at(-1)
    if (last) yield (after === BEFORE_ALL ? '' : ',') + batch.map((row) => JSON.stringify({ ...row, ...internal })).join(',')
    if (!last || batch.length < BATCH) break
    after = last.id
  }
  yield ']'
}

/** The columns of leads that say nothing about the person: the search index, and the key of an attempt. All others are exported. */
const internal = { search: undefined, idempotencyKey: undefined }

/** The history of the account. */
function partsOf(userId: string): ExportPart[] {
  return [
    notificationsOf(userId),
    ...noticesOf(userId),
    hiddenStepsOf(userId),
    signatureOf(userId),
    eventsOf(userId),
    postsOf(userId),
    ...datasetsOf(userId),
    ...organizationsOf(userId),
    invoicesOf(userId),
    transfersOf(userId),
  ]
}

/** Their orders, for themselves or an organization, as invoiced. Invoices are kept for the legal period. */
function invoicesOf(userId: string): ExportPart {
  const told = sql`invoice.id, invoice.number, invoice.kind, invoice.issued_on, invoice.document`
  return ['invoices', sql`SELECT ${told} FROM invoices AS invoice JOIN orders ON orders.id = order_id WHERE orders.user_id = ${userId}`]
}

/** The lines of bank statements that paid their orders, and those of organizations whose amounts they see. They are kept as long as invoices. */
function transfersOf(userId: string): ExportPart {
  const told = sql`line.id, line.booked_on, line.amount, line.currency, line.payer, line.payer_account, line.purpose, line.bank_reference`
  const ordered = sql`EXISTS (SELECT FROM payment_allocations AS share JOIN orders ON orders.id = share.order_id
    WHERE share.payment_id = payment.id AND orders.user_id = ${userId})`
  const shown = sql`payment.organization_id IN (SELECT organization_id FROM organization_members WHERE user_id = ${userId} AND role IN ('admin', 'buyer'))`
  const joined = sql`bank_lines AS line JOIN payments AS payment ON payment.id = line.payment_id`
  return ['bankTransfers', sql`SELECT ${told} FROM ${joined} WHERE ${ordered} OR ${shown}`]
}

/** When they hid the first steps of an owner. */
function hiddenStepsOf(userId: string): ExportPart {
  return ['hiddenFirstSteps', sql`SELECT user_id AS id, hidden_at FROM hidden_first_steps WHERE user_id = ${userId}`]
}

/** The end of their replies to leads. */
function signatureOf(userId: string): ExportPart {
  return ['replySignature', sql`SELECT user_id AS id, text, updated_at FROM lead_signatures WHERE user_id = ${userId}`]
}

/** Of staff, without the texts, which can be about other people. */
function notificationsOf(userId: string): ExportPart {
  const own = sql`CASE WHEN kind IN ('access_decision', 'organization', 'dataset_version', 'paid_dataset_version', 'key_expiry', 'order') THEN title END AS title`
  return ['notifications', sql`SELECT id, kind, ${own}, read_at, created_at FROM notifications WHERE user_id = ${userId}`]
}

/** How they want to be told, and the browsers that show it. */
function noticesOf(userId: string): ExportPart[] {
  const times = sql`user_id AS id, channels, zone, digest_hour, quiet_from, quiet_until, updated_at`
  return [
    ['notificationPreferences', sql`SELECT ${times} FROM notification_preferences WHERE user_id = ${userId}`],
    ['pushDevices', sql`SELECT id, device, created_at, last_sent_at FROM push_subscriptions WHERE user_id = ${userId}`],
    ['webhookEvents', sql`SELECT id, event, created_at FROM webhook_deliveries WHERE subject_id = ${userId}`],
  ]
}

/** The blog posts of a staff member, in their current version. They belong to the business and remain. */
function postsOf(userId: string): ExportPart {
  const words = sql`id, slug, title, excerpt, content, tags, published, published_at, created_at, updated_at`
  return ['posts', sql`SELECT ${words} FROM posts WHERE author_id = ${userId} AND removed_at IS NULL`]
}

/** Their dataset requests, grants, orders, downloads and queries, and their API keys, which we store only as hashes. */
function datasetsOf(userId: string): ExportPart[] {
  const slug = sql`(SELECT slug FROM data_products WHERE data_products.id = product_id)`
  const dataset = sql`${slug} AS dataset`
  const each = sql`jsonb_build_object('dataset', ${slug}, 'readAt', read_at)`
  const reads = sql`(SELECT jsonb_agg(${each}) FROM api_key_reads WHERE key_id = api_keys.id) AS reads`
  const order = sql`title, currency, net, tax, gross, state, purchase_order, licence, supply_consent, provider_tax, paid_at, created_at`
  const key = sql`id, name, prefix, product_ids, monthly_quota, expires_at, revoked_at, last_used_at, created_at, ${reads}`
  return [
    [
      'datasetRequests',
      sql`SELECT id, ${dataset}, message, outcome, settled_at, created_at FROM product_requests WHERE user_id = ${userId}`,
    ],
    [
      'entitlements',
      sql`SELECT id, ${dataset}, note, payment_reference, expires_at, revoked_at, created_at FROM entitlements WHERE user_id = ${userId}`,
    ],
    ['orders', sql`SELECT id, reference, ${dataset}, ${order} FROM orders WHERE user_id = ${userId}`],
    [
      'withdrawals',
      sql`SELECT w.id, orders.reference, w.name, w.email, w.statement, w.state, w.created_at FROM order_withdrawals AS w
        JOIN orders ON orders.id = w.order_id WHERE orders.user_id = ${userId}`,
    ],
    ['downloads', sql`SELECT id, ${dataset}, type, format, choice, created_at FROM downloads WHERE user_id = ${userId}`],
    ['savedQueries', sql`SELECT id, ${dataset}, name, sql, is_shared, created_at, updated_at FROM saved_queries WHERE user_id = ${userId}`],
    ['pastQueries', sql`SELECT id, ${dataset}, sql, asked_at FROM past_queries WHERE user_id = ${userId}`],
    ['apiKeys', sql`SELECT ${key} FROM api_keys WHERE user_id = ${userId}`],
  ]
}

/** The organizations of a person and their role there; nothing of other members. */
function organizationsOf(userId: string): ExportPart[] {
  const joined = sql`organization_members AS member JOIN organizations ON organizations.id = organization_id`
  return [
    [
      'organizations',
      sql`SELECT organizations.id, reference, name, is_personal, role, member.created_at FROM ${joined} WHERE user_id = ${userId}`,
    ],
    ['organizationJoinRequests', sql`SELECT id, outcome, settled_at, created_at FROM organization_join_requests WHERE user_id = ${userId}`],
  ]
}

/** Other people appear as "someone else", without their IP addresses. */
function eventsOf(userId: string): ExportPart {
  const isOwn = sql`(actor_id = ${userId} OR (actor_id IS NULL AND subject_id = ${userId}))`
  const by = sql`CASE WHEN actor_id = ${userId} THEN 'you' WHEN actor_id IS NULL THEN 'the service' ELSE 'someone else' END`
  const event = sql`id, action, subject_id, detail, created_at, ${by} AS by, CASE WHEN ${isOwn} THEN address END AS address`
  return ['auditEvents', sql`SELECT ${event} FROM audit_events WHERE actor_id = ${userId} OR subject_id = ${userId}`]
}

/** The enquiries from an address, and the emails to it: time and subject. */
function partsOfAddress(email: string): ExportPart[] {
  const isTheirs = sql`email = ${email}`
  const ofTheirs = sql`contact_id IN (SELECT id FROM contacts WHERE email = ${email})`
  const guest = sql`name, email, company, phone, project_description, answers, guest_zone`
  const booking = sql`id, reference, source, status, starts_at, ends_at, place, ${guest}, sequence, came_from, changed_by, change_reason, booked_at, updated_at`
  const isFrom = sql`lower(${email}) IN (lower(from_address), lower(reply_to_address))`
  const message = sql`id, contact_id, direction, kind, state, from_name, from_address, reply_to_name, reply_to_address, to_addresses, subject, text, created_at`
  const letter = sql`id, payload->>'kind' AS kind, payload->>'subject' AS subject, created_at, done_at AS sent_at`
  return [
    [
      'organizationInvitations',
      sql`SELECT id, role, outcome, expires_at, created_at FROM organization_invitations WHERE lower(email) = lower(${email})`,
    ],
    ['people', sql`SELECT * FROM people WHERE email = ${email}`],
    ['enquiries', sql`SELECT * FROM contacts WHERE ${isTheirs}`],
    ['leads', sql`SELECT contact_id AS id, * FROM leads WHERE ${ofTheirs}`],
    ['leadEvents', sql`SELECT id, contact_id, kind, detail, created_at FROM lead_events WHERE ${ofTheirs}`],
    ['leadNotes', sql`SELECT id, contact_id, text, created_at, updated_at FROM lead_notes WHERE ${ofTheirs}`],
    ['leadClocks', sql`SELECT contact_id || ':' || clock AS id, clock, since, due_at, ended_at, state FROM lead_clocks WHERE ${ofTheirs}`],
    ['leadMessages', sql`SELECT ${message} FROM lead_messages WHERE ${ofTheirs} OR ${isFrom}`],
    [
      'leadFiles',
      sql`SELECT id, contact_id, message_id, source, name, type, size, created_at FROM lead_files
        WHERE ${ofTheirs} OR message_id IN (SELECT id FROM lead_messages WHERE ${isFrom})`,
    ],
    // Proposals sent to them, with their questions and signatures. The sealed evidence adds only their network address.
    [
      'proposals',
      sql`SELECT id, reference, number, state, content, sent_at, sent_to, opened_at, settled_at, reason, signed_document, created_at FROM proposals
        WHERE state <> 'draft' AND (lower(sent_to) = lower(${email}) OR ${ofTheirs})`,
    ],
    [
      'proposalQuestions',
      sql`SELECT question.id, line_id, question, answer, answered_at, question.created_at FROM proposal_questions AS question
        JOIN proposals ON proposals.id = proposal_id WHERE lower(sent_to) = lower(${email})`,
    ],
    ['leadTasks', sql`SELECT id, contact_id, title, due_at, done_at, created_at FROM lead_tasks WHERE ${ofTheirs}`],
    // Events about them that were sent to other programs.
    [
      'leadWebhookEvents',
      sql`SELECT id, event, body, created_at FROM webhook_deliveries WHERE subject_id IN (SELECT id FROM contacts WHERE email = ${email}
        UNION SELECT id FROM bookings WHERE email = ${email})`,
    ],
    ['consultations', sql`SELECT * FROM consultations WHERE ${isTheirs}`],
    ['bookings', sql`SELECT ${booking} FROM bookings WHERE ${isTheirs}`],
    [
      'newsletter',
      sql`SELECT id, email, source, came_from, asked_at, confirmed_at, unsubscribed_at, bounced_at, created_at FROM newsletter_subscribers WHERE email = ${email}`,
    ],
    [
      'newsletterEmails',
      sql`SELECT delivery.id, title, outcome, settled_at FROM newsletter_deliveries AS delivery JOIN newsletter_issues AS issue ON issue.id = issue_id
        JOIN posts ON posts.id = post_id JOIN newsletter_subscribers AS reader ON reader.id = subscriber_id WHERE reader.email = ${email}`,
    ],
    ['letters', sql`SELECT ${letter} FROM jobs WHERE kind = ${EMAIL_JOB} AND lower(payload->>'to') = lower(${email})`],
  ]
}
