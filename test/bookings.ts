import { db } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'

const DAY = 24 * 3_600_000
const SIX = 6 * 3_600_000
/** Of the coming Monday. The clock of PostgreSQL cannot be set, and staff have seven days to set up a second step, so six o'clock must be less than that away. */
const midnight = Math.ceil((Date.now() - SIX - 4 * DAY) / (7 * DAY)) * 7 * DAY + 4 * DAY

/** The morning before the office opens in Lagos, which is always an hour ahead. */
export const MONDAY = new Date(midnight + SIX)

/** The date so many days after the Monday. */
export function dateOf(day: number): string {
  return new Date(midnight + day * DAY).toISOString().slice(0, 10)
}

/** A time (UTC) so many days after the Monday. */
export function on(day: number, time: string): string {
  return `${dateOf(day)}T${time}:00.000Z`
}

/** Ada's input, without the time. */
export const guest = {
  timeZone: 'America/Bogota',
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  company: 'Analytical Engines',
  phone: '+44 20 7946 0000',
  projectDescription: 'Prices of 40 shops, every morning.',
}

/** Leaves the first call type, as the specification has it, with these changes. */
export async function resetCallTypes(changes: { title?: string; stepMinutes?: number; questions?: string } = {}) {
  await db.updateTable('bookings').set({ callTypeId: null }).execute()
  await db.deleteFrom('callTypes').where('slug', 'is not', null).execute()
  const first = { title: 'Free consultation', lengthMinutes: 30, stepMinutes: 30, changeWindowMinutes: 120, questions: '[]', version: 0 }
  await db
    .updateTable('callTypes')
    .set({ ...first, isActive: true, position: 0, hours: null, place: null, noticeMinutes: null, ...changes })
    .execute()
}

type Headers = Record<string, string>

/** Calls the booking API like a browser with a cookie jar of its own. */
export function bookingClient(app: Http, given: Headers = {}) {
  const headers: Headers = { 'sec-fetch-site': 'same-origin', ...given }
  return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, more: Headers = {}) => {
    const reply = await app.inject({ method, url, headers: { ...headers, ...more }, ...(payload && { payload }) })
    const cookie = reply.headers['set-cookie']
    if (typeof cookie === 'string') headers['cookie'] = [given['cookie'], cookie.split(';')[0]].filter(Boolean).join('; ')
    return reply
  }
}

export type BookingClient = ReturnType<typeof bookingClient>

/** Books a call for Ada, unless other input is given. */
export async function book(call: BookingClient, startsAt: string, more: object = {}, headers: Headers = {}) {
  return call('POST', '/api/bookings', { ...guest, startsAt, ...more }, headers)
}

/** The link of a receipt as a path of the API. */
export function apiOf({ manageUrl }: { manageUrl: string }): string {
  return manageUrl.replace(/^.*\/book\/manage\//, '/api/bookings/')
}
