import { db } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'

/** Ada's input on the contact page. */
export const ada = {
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  country: 'United Kingdom',
  problem: 'Prices of 40 shops, every morning',
  message: 'We compare prices by hand and would like a table instead.',
}

/** The same for each form, by its rules. */
export const sampleEnquiries = {
  contact: ada,
  home: { ...ada, country: 'Germany', problem: 'Price Monitoring', budget: '1k-5k', timeframe: 'asap' },
  landing: { ...ada, problem: 'Competitor Price Monitoring' },
  hire: { ...ada, problem: 'We cannot keep up with our competitors.' },
}

type Headers = Record<string, string>

/** Sends an enquiry to the API, as a script would. */
export async function sendEnquiry(app: Http, body: unknown, headers: Headers = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return app.inject({ method: 'POST', url: '/api/contact', headers: { 'content-type': 'application/json', ...headers }, payload })
}

/** Sends the form of a page, as a browser without script would. */
export async function sendForm(app: Http, url: string, fields: Record<string, string>, headers: Headers = {}) {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost:3000', origin: 'http://localhost:3000', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
}

/** Resets the limits of a visitor, counted by one process or by several. */
export async function forgetLimits(): Promise<void> {
  await closeLimits()
  await db.deleteFrom('rateLimits').execute()
}
