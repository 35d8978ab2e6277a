import { newReference } from '#app/platform/database/reference.server.ts'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { FUTURE_OWNER } from '#app/booking/future-owner.server.ts'
import { formerHost, keepHost, listPossibleHosts } from '#app/booking/host.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { countPhase, type ProgressReport } from '#app/ops/progress.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { SYSTEM_EDITOR } from '#app/blog/posts/post.server.ts'
import { type PostBody, postBody } from '#app/blog/posts/post.ts'
import type { Row } from '#db/tables.ts'
import { makeConsultation, makeContact } from '#test/factories.ts'
import { needs } from './seed-needs.ts'
import { seedOrganizations } from './seed-organizations.ts'
import { people } from './seed-people.ts'
import { posts } from './seed-posts.ts'

const LEADS = 60
const CONSULTATIONS = 12
const DAYS = 90
const DAY = 24 * 60 * 60 * 1000

/** Whether leads exist, possibly real ones. */
export async function hasLeads(): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A realistic small company: leads over 90 days, every fifth with a consultation, posts, and two customers with several people. Deterministic, with dates relative to now. */
export async function seed(
  createPost: CreatePost,
  now = new Date(),
  report: ProgressReport = () => undefined,
): Promise<{ leads: number; consultations: number; posts: number }> {
  const random = randomFrom(7)
  const contacts: Row<'contacts'>[] = []
  const added = countPhase(report, { phase: 'Adding leads', total: LEADS, unit: 'leads' })
  for (let number = 0; number < LEADS; number += 1) {
    contacts.push(await seedContact(number, momentOf(number, now, random)))
    added(1)
  }
  for (let number = 0; number < CONSULTATIONS; number += 1) {
    const contact = contacts[number * (LEADS / CONSULTATIONS) + 2]
    if (contact) await seedConsultation(contact, number)
  }
  for (const [number, contact] of contacts.entries()) await seedPath(contact, number, now)
  await seedOrganizations()
  await confirmHours(now)
  return { leads: LEADS, consultations: CONSULTATIONS, posts: await seedPosts(createPost, now, report) }
}

/** So that the samples show calls that can be booked. Without an owner, the first one gets these hours. */
async function confirmHours(now: Date): Promise<void> {
  const owner = (await listPossibleHosts()).find(({ isActive }) => isActive)
  const host = owner ?? { ...formerHost(FUTURE_OWNER), isActive: true }
  await transaction((trx) => keepHost(trx, host, now))
}

type CreatePost = (body: PostBody, editor: typeof SYSTEM_EDITOR) => Promise<unknown>

/** Returns the number of new posts; existing addresses are unchanged. */
async function seedPosts(createPost: CreatePost, now: Date, report: ProgressReport): Promise<number> {
  let made = 0
  const added = countPhase(report, { phase: 'Adding posts', total: posts.length, unit: 'posts' })
  for (const { age, ...post } of posts) {
    const published = age === undefined ? {} : { published: true, publishedAt: new Date(now.getTime() - age * DAY).toISOString() }
    try {
      await createPost(postBody.parse({ ...post, ...published }), SYSTEM_EDITOR)
      made += 1
    } catch (error) {
      if (!(error instanceof Stop && error.kind === 'conflict')) throw error
    }
    added(1)
  }
  return made
}

/** Recent dates are more frequent; times are in office hours. */
function momentOf(number: number, now: Date, random: () => number): Date {
  const age = DAYS * (1 - (number + random()) / LEADS) ** 1.3
  const moment = new Date(now.getTime() - age * DAY)
  moment.setUTCHours(7 + Math.floor(random() * 11), Math.floor(random() * 60), Math.floor(random() * 60), 0)
  return moment < now ? moment : new Date(now.getTime() - random() * 60 * 60 * 1000)
}

async function seedContact(number: number, createdAt: Date): Promise<Row<'contacts'>> {
  const { name, company, domain, country } = itemOf(people, number * 7)
  const { budget = null, timeframe = null, ...need } = itemOf(needs, number * 5 + Math.floor(number / 12))
  const isAnswered = number < LEADS - 4
  const later = (minutes: number) => new Date(Math.min(createdAt.getTime() + minutes * 60 * 1000, Date.now()))
  return makeContact({
    ...need,
    name,
    company,
    country,
    budget,
    timeframe,
    createdAt,
    email: `${asAddress(name)}@${domain}`,
    reference: newReference(),
    answeredAt: isAnswered ? later(20 + ((number * 37) % 90)) : null,
    ...(isAnswered && { proposal: number % 9 === 4 ? 'not_needed' : 'sent', proposalSettledAt: later(180 + ((number * 53) % 900)) }),
  })
}

/** The stages that a lead went through, with its value and its next step. */
async function seedPath({ id: contactId, answeredAt, proposal, proposalSettledAt }: Row<'contacts'>, number: number, now: Date) {
  const known = new Set((await listStages()).map(({ id }) => id))
  const ended = proposalSettledAt && new Date(proposalSettledAt.getTime() + (4 + (number % 5)) * DAY)
  const steps = [
    { to: 2, at: answeredAt },
    { to: 5, at: proposal === 'sent' ? proposalSettledAt : null },
    { to: number % 3 === 0 ? 6 : 7, at: number % 4 === 3 ? null : ended },
  ].flatMap(({ to, at }) => (at && at <= now && known.has(to) ? [{ to, at }] : []))
  for (const [nth, { to, at }] of steps.entries()) {
    const detail = JSON.stringify({ from: steps[nth - 1]?.to ?? 1, to })
    await insert(db, 'leadEvents', { contactId, kind: 'stage_changed', detail, createdAt: at })
  }
  const last = steps.at(-1)
  const isOpen = !last || last.to < 6
  await db
    .updateTable('leads')
    .set({
      ...(last && { stageId: last.to, stageSince: last.at }),
      valueCents: number % 5 === 4 ? null : (1 + (number % 7)) * 150_000,
      tags: number % 6 === 0 ? ['retail'] : [],
      ...(isOpen && { nextStep: 'Follow up by phone', nextStepAt: new Date(now.getTime() + ((number % 7) - 2) * DAY) }),
    })
    .where('contactId', '=', contactId)
    .execute()
}

/** Most consultations follow an enquiry; some come from a phone call. */
async function seedConsultation(contact: Row<'contacts'>, number: number) {
  const { personId, name, email, company, message } = contact
  const isByTelephone = number % 4 === 3
  await makeConsultation({
    personId,
    name,
    email,
    company,
    contactId: isByTelephone ? null : contact.id,
    source: isByTelephone ? 'staff' : 'contact',
    phone: people.find((person) => person.name === name)?.phone ?? null,
    projectDescription: message,
    createdAt: new Date(Math.min(contact.createdAt.getTime() + 2 * DAY, Date.now())),
  })
}

function itemOf<T>(list: T[], number: number): T {
  const item = list[number % list.length]
  if (!item) throw new Error('The list is empty.')
  return item
}

function asAddress(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '.')
}

/** Deterministic pseudo-random numbers from 0 to 1. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
