import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** Sends one request to the product; of several processes, `sender` chooses one. */
export type Ask = (
  request: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object; cookie?: string | undefined },
  sender: number,
) => Promise<{ status: number; body: unknown; cookie?: string | undefined }>

type Reply = Awaited<ReturnType<Ask>>

export const SENDERS = 20
export const HOST_ID = '0195f000-0000-7000-8000-000000000001'
const DAY = 24 * 3_600_000
const QUARTER = 15 * 60_000

const receipt = z.object({ id: z.string(), manageUrl: z.string() })
const held = z.object({ id: z.string() })
const taken = z.object({ code: z.literal('slot_taken'), alternatives: z.array(z.object({ startsAt: z.string() })).length(3) })

/** A host who is there day and night, and calls that can begin every quarter of an hour, so that two of them overlap. */
export const setUp = [
  `INSERT INTO users (id, email, email_confirmed_at, app_metadata) VALUES ('${HOST_ID}', 'host@winnow.example', now(), '{"role":"staff"}')`,
  `INSERT INTO booking_hosts (user_id, name, zone, hours, notice_minutes, horizon_days, buffer_before_minutes, buffer_after_minutes, confirmed_at)
    SELECT '${HOST_ID}', 'Grace', 'UTC', jsonb_agg('[{"from":"00:00","until":"24:00"}]'::jsonb), 0, 60, 0, 0, now() FROM generate_series(1, 7)`,
  `UPDATE call_types SET step_minutes = 15, change_window_minutes = 0`,
]

/** Pairs of calls of one host that are at the same time: must be 0. */
export const COUNT_OVERLAPS = `
  SELECT count(*)::int AS overlaps FROM bookings AS one JOIN bookings AS other ON one.host_id = other.host_id AND one.id < other.id
  WHERE one.status IN ('held', 'booked') AND other.status IN ('held', 'booked') AND one.starts_at < other.ends_at AND other.starts_at < one.ends_at`

/** One contest for a time: the replies of its senders, and how to make the time free again. */
type Contest = { replies: Reply[]; clear: () => Promise<unknown> }

/** All contests, each for a time of its own that is far from the others. */
export function contestsAt(given: Ask, now = Date.now()) {
  // A busy server says so, and has done nothing: every client asks again.
  const ask: Ask = async (request, sender) => {
    for (;;) {
      const reply = await given(request, sender)
      if (reply.status !== 503) return reply
      await sleep(50)
    }
  }
  const midnight = Math.ceil(now / DAY) * DAY
  const timeOf = (round: number) => midnight + DAY + (round % 1000) * 4 * QUARTER
  let movers: Promise<{ path: string; home: string }[]> | undefined

  async function sameTime(round: number): Promise<Contest> {
    return bookAll(Array.from({ length: SENDERS }, () => timeOf(round)))
  }

  async function overlappingTimes(round: number): Promise<Contest> {
    return bookAll(Array.from({ length: SENDERS }, (_, sender) => timeOf(round) + (sender % 2) * QUARTER))
  }

  async function bookAll(times: number[]): Promise<Contest> {
    const replies = await Promise.all(times.map(async (time, sender) => ask(bookingAt(time), sender)))
    const winners = replies.filter(({ status }) => status === 201)
    const clear = async () => Promise.all(winners.map(async ({ body }) => ask({ method: 'DELETE', path: linkOf(body) }, 0)))
    return { replies, clear }
  }

  async function changes(round: number): Promise<Contest> {
    movers ??= bookMovers()
    const all = await movers
    const startsAt = iso(timeOf(round))
    const replies = await Promise.all(all.map(async ({ path }, sender) => ask({ method: 'PATCH', path, body: { startsAt } }, sender)))
    const winners = all.filter((_, sender) => replies[sender]?.status === 200)
    const clear = async () =>
      Promise.all(winners.map(async ({ path, home }) => ask({ method: 'PATCH', path, body: { startsAt: home } }, 0)))
    return { replies, clear }
  }

  /** Each has a call of its own beyond the times of the contests. */
  async function bookMovers() {
    const homes = Array.from({ length: SENDERS }, (_, sender) => midnight + 50 * DAY + sender * 4 * QUARTER)
    const replies = await Promise.all(homes.map(async (home, sender) => ask(bookingAt(home), sender)))
    return replies.map(({ body }, sender) => ({ path: linkOf(body), home: iso(homes[sender] ?? 0) }))
  }

  async function holds(round: number): Promise<Contest> {
    const body = { startsAt: iso(timeOf(round)) }
    const replies = await Promise.all(
      Array.from({ length: SENDERS }, async (_, sender) => ask({ method: 'POST', path: '/api/booking/holds', body }, sender)),
    )
    const winners = replies.filter(({ status }) => status === 201)
    const release = async ({ body: hold, cookie }: Reply) =>
      ask({ method: 'DELETE', path: `/api/booking/holds/${held.parse(hold).id}`, cookie }, 0)
    return { replies, clear: async () => Promise.all(winners.map(release)) }
  }

  return {
    'bookings of one time': sameTime,
    'bookings of overlapping times': overlappingTimes,
    'changes to one time': changes,
    'holds of one time': holds,
  }
}

/** The faults of a contest: one wins, the others learn three free times. */
export function faultsOf({ replies }: Contest): string[] {
  const winners = replies.filter(({ status }) => status === 200 || status === 201)
  const losers = replies.filter(({ status, body }) => status === 409 && taken.safeParse(body).success)
  const isRight = winners.length === 1 && losers.length === replies.length - 1
  return isRight
    ? []
    : [`${winners.length} won, ${losers.length} of ${replies.length} lost: ${replies.map(({ status }) => status).join(' ')}`]
}

function bookingAt(time: number) {
  const body = {
    startsAt: iso(time),
    timeZone: 'Europe/London',
    name: 'Ada Lovelace',
    email: `ada-${randomUUID()}@analytical.example`,
    projectDescription: 'Prices of 40 shops, every morning.',
  }
  return { method: 'POST', path: '/api/bookings', body } as const
}

function linkOf(body: unknown): string {
  return receipt.parse(body).manageUrl.replace(/^.*\/book\/manage\//, '/api/bookings/')
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
