import { randomUUID } from 'node:crypto'
import { follow, type PlaceOf, type Way } from '#app/redirect-engine/follow.server.ts'
import { RuleSet } from '#app/redirect-engine/rule-set.server.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import { onSignal } from '#app/platform/signals.server.ts'
import { REDIRECTS_CHANGED } from './redirect-lock.server.ts'

const AGAIN_MS = 1000

/** Tells our own signals from those of others: what we say we know already. */
export const self = randomUUID()
let rules = new RuleSet([], env.SITE_URL)
let reading: Promise<void> | undefined
let [asked, known] = [0, 0]
let again: NodeJS.Timeout | undefined
const listeners = new Set<(rules: RuleSet) => void>()

/** The way from an address by the redirects that are in force, from memory: the database is not asked. */
export function followRedirects(url: string, method?: string, placeOf?: PlaceOf): Way {
  return follow(rules, url, method, placeOf)
}

/** Calls back with the rules once they have changed in this process. Answers the function that ends it. */
export function onNewRules(callback: (rules: RuleSet) => void): () => void {
  listeners.add(callback)
  return () => void listeners.delete(callback)
}

/** Reads the rules and follows their changes from now on. Answers the function that ends it. */
export async function openRules(): Promise<() => void> {
  const deaf = [onSignal(REDIRECTS_CHANGED, (from) => void (from !== self && readRules())), onSignal('reconnected', () => void readRules())]
  await readOnceMore()
  return () => {
    clearTimeout(again)
    for (const stopListening of deaf) stopListening()
  }
}

/** Call it once a change of redirects is committed: they hold in this process when it answers, unless the database has just gone; what is known answers then. */
export async function readRules(): Promise<void> {
  clearTimeout(again)
  try {
    await readOnceMore()
  } catch (error) {
    log.warn({ err: error }, 'redirects could not be read again')
    again = setTimeout(() => void readRules(), AGAIN_MS).unref()
  }
}

/** One reading at a time; what changes meanwhile is read by another one after it, for all who wait for it. */
async function readOnceMore(): Promise<void> {
  asked += 1
  const wanted = asked
  while (known < wanted) await (reading ??= readOnce().finally(() => (reading = undefined)))
}

async function readOnce() {
  const version = asked
  const list = await db
    .selectFrom('redirects')
    .select(['id', 'fromPath', 'toPath', 'statusCode', 'kind', 'query', 'ignoresSlash', 'ignoresCase'])
    .where('isActive', '=', true)
    .orderBy('position')
    .execute()
  rules = new RuleSet(list, env.SITE_URL)
  known = version
  for (const listener of listeners) listener(rules)
}
