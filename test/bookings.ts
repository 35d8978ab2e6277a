import type { Http } from '#app/platform/http/http.server.ts'

/** A Monday morning before the office opens, in winter: Berlin is an hour ahead. */
export const MONDAY = new Date('2026-11-30T06:00:00Z')

/** Ada's input, without the time. */
export const guest = {
  timeZone: 'America/New_York',
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  company: 'Analytical Engines',
  phone: '+44 20 7946 0000',
  projectDescription: 'Prices of 40 shops, every morning.',
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
