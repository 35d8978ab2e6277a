import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makePerson, signIn } from '#test/factories.ts'

// More leads than one scan in order covers, so a search has to choose its plan. Of a thousand, the newest is number 0.
const LEADS = 6_000

const app = await startEndpoints()
const { headers } = await signIn('staff')

beforeAll(async () => {
  await fill()
})
// The number of so many leads is cached for 0.6 s, and the next file of this process may count its own.
afterAll(() => sleep(1000))

async function fill() {
  const email = 'one@example.com'
  const { id: personId } = await makePerson({ email })
  const newest = Date.now()
  const rows = Array.from({ length: LEADS }, (_, at) => ({
    id: newId(),
    reference: `N-${at}`,
    personId,
    name: `Name ${String((at * 7919) % LEADS).padStart(4, '0')}`,
    email,
    form: 'contact' as const,
    country: 'France',
    problem: 'Other',
    message: messageOf(at),
    createdAt: new Date(newest - at * 60_000),
  }))
  for (let at = 0; at < LEADS; at += 1_000)
    await db
      .insertInto('contacts')
      .values(rows.slice(at, at + 1_000))
      .execute()
}

/** One word in every second lead, one in every two hundredth, one in three of the oldest. */
function messageOf(at: number): string {
  return ['Rows, please', at % 2 === 0 && 'commonplace', at % 200 === 0 && 'infrequent', at > LEADS - 4 && 'singular']
    .filter(Boolean)
    .join(' ')
}

type Page = {
  items: { id: string; reference: string; name: string }[]
  previousCursor: string | null
  nextCursor: string | null
  total: number
  isTotalExact: boolean
}

const search = async (query: string): Promise<Page> => (await app.inject({ url: `/api/contacts?${query}`, headers })).json()

async function searchAll(query: string): Promise<Page['items']> {
  const found = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await search(cursor ? `${query}&cursor=${cursor}` : query)
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}

type Lead = Page['items'][number]

const age = ({ reference }: Lead) => Number(reference.slice(2))
const place = ({ name }: Lead) => Number(name.slice(5))

describe('happy', () => {
  test('a common word is found immediately, and its count is marked as approximate', async () => {
    const page = await search('q=commonplace&limit=3')
    expect(page.items.map(({ reference }) => reference)).toEqual(['N-0', 'N-2', 'N-4'])
    expect(page).toMatchObject({ total: 3_000, isTotalExact: false })
  })

  test('a word that is in few leads is found wherever they are, and counted exactly', async () => {
    const page = await search('q=singular')
    expect(page.items.map(({ reference }) => reference)).toEqual(['N-5997', 'N-5998', 'N-5999'])
    expect(page).toMatchObject({ total: 3, isTotalExact: true, nextCursor: null })
  })

  test.each([
    ['q=infrequent&limit=7', age],
    ['q=infrequent&limit=25&sort=createdAt', (lead: Lead) => -age(lead)],
    ['q=infrequent&limit=7&sort=name', place],
    ['q=infrequent+commonplace&limit=11&sort=-name', (lead: Lead) => -place(lead)],
  ])('the pages of %s hold every match once, in order', async (query, order) => {
    const found = await searchAll(query)
    expect(new Set(found.map(({ id }) => id)).size).toBe(30)
    expect(found.map(order)).toEqual(found.map(order).toSorted((one, other) => one - other))
  })

  test('each page of a rare word counts the matches of all pages, also back from a later one', async () => {
    const first = await search('q=infrequent&limit=25')
    const second = await search(`q=infrequent&limit=25&cursor=${first.nextCursor}`)
    const back = await search(`q=infrequent&limit=25&cursor=${second.previousCursor}`)
    expect([first, second, back].map(({ items }) => items.length)).toEqual([25, 5, 25])
    for (const page of [first, second, back]) expect(page).toMatchObject({ total: 30, isTotalExact: true })
  })

  test('all leads are counted exactly without a search, and an unknown word finds nothing', async () => {
    expect(await search('limit=1')).toMatchObject({ total: LEADS, isTotalExact: true })
    expect(await search('q=unheard')).toMatchObject({ items: [], total: 0, isTotalExact: true })
  })
})
